#pragma once

#include <optional>

#include <fitup/geometry/pair_placement.h>
#include <fitup/query/posed_model.h>

namespace FITUP_EXPORT fitup {

/// Which part of a pair plays A (stays) and which B (is placed), and where.
struct PairRoles {
  /// True if A is the second argument of the query. B is the part with fewer triangles; ties go by content
  /// hash, then by pose numbers, never by argument order.
  bool swapped = false;
  Transform aFromB;  ///< between local coordinates

  /// Throws PlacementError for placements that are singular or not finite, as far as that shows here, and
  /// RangeError outside limits.h.
  static PairRoles of(const PosedModel& first, const PosedModel& second);
  /// Nothing if the boxes of the parts, each in the axes of its part, are certainly apart, so that no placed
  /// triangles can meet. Throws as `of` does, but not then.
  static std::optional<PairRoles> unlessBoxesApart(const PosedModel& first, const PosedModel& second);
};

/// The frame in which a pair is answered: roles, and the placement that defines the answer (architecture,
/// section 4.2).
struct PairFrame {
  bool swapped = false;  ///< as in `PairRoles`
  PairPlacement placement;

  /// Throws PlacementError for placements that are singular or not finite, RangeError outside limits.h.
  static PairFrame of(const PosedModel& first, const PosedModel& second);
  /// With roles found before.
  static PairFrame of(const PosedModel& first, const PosedModel& second, const PairRoles& roles);
};

}  // namespace fitup
