#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <fitup/query/posed_solid.h>
#include <fitup/query/report.h>
#include <fitup/query/request.h>

namespace FITUP_EXPORT fitup {

/// Options of a query for the common volume of two bodies.
struct OverlapVolumeRequest {
  /// The search ends when the error bound is at most this fraction of the volume. A smaller value is slower;
  /// 0 ends only where everything is resolved or `maxPieces` is reached.
  double relativeAccuracy = 1.0 / 1024;
  /// Number of columns to examine in each of three directions. When it is reached, the error bound covers the
  /// rest.
  std::size_t maxPieces = 200'000;
  QueryLimits limits{};  ///< `maxPairs` is ignored
};

/// The volume that two bodies have in common, in world units cubed.
struct OverlapVolume {
  /// Unset if it is not known: a part is not closed, so that its inside is not known everywhere.
  std::optional<double> volume;
  /// The true volume differs by at most this much, for the placed coordinates of the pair's `PairFrame`.
  double errorBound = 0;
  std::string unknownBecause;  ///< for people; empty if the volume is set
  /// `truncated`: `maxPieces` or the time budget ended the search before the accuracy was reached. The error
  /// bound holds in any case.
  ReportStatus status = ReportStatus::complete;
  std::size_t pieces = 0;  ///< number of columns examined
};

/// Measures the volume that the insides of two bodies have in common. Inside is defined as in
/// `PointQuery::side`: cavities do not count, and overlapping shells of one part count once.
///
/// The overlap box is divided into vertical columns. Between the heights at which triangles may lie, a column
/// is inside or outside as a whole; this gives a lower and an upper bound. The columns with the largest
/// difference are halved, or cut along the edges of triangles and the lines in which these cross, until no
/// edge and no crossing is left in a column. The common height is then linear over it, and its volume known.
/// Coplanar faces and touching shells need no special treatment, because heights between them are zero. All
/// bounds include rounding.
///
/// Works for every affine placement. Exchanging the bodies changes nothing. Thread-safe. Throws as
/// `PairFrame::of`, and InputError if a solid is null or the accuracy is negative or NaN.
OverlapVolume overlapVolume(const PosedSolid& first, const PosedSolid& second,
                            const OverlapVolumeRequest& request = {});

}  // namespace fitup
