#pragma once

#include <cstddef>
#include <functional>

#include <fitup/geometry/transform.h>

namespace FITUP_EXPORT fitup {

/// A box of a hierarchy, in the part frame: all points partFromBox * p with |p| <= half on each axis.
struct LevelBox {
  Transform partFromBox;  ///< rigid
  Vec3 half;
};

/// Called with the level of a box and the box, parents first. `ends` is true if no later box lies inside this
/// one.
using BoxVisit = std::function<void(std::size_t level, bool ends, const LevelBox& box)>;

}  // namespace fitup
