#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include <fitup/motion/detail/contact_rows.h>

namespace fitup::detail {

/// A corner (a welded point) of one part and a triangle of the other that is near it.
struct CornerNear {
  std::uint32_t corner = 0;
  TriangleId triangle{};
};

/// A corner of one part at a face of the other.
struct CornerContact {
  Vec3 point;   ///< the corner, or a point of a round face between corners
  Vec3 normal;  ///< unit, out of the part of the face
  double gap = 0;
  bool isExact = false;
  TriangleId corner{}, face{};
};

/// Reports the contacts (`contactRows`) of corners of one part at the faces of another one. The pairs of a
/// corner follow one another in `near`.
void addCornerContacts(const PlacedContactPart& corners, const PlacedContactPart& faces,
                       std::span<const CornerNear> near, const ContactReach& reach,
                       const std::function<void(const CornerContact&)>& add);

}  // namespace fitup::detail
