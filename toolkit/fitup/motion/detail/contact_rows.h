#pragma once

#include <vector>

#include <fitup/motion/detail/contact_part.h>

namespace fitup::detail {

/// A place where two parts may touch after a small motion of the first one, to first order.
struct ContactRow {
  Vec3 point;            ///< in the world, fixed to the moved part
  Vec3 normal;           ///< unit, out of the resting part: along it, `gap` grows fastest
  double gap = 0;        ///< below 0: the overlap there
  bool isExact = false;  ///< measured on the closed forms of the faces, not on triangles
  TriangleId moved{}, resting{};
};

struct ContactReach {
  double gap = 0;      ///< places farther apart than this are left out
  double overlap = 0;  ///< and those that are deeper than this
};

/// Finds all places within reach at which the distance of two parts, or the depth of one in the other, has a
/// local minimum (a local maximum), and the extreme points of contacts along faces:
///  - a corner of one part above a face of the other, or nearest to its border;
///  - two convex edges that cross;
///  - points between the corners of a round face that are nearer than these.
/// Every place is one linear limit of a small motion, and all of them together are what such a motion has to
/// keep: with only the nearest one, a part goes to and fro between two walls. A flat contact is held by its
/// extreme points, a bore by the corners of both its ends.
///
/// Where a face has a closed form (`ExactFace`), gap and normal are those of the exact face. Tessellated
/// bores have other normals than exact ones, and play smaller than the chord error is play of exact faces
/// only.
///
/// In an overlap, a corner belongs to the face from which its part can be drawn back: the edges at the corner
/// do not lead behind the face. Of several faces that meet in a convex border, the one with the least overlap
/// counts, because a corner that is not behind all of them is outside.
///
/// Parts that are not closed have two sides; places where they intersect are left out. The rows are in no
/// particular order, but always in the same.
std::vector<ContactRow> contactRows(const PlacedContactPart& moved, const PlacedContactPart& resting,
                                    const ContactReach& reach);

}  // namespace fitup::detail
