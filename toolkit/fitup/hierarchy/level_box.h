#pragma once

#include <cstddef>
#include <functional>

#include <fitup/geometry/transform.h>

namespace FITUP_EXPORT fitup {

/// A box of a hierarchy: all points partFromBox * p with |p| <= half, an axis at a time. Part frame.
struct LevelBox {
  Transform partFromBox;  ///< rigid
  Vec3 half;
};

/// Called with a box on the way down and its level; `ends` if none of the boxes to come lies in it.
using BoxVisit = std::function<void(std::size_t level, bool ends, const LevelBox& box)>;

}  // namespace fitup
