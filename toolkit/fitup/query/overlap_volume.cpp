#include <fitup/query/overlap_volume.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <fitup/base/deadline.h>
#include <fitup/base/error.h>
#include <fitup/query/detail/volume_columns.h>
#include <fitup/query/pair_frame.h>

namespace fitup {
namespace {

using detail::VolumeColumns;

/// Number of columns of one direction before the next one has its turn.
constexpr std::size_t firstColumns = 1024;

}  // namespace

OverlapVolume overlapVolume(const PosedSolid& first, const PosedSolid& second,
                            const OverlapVolumeRequest& request) {
  requireSolids(first, second);
  if (!(request.relativeAccuracy >= 0)) throw InputError("volume", "accuracy", "is negative or not a number");
  const auto deadline = deadlineOf(request.limits.timeBudget);
  const PairFrame frame = PairFrame::of(first.posed(), second.posed());
  OverlapVolume result;
  for (const PosedSolid* posed : {&first, &second})
    if (!posed->solid->watertightness().closed()) {
      result.unknownBecause = "part '" + posed->solid->mesh().name() + "' is not closed";
      return result;
    }
  const PosedSolid &a = frame.swapped ? second : first, &b = frame.swapped ? first : second;
  const auto ended = [&] {
    if (request.limits.cancel.stop_requested()) return ReportStatus::cancelled;
    const bool isLate = deadline && std::chrono::steady_clock::now() >= *deadline;
    return isLate ? ReportStatus::truncated : ReportStatus::complete;
  };
  // The direction decides how often the projections of the two meshes cut each other, so the three race.
  std::array<VolumeColumns, 3> columns{VolumeColumns(a, b, frame, 0), VolumeColumns(a, b, frame, 1),
                                       VolumeColumns(a, b, frame, 2)};
  result.status = ReportStatus::truncated;
  for (std::size_t pieces = firstColumns; result.status == ReportStatus::truncated; pieces *= 4) {
    pieces = std::min(pieces, request.maxPieces);
    for (VolumeColumns& some : columns) {
      result.status = some.refine(request.relativeAccuracy, pieces, ended);
      if (result.status != ReportStatus::truncated) break;
    }
    if (pieces == request.maxPieces || ended() != ReportStatus::complete) break;
  }
  const VolumeColumns& best = *std::ranges::min_element(columns, {}, &VolumeColumns::errorBound);
  for (const VolumeColumns& some : columns) result.pieces += some.pieces();
  const double scale = std::abs(a.worldFromPart.determinant());
  result.volume = best.volume() * scale;
  result.errorBound = best.errorBound() * scale;
  return result;
}

}  // namespace fitup
