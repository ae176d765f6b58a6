#include <fitup/query/detail/collect.h>

#include <algorithm>

#include <fitup/base/deadline.h>
#include <fitup/hierarchy/traversal.h>

namespace fitup::detail {
namespace {

/// Handles a part queried with itself at the same place. The answer must be its own mirror image, so that
/// exchanging the arguments exchanges the report. The roles cannot be distinguished, so witnesses are chosen
/// symmetrically: a surface meets itself in its first triangle, and (s, t) has the reversed witness of (t,
/// s).
void makeSymmetric(const TriangleMesh& mesh, QueryMode mode, std::vector<TrianglePair>& found) {
  if (mode == QueryMode::allTrianglePairs || found.empty()) return;
  if (mode == QueryMode::firstSurfacePair) {
    found = {{TriangleId{0}, TriangleId{0}}};
    return;
  }
  std::vector<TrianglePair> symmetric;
  for (const TrianglePair& p : found) {
    const SurfaceId a = mesh.surfaceOf(p.a), b = mesh.surfaceOf(p.b);
    if (a == b) {
      const TriangleId own{mesh.surfaces()[index(a)].firstTriangle};
      symmetric.push_back({own, own});
    } else if (a < b) {
      symmetric.push_back(p);
      symmetric.push_back({p.b, p.a});
    }
  }
  found = std::move(symmetric);
}

/// The triangles of a surface; none by default.
struct TriangleRange {
  std::uint32_t first = 0, count = 0;
  static TriangleRange of(const Surface& s) noexcept { return {s.firstTriangle, s.triangleCount}; }
  [[nodiscard]] bool contains(TriangleId id) const noexcept {
    return index(id) - first < count;  // unsigned: an id before the first wraps to beyond any count
  }
};

/// Sorts and fills both lists of the report, which are empty before. `found` is in the order of the
/// arguments.
void fill(IntersectionReport& report, const TriangleMesh& first, const TriangleMesh& second, QueryMode mode,
          AnswerScratch& scratch) {
  std::vector<TrianglePair>& found = scratch.found;
  std::vector<SurfacePair>& surfaces = scratch.surfacesOfFound;
  if (found.empty()) return;
  const auto surfacesOf = [&](const TrianglePair& p) {
    return SurfacePair{first.surfaceOf(p.a), second.surfaceOf(p.b)};
  };
  if (mode == QueryMode::allTrianglePairs) {
    scratch.sorter.sort(found, first.triangleCount(), second.triangleCount(), report.trianglePairs);
    report.surfacePairs.reserve(16);
    const bool onePair = first.surfaces().size() == 1 && second.surfaces().size() == 1;
    TriangleRange lastA, lastB;
    for (const TrianglePair& p : report.trianglePairs) {
      // Neighbours tend to belong to the same surfaces.
      if (lastA.contains(p.a) && lastB.contains(p.b)) continue;
      const SurfacePair s = surfacesOf(p);
      report.surfacePairs.push_back(s);
      if (onePair) break;  // there is only one pair
      lastA = TriangleRange::of(first.surfaces()[index(s.a)]);
      lastB = TriangleRange::of(second.surfaces()[index(s.b)]);
    }
    std::sort(report.surfacePairs.begin(), report.surfacePairs.end());
    report.surfacePairs.erase(std::unique(report.surfacePairs.begin(), report.surfacePairs.end()),
                              report.surfacePairs.end());
  } else {
    // One triangle pair for each pair of surfaces.
    if (surfaces.empty())
      for (const TrianglePair& p : found) surfaces.push_back(surfacesOf(p));
    scratch.sorter.sort(surfaces, found, report.surfacePairs, report.trianglePairs);
  }
}

}  // namespace

ReportStatus statusOf(StopCheck::Reason reason) {
  switch (reason) {
    case StopCheck::Reason::none:
      break;
    case StopCheck::Reason::limit:
      return ReportStatus::truncated;
    case StopCheck::Reason::cancelled:
      return ReportStatus::cancelled;
  }
  return ReportStatus::complete;
}

StopCheck stopCheckOf(const QueryLimits& limits) { return {deadlineOf(limits.timeBudget), limits.cancel}; }

void answerPair(const PairRoles& roles, const PosedModel& first, const PosedModel& second,
                const IntersectionRequest& request, AnswerScratch& scratch, const Traverse& traverse,
                IntersectionReport& report) {
  StopCheck stop = stopCheckOf(request.limits);
  const PairFrame frame = frameOf(first, second, roles);
  const CollisionModel& a = *(frame.swapped ? second : first).model;
  const CollisionModel& b = *(frame.swapped ? first : second).model;

  report.reset(request.mode);
  std::vector<TrianglePair>& found = scratch.found;
  std::vector<SurfacePair>& surfacesOfFound = scratch.surfacesOfFound;
  found.clear();
  surfacesOfFound.clear();
  const TraversalTask task{
      .a = a.mesh(),
      .b = b.mesh(),
      .placement = frame.placement,
      .mode = request.mode,
      .touching = request.touching,
      .overlapBox = request.overlapBox,
      .vectorUse = request.vectorUse,
      .coherence = request.coherence,
      .maxPairs = request.limits.maxPairs.value_or(std::numeric_limits<std::size_t>::max()),
      .threads = request.threads,
      .stop = stop,
      .stats = report.stats,
      .found = found,
      .surfacesOfFound = &surfacesOfFound};
  if (!a.mesh().bounds().empty() && !b.mesh().bounds().empty()) traverse(task, a, b);
  report.status = statusOf(stop.reason());

  if (a.mesh().contentHash() == b.mesh().contentHash() && first.worldFromPart == second.worldFromPart &&
      report.status == ReportStatus::complete) {
    makeSymmetric(a.mesh(), request.mode, found);
    surfacesOfFound.clear();
  }
  if (frame.swapped) {
    for (TrianglePair& p : found) p = {p.b, p.a};
    for (SurfacePair& p : surfacesOfFound) p = {p.b, p.a};
  }
  fill(report, first.model->mesh(), second.model->mesh(), request.mode, scratch);
}

}  // namespace fitup::detail
