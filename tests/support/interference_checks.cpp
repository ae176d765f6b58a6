#include "interference_checks.h"

#include <algorithm>

#include <fitup/query/brute_force.h>

#include "report_checks.h"

namespace fitup::test {
namespace {

std::string text(const PairInterference& pair) {
  return std::to_string(index(pair.a)) + " x " + std::to_string(index(pair.b));
}

}  // namespace

std::vector<Transform> designPlacements(const Assembly& assembly) {
  std::vector<Transform> result;
  for (NodeId node : assembly.instances()) result.push_back(assembly.worldFromNode(node));
  return result;
}

InterferenceReport loopOverPairs(const Assembly& assembly, const CollisionModels& models,
                                 std::span<const Transform> worldFromPart,
                                 const std::function<bool(std::size_t, std::size_t)>& wanted,
                                 const IntersectionRequest& request) {
  InterferenceReport result;
  const std::vector<NodeId> instances = assembly.instances();
  const auto model = [&](std::size_t i) { return models.at(index(assembly.partOf(instances[i]))); };
  for (std::size_t i = 0; i < instances.size(); ++i)
    for (std::size_t j = i + 1; j < instances.size(); ++j) {
      if (!wanted(i, j)) continue;
      ++result.consideredPairs;
      IntersectionReport report =
          bruteForce({model(i), worldFromPart[i]}, {model(j), worldFromPart[j]}, request);
      if (report.intersects()) result.pairs.push_back({instances[i], instances[j], std::move(report)});
    }
  return result;
}

std::string difference(const InterferenceReport& found, const InterferenceReport& expected) {
  if (found.status != expected.status) return "status " + std::string(name(found.status));
  for (std::size_t k = 0; k < std::max(found.pairs.size(), expected.pairs.size()); ++k) {
    if (k >= found.pairs.size()) return "misses " + text(expected.pairs[k]);
    if (k >= expected.pairs.size()) return "invents " + text(found.pairs[k]);
    const PairInterference &f = found.pairs[k], &e = expected.pairs[k];
    if (f.a != e.a || f.b != e.b) return "has " + text(f) + " where " + text(e) + " should be";
    if (!sameAnswer(f.report, e.report)) return "another answer for " + text(f);
  }
  return {};
}

std::string differenceOfWhole(const InterferenceReport& found, const InterferenceReport& expected) {
  if (const std::string problem = difference(found, expected); !problem.empty()) return problem;
  if (found.consideredPairs != expected.consideredPairs) return "considered pairs";
  if (found.excludedPairs != expected.excludedPairs) return "excluded pairs";
  if (found.unselectedPairs != expected.unselectedPairs) return "unselected pairs";
  if (found.narrowPairs != expected.narrowPairs) return "narrow pairs";
  if (found.openParts != expected.openParts) return "open parts";
  for (std::size_t k = 0; k < found.pairs.size(); ++k) {
    if (found.pairs[k].assessment() != expected.pairs[k].assessment())
      return "another assessment of " + text(found.pairs[k]);
    if (found.pairs[k].rule != expected.pairs[k].rule) return "another rule for " + text(found.pairs[k]);
  }
  return {};
}

std::string problemOfPart(const InterferenceReport& report, const InterferenceReport& all) {
  for (const PairInterference& pair : report.pairs) {
    const auto whole = std::find_if(all.pairs.begin(), all.pairs.end(), [&](const PairInterference& p) {
      return p.a == pair.a && p.b == pair.b;
    });
    if (whole == all.pairs.end()) {
      if (pair.report.intersects()) return "invents " + text(pair);
      continue;  // ended early, before anything was found
    }
    for (const TrianglePair& t : pair.report.trianglePairs)
      if (!std::binary_search(whole->report.trianglePairs.begin(), whole->report.trianglePairs.end(), t))
        return "invents a pair of triangles in " + text(pair);
    for (const SurfacePair& s : pair.report.surfacePairs)
      if (!std::binary_search(whole->report.surfacePairs.begin(), whole->report.surfacePairs.end(), s))
        return "invents a pair of surfaces in " + text(pair);
  }
  return {};
}

}  // namespace fitup::test
