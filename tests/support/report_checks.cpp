#include "report_checks.h"

#include <algorithm>
#include <vector>

#include <fitup/query/brute_force.h>
#include <fitup/query/intersect.h>

#include "tiny_meshes.h"

namespace fitup::test {
namespace {

constexpr QueryMode modes[] = {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs,
                               QueryMode::allTrianglePairs};
constexpr OverlapBoxSetting settings[] = {OverlapBoxSetting::on, OverlapBoxSetting::off,
                                          OverlapBoxSetting::classical};

template <typename T>
bool strictlySorted(const std::vector<T>& values) {
  return std::adjacent_find(values.begin(), values.end(), [](const T& a, const T& b) { return !(a < b); }) ==
         values.end();
}

std::string countText(const char* what, std::size_t got, std::size_t expected) {
  return std::string(what) + ": " + std::to_string(got) + " instead of " + std::to_string(expected);
}

}  // namespace

bool sameAnswer(const IntersectionReport& a, const IntersectionReport& b) {
  return a.surfacePairs == b.surfacePairs && a.trianglePairs == b.trianglePairs && a.status == b.status;
}

std::string problemOf(const IntersectionReport& report, QueryMode mode, const IntersectionReport& all,
                      const TriangleMesh& first, const TriangleMesh& second) {
  if (report.status != ReportStatus::complete) return "not complete";
  if (report.mode != mode) return "names another mode";
  if (!strictlySorted(report.surfacePairs)) return "surface pairs not sorted or not unique";
  if (report.intersects() != !report.surfacePairs.empty()) return "intersects() is wrong";
  if (mode == QueryMode::allTrianglePairs) {
    if (!strictlySorted(report.trianglePairs)) return "triangle pairs not sorted or not unique";
    if (report.trianglePairs != all.trianglePairs)
      return countText("triangle pairs", report.trianglePairs.size(), all.trianglePairs.size());
    if (report.surfacePairs != all.surfacePairs)
      return countText("surface pairs", report.surfacePairs.size(), all.surfacePairs.size());
    return {};
  }
  if (mode == QueryMode::allSurfacePairs && report.surfacePairs != all.surfacePairs)
    return countText("surface pairs", report.surfacePairs.size(), all.surfacePairs.size());
  if (mode == QueryMode::firstSurfacePair) {
    if (report.surfacePairs.size() != (all.surfacePairs.empty() ? 0 : 1))
      return countText("first", report.surfacePairs.size(), all.surfacePairs.size());
    for (const SurfacePair& p : report.surfacePairs)
      if (!std::binary_search(all.surfacePairs.begin(), all.surfacePairs.end(), p))
        return "first is not in all";
  }
  if (report.trianglePairs.size() != report.surfacePairs.size())
    return "not one witness for each surface pair";
  for (std::size_t i = 0; i < report.trianglePairs.size(); ++i) {
    const TrianglePair& w = report.trianglePairs[i];
    if (!std::binary_search(all.trianglePairs.begin(), all.trianglePairs.end(), w))
      return "witness is not in all";
    if (SurfacePair{first.surfaceOf(w.a), second.surfaceOf(w.b)} != report.surfacePairs[i])
      return "witness of another surface pair";
  }
  return {};
}

namespace {

/// Checks one hierarchy in every setting, argument order and form of code.
std::string problemOfKind(const PosedModel& first, const PosedModel& second, IntersectionRequest request,
                          const IntersectionReport& all, QueryContext& context) {
  const TriangleMesh &meshOfFirst = first.model->mesh(), &meshOfSecond = second.model->mesh();
  for (const OverlapBoxSetting setting : settings) {
    if (setting == OverlapBoxSetting::classical && request.hierarchy != HierarchyKind::scd) continue;
    request.overlapBox = setting;
    const IntersectionReport report = intersect(first, second, request, context);
    std::string problem = problemOf(report, request.mode, all, meshOfFirst, meshOfSecond);
    const IntersectionReport exchanged = intersect(second, first, request, context);
    if (problem.empty() && !sameAnswer(exchanged, report.swapped()))
      problem = "exchanged arguments, other report: " + std::to_string(exchanged.trianglePairs.size()) +
                " and " + std::to_string(report.swapped().trianglePairs.size()) + " triangle pairs, " +
                std::to_string(exchanged.surfacePairs.size()) + " and " +
                std::to_string(report.swapped().surfacePairs.size()) + " surface pairs";
    if (problem.empty() && !(exchanged.stats == report.stats))
      problem = "exchanged arguments, other statistics";
    if (problem.empty() && !sameAnswer(report.swapped().swapped(), report)) problem = "swapped twice differs";
    IntersectionRequest plain = request;
    plain.vectorUse = VectorUse::scalar;
    const IntersectionReport scalar = intersect(first, second, plain, context);
    if (problem.empty()) problem = problemOf(scalar, request.mode, all, meshOfFirst, meshOfSecond);
    // The lanes of the wide tree round once where plain code rounds twice, so filters may pass other
    // candidates.
    if (problem.empty() && request.hierarchy == HierarchyKind::scd &&
        !(sameAnswer(scalar, report) && scalar.stats == report.stats))
      problem = "plain code and vector code differ";
    if (problem.empty() && report.stats.exactTests > report.stats.triangleTests)
      problem = "more exact tests than tests";
    if (!problem.empty()) return "overlap box " + std::string(name(setting)) + ": " + problem;
  }
  return {};
}

ModelPtr compactModelOf(const CollisionModel& model, bool turned) {
  BuildOptions options = withScd();
  options.wide = WideBvhOptions{.layout = WideLayout::compact, .orientNodes = turned};
  return CollisionModel::build(model.sharedMesh(), options);
}

}  // namespace

std::string problemInAnySetting(const PosedModel& first, const PosedModel& second, Touching touching,
                                const IntersectionReport& all, bool withBruteForce) {
  QueryContext context;
  const TriangleMesh &meshOfFirst = first.model->mesh(), &meshOfSecond = second.model->mesh();
  const ModelPtr compactFirst = compactModelOf(*first.model, true),
                 compactSecond = compactModelOf(*second.model, false);
  for (const QueryMode mode : modes) {
    IntersectionRequest request;
    request.mode = mode;
    request.touching = touching;
    const std::string where = std::string(name(mode)) + ", ";
    if (withBruteForce) {
      const std::string problem =
          problemOf(bruteForce(first, second, request), mode, all, meshOfFirst, meshOfSecond);
      if (!problem.empty()) return where + "brute force: " + problem;
    }
    for (const HierarchyKind kind : {HierarchyKind::wide, HierarchyKind::scd}) {
      request.hierarchy = kind;
      const std::string problem = problemOfKind(first, second, request, all, context);
      if (!problem.empty()) return where + std::string(name(kind)) + ", " + problem;
    }
    request.hierarchy = HierarchyKind::wide;
    const PosedModel a{compactFirst, first.worldFromPart}, b{compactSecond, second.worldFromPart};
    std::string problem = problemOfKind(a, b, request, all, context);
    if (problem.empty()) problem = problemOfKind(first, b, request, all, context);
    if (problem.empty()) problem = problemOfKind(a, second, request, all, context);
    if (!problem.empty()) return where + "wide, compact layout, " + problem;
  }
  return {};
}

}  // namespace fitup::test
