#pragma once

#include <fitup/geometry/pair_placement.h>
#include <fitup/query/posed_model.h>

namespace FITUP_EXPORT fitup {

/// The frame in which a pair is tested: which part has role A (stays) and which has role B (is placed), and
/// the placement that defines the answer.
struct PairFrame {
  /// True if A is the second argument of the query. B is the part with fewer triangles. Ties are broken by
  /// content hash, then by the numbers of the poses, never by argument order.
  bool swapped = false;
  PairPlacement placement;

  /// Throws PlacementError for placements that are singular or not finite, RangeError for numbers outside
  /// limits.h, and InputError for a null model.
  static PairFrame of(const PosedModel& first, const PosedModel& second);
};

}  // namespace fitup
