#include <fitup/query/verify.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include <fitup/base/count_text.h>
#include <fitup/base/text.h>
#include <fitup/query/brute_force.h>
#include <fitup/query/pair_frame.h>
#include <fitup/query/sort_and_sweep.h>

namespace fitup {
namespace {

/// Largest number of pairs that a discrepancy lists.
constexpr std::size_t mostNamed = 100;

std::string textOf(const TrianglePair& p) {
  return "(" + std::to_string(index(p.a)) + ", " + std::to_string(index(p.b)) + ")";
}
std::string textOf(const SurfacePair& p) {
  return "(" + std::to_string(index(p.a)) + ", " + std::to_string(index(p.b)) + ")";
}

template <typename Pair>
std::vector<Pair> without(const std::vector<Pair>& from, const std::vector<Pair>& sortedOthers) {
  std::vector<Pair> result;
  std::set_difference(from.begin(), from.end(), sortedOthers.begin(), sortedOthers.end(),
                      std::back_inserter(result));
  return result;
}

template <typename Pair>
bool isStrictlySorted(const std::vector<Pair>& pairs) {
  return std::adjacent_find(pairs.begin(), pairs.end(),
                            [](const Pair& p, const Pair& q) { return !(p < q); }) == pairs.end();
}

/// Makes a text such as "2 pairs of surfaces, first (0, 3)".
template <typename Pair>
std::string textOf(const std::vector<Pair>& pairs, const char* ofWhat) {
  return countText(pairs.size(), "pair") + " of " + ofWhat + ", first " + textOf(pairs.front());
}

std::vector<TrianglePair> firstOf(std::vector<TrianglePair> pairs) {
  if (pairs.size() > mostNamed) pairs.resize(mostNamed);
  return pairs;
}

SurfacePair surfacesOf(const PosedModel& first, const PosedModel& second, const TrianglePair& p) {
  return {first.model->mesh().surfaceOf(p.a), second.model->mesh().surfaceOf(p.b)};
}

/// Checks a report on its own.
std::optional<Discrepancy> malformed(const PosedModel& first, const PosedModel& second,
                                     const IntersectionReport& answer) {
  for (const TrianglePair& p : answer.trianglePairs)
    if (index(p.a) >= first.model->mesh().triangleCount() ||
        index(p.b) >= second.model->mesh().triangleCount())
      return Discrepancy{"triangles " + textOf(p) + " do not exist", {}};
  if (!isStrictlySorted(answer.surfacePairs)) return Discrepancy{"pairs of surfaces are not sorted", {}};
  if (answer.mode == QueryMode::allTrianglePairs) {
    if (!isStrictlySorted(answer.trianglePairs)) return Discrepancy{"pairs of triangles are not sorted", {}};
    std::vector<SurfacePair> surfaces;
    for (const TrianglePair& p : answer.trianglePairs) surfaces.push_back(surfacesOf(first, second, p));
    std::sort(surfaces.begin(), surfaces.end());
    surfaces.erase(std::unique(surfaces.begin(), surfaces.end()), surfaces.end());
    if (surfaces != answer.surfacePairs)
      return Discrepancy{"the pairs of surfaces do not match the pairs of triangles", {}};
    return std::nullopt;
  }
  if (answer.surfacePairs.size() != answer.trianglePairs.size())
    return Discrepancy{"there is not one pair of triangles for each pair of surfaces", {}};
  for (std::size_t i = 0; i < answer.surfacePairs.size(); ++i)
    if (surfacesOf(first, second, answer.trianglePairs[i]) != answer.surfacePairs[i])
      return Discrepancy{"triangles " + textOf(answer.trianglePairs[i]) + " are not of surfaces " +
                             textOf(answer.surfacePairs[i]),
                         {answer.trianglePairs[i]}};
  return std::nullopt;
}

double sizeInWorld(const PosedModel& posed) {
  const Box box = placedBox(posed.worldFromPart, posed.model->mesh().boundsInPart());
  double largest = 0;
  for (int k = 0; k < 3; ++k) largest = std::max({largest, std::abs(box.min[k]), std::abs(box.max[k])});
  return box.empty() ? 0 : largest;
}

/// Compares the data of a nearest pair with its triangles, measured again.
std::optional<std::string> wrongWitness(const PosedModel& first, const PosedModel& second,
                                        const NearestPair& pair, double slop) {
  if (index(pair.triangles.a) >= first.model->mesh().triangleCount() ||
      index(pair.triangles.b) >= second.model->mesh().triangleCount())
    return "triangles " + textOf(pair.triangles) + " do not exist";
  if (surfacesOf(first, second, pair.triangles) != pair.surfaces)
    return "triangles " + textOf(pair.triangles) + " are not of surfaces " + textOf(pair.surfaces);
  const PairFrame frame = PairFrame::of(first, second);
  const PosedModel &a = frame.swapped ? second : first, &b = frame.swapped ? first : second;
  const TriangleId inA = frame.swapped ? pair.triangles.b : pair.triangles.a,
                   inB = frame.swapped ? pair.triangles.a : pair.triangles.b;
  const double measured =
      WorldMetric::of(a.worldFromPart, a.model->mesh().origin())
          .distance(a.model->mesh().triangle(inA), frame.placement.placed(b.model->mesh().triangle(inB)))
          .distance;
  if (!(std::abs(measured - pair.distance) <= slop))
    return "triangles " + textOf(pair.triangles) + " are " + numberText(measured) + " apart, not " +
           numberText(pair.distance);
  const double ofPoints = norm(pair.pointA - pair.pointB);
  if (!(std::abs(ofPoints - pair.distance) <= slop))
    return "the points are " + numberText(ofPoints) + " apart, not " + numberText(pair.distance);
  return std::nullopt;
}

}  // namespace

bool isForBruteForce(const PosedModel& first, const PosedModel& second,
                     const OracleOptions& oracle) noexcept {
  return std::uint64_t{first.model->mesh().triangleCount()} * second.model->mesh().triangleCount() <=
         oracle.bruteForceUpTo;
}

double distanceSlop(const PosedModel& first, const PosedModel& second) {
  return 0x1p-33 * (sizeInWorld(first) + sizeInWorld(second));
}

std::optional<Discrepancy> verifyIntersection(const PosedModel& first, const PosedModel& second,
                                              const IntersectionRequest& request,
                                              const IntersectionReport& answer, const OracleOptions& oracle) {
  if (auto problem = malformed(first, second, answer)) return problem;
  IntersectionRequest all;
  all.touching = request.touching;
  all.limits.cancel = oracle.cancel;
  const IntersectionReport truth = isForBruteForce(first, second, oracle)
                                       ? bruteForce(first, second, all)
                                       : sweepIntersect(first, second, all);
  if (truth.status != ReportStatus::complete) return std::nullopt;

  std::vector<TrianglePair> claimed = answer.trianglePairs;
  std::sort(claimed.begin(), claimed.end());
  if (const auto invented = without(claimed, truth.trianglePairs); !invented.empty())
    return Discrepancy{"invented: " + textOf(invented, "triangles that do not intersect"), firstOf(invented)};
  if (answer.status != ReportStatus::complete) return std::nullopt;
  switch (request.mode) {
    case QueryMode::firstSurfacePair:
      if (!answer.intersects() && truth.intersects())
        return Discrepancy{
            "missed: nothing found, though there are " + textOf(truth.trianglePairs, "triangles"),
            firstOf(truth.trianglePairs)};
      return std::nullopt;
    case QueryMode::allSurfacePairs:
      if (const auto missed = without(truth.surfacePairs, answer.surfacePairs); !missed.empty()) {
        std::vector<TrianglePair> of;
        for (const TrianglePair& p : truth.trianglePairs)
          if (std::binary_search(missed.begin(), missed.end(), surfacesOf(first, second, p))) of.push_back(p);
        return Discrepancy{"missed: " + textOf(missed, "surfaces"), firstOf(std::move(of))};
      }
      return std::nullopt;
    case QueryMode::allTrianglePairs:
      if (const auto missed = without(truth.trianglePairs, answer.trianglePairs); !missed.empty())
        return Discrepancy{"missed: " + textOf(missed, "triangles"), firstOf(missed)};
  }
  return std::nullopt;
}

std::optional<Discrepancy> verifyDistance(const PosedModel& first, const PosedModel& second,
                                          const DistanceRequest& request, const DistanceReport& answer,
                                          const OracleOptions& oracle) {
  const double slop = distanceSlop(first, second);
  if (answer.nearest)
    if (auto wrong = wrongWitness(first, second, *answer.nearest, slop))
      return Discrepancy{*wrong, {answer.nearest->triangles}};
  if (answer.status != ReportStatus::complete) return std::nullopt;

  DistanceRequest least;
  least.limits.cancel = oracle.cancel;
  double most = std::numeric_limits<double>::infinity();
  for (const auto& limit : {request.within, request.ignoreBeyond})
    if (limit) most = std::min(most, *limit);
  // The reference need not look beyond the claimed distance.
  least.ignoreBeyond = std::min(most, answer.distance()) + slop;
  const DistanceReport truth = isForBruteForce(first, second, oracle)
                                   ? bruteForceDistance(first, second, least)
                                   : sweepDistance(first, second, least);
  if (truth.status != ReportStatus::complete) return std::nullopt;
  const auto problem = [&](const std::string& text) {
    return Discrepancy{text,
                       truth.nearest ? std::vector{truth.nearest->triangles} : std::vector<TrianglePair>{}};
  };
  if (!answer.nearest) {
    if (truth.distance() < most - slop || truth.distance() == 0)
      return problem("nothing found, though triangles are " + numberText(truth.distance()) + " apart");
    return std::nullopt;
  }
  if (answer.distance() > most) return problem("a pair beyond the requested distance was reported");
  if (!truth.nearest)
    return Discrepancy{"nothing is as near as " + numberText(answer.distance()), {answer.nearest->triangles}};
  if (request.within) return std::nullopt;  // any pair that is near enough is right
  if ((answer.distance() == 0) != (truth.distance() == 0))
    return problem(answer.distance() == 0 ? "reported as intersecting, and nothing intersects"
                                          : "reported as apart, though triangles intersect");
  if (truth.distance() < answer.distance() - slop)
    return problem("nearer triangles are " + numberText(truth.distance()) + " apart, not " +
                   numberText(answer.distance()));
  return std::nullopt;
}

std::optional<Discrepancy> verifySurfaceDistances(const PosedModel& first, const PosedModel& second,
                                                  double clearance, const DistanceRequest&,
                                                  const SurfaceDistanceReport& answer,
                                                  const OracleOptions& oracle) {
  const double slop = distanceSlop(first, second);
  std::map<SurfacePair, const NearestPair*> claimed;
  for (const NearestPair& p : answer.pairs) {
    if (auto wrong = wrongWitness(first, second, p, slop)) return Discrepancy{*wrong, {p.triangles}};
    if (!(p.distance <= clearance))
      return Discrepancy{"surfaces " + textOf(p.surfaces) + " are farther apart than requested",
                         {p.triangles}};
    if (!claimed.empty() && !(claimed.rbegin()->first < p.surfaces))
      return Discrepancy{"pairs of surfaces are not sorted", {}};
    claimed.emplace(p.surfaces, &p);
  }
  if (answer.status != ReportStatus::complete) return std::nullopt;
  DistanceRequest all;
  all.limits.cancel = oracle.cancel;
  const SurfaceDistanceReport truth = isForBruteForce(first, second, oracle)
                                          ? bruteForceSurfacePairsWithin(first, second, clearance, all)
                                          : sweepSurfacePairsWithin(first, second, clearance, all);
  if (truth.status != ReportStatus::complete) return std::nullopt;
  for (const NearestPair& p : truth.pairs) {
    const auto at = claimed.find(p.surfaces);
    if (at == claimed.end()) {
      if (p.distance < clearance - slop || p.distance == 0)
        return Discrepancy{
            "missed: surfaces " + textOf(p.surfaces) + " are " + numberText(p.distance) + " apart",
            {p.triangles}};
      continue;
    }
    const double reported = at->second->distance;
    if ((reported == 0) != (p.distance == 0) || reported > p.distance + slop)
      return Discrepancy{"surfaces " + textOf(p.surfaces) + " are " + numberText(p.distance) +
                             " apart, not " + numberText(reported),
                         {p.triangles}};
  }
  return std::nullopt;
}

}  // namespace fitup
