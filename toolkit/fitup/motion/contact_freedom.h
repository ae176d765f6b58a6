#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/hierarchy/query_stats.h>
#include <fitup/scene/rules.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// A place where a moved part touches, or nearly touches, one that rests. World frame and units.
struct ContactPlace {
  NodeId moved{}, rest{};
  SurfacePair surfaces;  ///< of the moved part, of the resting one
  Vec3 point;
  Vec3 normal;     ///< unit, out of the resting part: a motion along it opens the gap
  double gap = 0;  ///< below 0: the overlap there
  /// Gap and normal are those of closed forms of the faces, or of two flat faces, and the gap is 0 up to the
  /// rounding of coordinates: the exact shapes touch there, without play and without overlap.
  bool isExact = false;
};

/// Options of `contactPlaces`. Lengths in the world's unit.
struct ContactPlacesOptions {
  /// t: places with a gap up to this, or an overlap up to a few times of it, count. Unset: the
  /// `defaultTolerance` of each pair; for meshes without a known chord error, 2^-20 of the diagonal of the
  /// scene. Larger: more places.
  std::optional<double> tolerance{};
  Rules rules{};  ///< pairs that are ignored, or outside the sets to check, have no places
};

/// Finds all places at which moved instances (one rigid group) touch others. They are the linear limits that
/// a small motion of the group has to keep: n . v >= 0 for the velocity v of the point. Corners of contacts
/// along faces are enough: a flat contact is given by its extreme points. In a fixed order.
///
/// Thread-safe. Throws InputError for a node that is not an instance, and CancelledError.
std::vector<ContactPlace> contactPlaces(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                                        const ContactPlacesOptions& options = {},
                                        const Progress& progress = {});

/// What exact contacts leave of the motions of a body, to first order.
struct ContactFreedom {
  /// No shift, turn or screw, however small, keeps all exact contacts to first order. Motions that open a
  /// contact count as keeping it. This is shown by linear programming for shapes without play and for a
  /// tolerance of 0: any play, and any overlap that counts as contact, allows small motions.
  bool isHeld = false;
  /// If `isHeld`: positions of places whose forces hold the body against every motion.
  std::vector<std::size_t> holding;
};

/// Finds whether the exact contacts among `places` leave any first-order motion of the moved instances.
/// Places that are not exact are left out. Throws as `contactPlaces`.
ContactFreedom contactFreedom(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                              std::span<const ContactPlace> places);

}  // namespace fitup
