#include <fitup/scene/face_assessment.h>

#include <algorithm>

namespace fitup {

std::optional<std::size_t> regionOf(const PairInterference& pair, const SurfacePair& surfaces) {
  if (!pair.verdict || pair.is(Verdict::undecided)) return std::nullopt;
  const std::vector<PenetrationRegion>& regions = pair.verdict->regions;
  const auto found = std::ranges::find_if(regions, [&](const PenetrationRegion& region) {
    return (region.coincident && region.surfacePairs.empty()) || region.pierced ||
           std::binary_search(region.surfacePairs.begin(), region.surfacePairs.end(), surfaces);
  });
  if (found == regions.end()) return std::nullopt;
  return static_cast<std::size_t>(found - regions.begin());
}

Assessment faceAssessment(const PairInterference& pair, const SurfacePair& surfaces) {
  Assessment result;
  if (!pair.verdict) return result;
  result.tolerance = pair.verdict->tolerance;
  result.verdict = pair.is(Verdict::undecided) ? Verdict::undecided : Verdict::contact;
  if (const auto region = regionOf(pair, surfaces)) {
    const PenetrationRegion& deepest = pair.verdict->regions[*region];
    result.verdict = Verdict::clash;
    result.depth = deepest.depth;
    result.depthErrorBound = deepest.errorBound;
    result.chordError = pair.verdict->chordError;
    result.depthIsLowerBound = pair.verdict->depthIsLowerBound;
    result.chordError = pair.verdict->chordError;
    result.rounding = pair.verdict->rounding;
    result.direction = deepest.direction;
  }
  return result;
}

}  // namespace fitup
