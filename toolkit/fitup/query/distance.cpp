#include <fitup/query/distance.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <fitup/base/error.h>
#include <fitup/base/tuning-inl.h>
#include <fitup/query/detail/collect.h>
#include <fitup/query/detail/query_scratch.h>
#include <fitup/query/pair_frame.h>
#include <fitup/query/sort_and_sweep.h>
#include <fitup/query/triangle_sweep.h>

namespace fitup {
namespace {

/// A query as the traversal sees it.
struct Question {
  double atMost = std::numeric_limits<double>::infinity();
  bool any = false, bySurface = false;
  std::optional<SurfacePair> only;  ///< surfaces of the first and the second model
};

struct Answer {
  std::vector<NearestPair> pairs;
  ReportStatus status = ReportStatus::complete;
  DistanceStats stats;
};

void requireLength(const char* what, double length) {
  if (!(length >= 0)) throw InputError("distance", what, std::to_string(length) + " is not a valid length");
}

Question questionOf(const DistanceRequest& request) {
  Question question;
  if (request.ignoreBeyond) {
    requireLength("ignoreBeyond", *request.ignoreBeyond);
    question.atMost = *request.ignoreBeyond;
  }
  if (request.within) {
    requireLength("within", *request.within);
    question.atMost = std::min(question.atMost, *request.within);
    question.any = true;
  }
  return question;
}

bool isSame(const PosedModel& first, const PosedModel& second) {
  return first.worldFromPart == second.worldFromPart &&
         first.model->mesh().contentHash() == second.model->mesh().contentHash();
}

/// A part at its own place: every surface meets itself in its first triangle.
NearestPair ownPair(const PosedModel& posed, TriangleId triangle) {
  const TriangleMesh& mesh = posed.model->mesh();
  const Vec3 point = posed.worldFromPart.apply(mesh.pointInPart(mesh.triangles()[index(triangle)][0]));
  const SurfaceId surface = mesh.surfaceOf(triangle);
  return {{surface, surface}, {triangle, triangle}, 0, point, point};
}

/// Finds the nearest triangles for a task whose roles are known.
template <typename Search>
Answer answer(const PosedModel& first, const PosedModel& second, const DistanceRequest& request,
              const Question& question, std::vector<WideNearest>& found, Search&& search) {
  if (request.hierarchy != HierarchyKind::wide)
    throw NotBuiltError("the hierarchy '" + std::string(name(request.hierarchy)) +
                        "' cannot measure distances; 'wide' can");
  StopCheck stop = detail::stopCheckOf(request.limits);
  const PairFrame frame = PairFrame::of(first, second);
  const PosedModel &a = frame.swapped ? second : first, &b = frame.swapped ? first : second;
  const WorldMetric lengths = WorldMetric::of(a.worldFromPart, a.model->mesh().origin());
  Answer result;
  WideDistanceTask task{.a = a.model->mesh(),
                        .b = b.model->mesh(),
                        .placement = frame.placement,
                        .lengths = lengths,
                        .atMost = question.atMost,
                        .any = question.any,
                        .bySurface = question.bySurface,
                        .maxPairs = request.limits.maxPairs.value_or(std::numeric_limits<std::size_t>::max()),
                        .only = question.only,
                        .vectorUse = request.vectorUse,
                        .coherence = request.coherence,
                        .stop = stop,
                        .stats = result.stats,
                        .found = found};
  if (frame.swapped && task.only) task.only = SurfacePair{question.only->b, question.only->a};
  found.clear();
  if (!a.model->mesh().bounds().empty() && !b.model->mesh().bounds().empty())
    search(task, *a.model, *b.model);
  result.status = detail::statusOf(stop.reason());
  for (const WideNearest& n : found) {
    const NearestPair pair{
        {a.model->mesh().surfaceOf(n.triangles.a), b.model->mesh().surfaceOf(n.triangles.b)},
        n.triangles,
        n.points.distance,
        lengths.toWorld(n.points.onA),
        lengths.toWorld(n.points.onB)};
    result.pairs.push_back(frame.swapped ? pair.swapped() : pair);
  }
  return result;
}

void sortBySurfaces(std::vector<NearestPair>& pairs) {
  std::sort(pairs.begin(), pairs.end(),
            [](const NearestPair& p, const NearestPair& q) { return p.surfaces < q.surfaces; });
}

/// Makes the answer of a part at its own place its own mirror image, because its roles cannot be
/// distinguished (see `answerPair`).
void makeSymmetric(const PosedModel& posed, std::vector<NearestPair>& pairs) {
  std::vector<NearestPair> symmetric;
  for (const NearestPair& p : pairs) {
    if (p.surfaces.a == p.surfaces.b) {
      symmetric.push_back(
          ownPair(posed, TriangleId{posed.model->mesh().surfaces()[index(p.surfaces.a)].firstTriangle}));
    } else if (p.surfaces.a < p.surfaces.b) {
      symmetric.push_back(p);
      symmetric.push_back(p.swapped());
    }
  }
  pairs = std::move(symmetric);
}

template <typename Search>
DistanceReport minimumDistance(const PosedModel& first, const PosedModel& second,
                               const DistanceRequest& request, const Question& question,
                               std::vector<WideNearest>& found, Search&& search) {
  Answer all = answer(first, second, request, question, found, search);
  DistanceReport report{std::nullopt, all.status, all.stats};
  if (all.pairs.empty()) return report;
  report.nearest = all.pairs.front();
  if (!question.only && isSame(first, second) && report.status == ReportStatus::complete)
    report.nearest = ownPair(first, TriangleId{0});
  return report;
}

template <typename Search>
SurfaceDistanceReport surfacesWithin(const PosedModel& first, const PosedModel& second, double clearance,
                                     const DistanceRequest& request, std::vector<WideNearest>& found,
                                     Search&& search) {
  requireLength("clearance", clearance);
  const Question question{.atMost = clearance, .any = false, .bySurface = true, .only = {}};
  Answer all = answer(first, second, request, question, found, search);
  if (isSame(first, second) && all.status == ReportStatus::complete) makeSymmetric(first, all.pairs);
  sortBySurfaces(all.pairs);
  return {std::move(all.pairs), all.status, all.stats};
}

auto wideSearch(QueryContext& context) {
  return [&context](const WideDistanceTask& task, const CollisionModel& a, const CollisionModel& b) {
    nearestWide(task, a.wide(), b.wide(), context.scratch().distance);
  };
}

void searchAll(const WideDistanceTask& task, const CollisionModel&, const CollisionModel&) {
  std::map<SurfacePair, std::size_t> at;
  for (std::uint32_t j = 0; j < task.b.triangleCount(); ++j) {
    const TriangleId inB{j};
    const Triangle placed = task.placement.placed(task.b.triangle(inB));
    for (std::uint32_t i = 0; i < task.a.triangleCount(); ++i) {
      if (task.stop.stop()) return;
      const TriangleId inA{i};
      const SurfacePair surfaces{task.a.surfaceOf(inA), task.b.surfaceOf(inB)};
      if (task.only && *task.only != surfaces) continue;
      ++task.stats.triangleDistances;
      const ClosestPoints points = task.lengths.distance(task.a.triangle(inA), placed);
      if (!(points.distance <= task.atMost)) continue;
      const auto [place, fresh] =
          at.try_emplace(task.bySurface ? surfaces : SurfacePair{}, task.found.size());
      if (fresh && task.found.size() >= task.maxPairs) return task.stop.stopForLimit();
      if (fresh)
        task.found.push_back({{inA, inB}, points});
      else if (points.distance < task.found[place->second].points.distance)
        task.found[place->second] = {{inA, inB}, points};
      if (task.any) return;
    }
  }
}

/// Returns an upper bound on the least distance, from pairs spread over both meshes.
double anyDistance(const WideDistanceTask& task) {
  double least = std::numeric_limits<double>::infinity();
  const std::size_t stepA = task.a.triangleCount() / tuning::sampledForDistance + 1,
                    stepB = task.b.triangleCount() / tuning::sampledForDistance + 1;
  for (std::size_t j = 0; j < task.b.triangleCount(); j += stepB) {
    const Triangle placed = task.placement.placed(task.b.triangle(TriangleId(j)));
    for (std::size_t i = 0; i < task.a.triangleCount(); i += stepA)
      least = std::min(least, task.lengths.distance(task.a.triangle(TriangleId(i)), placed).distance);
  }
  return least;
}

/// Boxes that are farther apart than `reach` along an axis of A's local frame belong to triangles that are
/// farther apart than the bound: a length there is at least `factor` times as long in the world. 2^-30 of the
/// bound and the coordinates is far above the rounding of a distance.
void searchBySweep(const WideDistanceTask& task, const CollisionModel&, const CollisionModel&) {
  const TriangleSweep sweep(task.a, task.b, task.placement);
  double largest = 0;
  for (const auto& e : sweep.entries())
    for (int k = 0; k < 3; ++k) largest = std::max({largest, std::abs(e.low[k]), std::abs(e.high[k])});
  const auto reachOf = [&](double bound) {
    return bound / task.lengths.factor * (1 + 0x1p-30) + 0x1p-30 * largest;
  };
  double bound = task.bySurface ? task.atMost : std::min(task.atMost, anyDistance(task) * (1 + 0x1p-30));
  double reach = reachOf(bound);
  std::map<SurfacePair, std::size_t> at;
  sweep.visit(
      reach,
      [&](const TriangleSweep::Entry& inA, const TriangleSweep::Entry& inB) {
        if (task.stop.stop()) return false;
        ++task.stats.triangleDistances;
        const ClosestPoints points = task.lengths.distance(inA.corners, inB.corners);
        if (!(points.distance <= task.atMost)) return true;
        const SurfacePair surfaces{task.a.surfaceOf(inA.id), task.b.surfaceOf(inB.id)};
        const auto [place, fresh] =
            at.try_emplace(task.bySurface ? surfaces : SurfacePair{}, task.found.size());
        if (fresh && task.found.size() >= task.maxPairs) {
          task.stop.stopForLimit();
          return false;
        }
        if (fresh)
          task.found.push_back({{inA.id, inB.id}, points});
        else if (points.distance < task.found[place->second].points.distance)
          task.found[place->second] = {{inA.id, inB.id}, points};
        if (!task.bySurface && points.distance < bound) {
          bound = points.distance;
          reach = reachOf(bound);
        }
        return !task.any;
      },
      [&] { return !task.stop.stop(); });
}

}  // namespace

DistanceReport DistanceReport::swapped() const {
  DistanceReport report = *this;
  if (nearest) report.nearest = nearest->swapped();
  return report;
}

SurfaceDistanceReport SurfaceDistanceReport::swapped() const {
  SurfaceDistanceReport report = *this;
  for (NearestPair& p : report.pairs) p = p.swapped();
  sortBySurfaces(report.pairs);
  return report;
}

DistanceReport distance(const PosedModel& first, const PosedModel& second, const DistanceRequest& request,
                        QueryContext& context) {
  requireModels(first, second);
  return minimumDistance(first, second, request, questionOf(request), context.scratch().nearest,
                         wideSearch(context));
}

DistanceReport distance(const PosedModel& first, const PosedModel& second, const DistanceRequest& request) {
  QueryContext context;
  return distance(first, second, request, context);
}

DistanceReport distance(const PosedModel& first, const PosedModel& second, SurfacePair surfaces,
                        const DistanceRequest& request, QueryContext& context) {
  requireModels(first, second);
  const auto require = [](const TriangleMesh& mesh, SurfaceId surface) {
    if (index(surface) >= mesh.surfaces().size())
      throw InputError("part '" + mesh.name() + "'", "surface " + std::to_string(index(surface)),
                       "does not exist; there are " + std::to_string(mesh.surfaces().size()));
  };
  require(first.model->mesh(), surfaces.a);
  require(second.model->mesh(), surfaces.b);
  // If a part is at its own place, (s, t) is the mirror image of (t, s).
  if (surfaces.b < surfaces.a && isSame(first, second))
    return distance(first, second, SurfacePair{surfaces.b, surfaces.a}, request, context).swapped();
  Question question = questionOf(request);
  question.only = surfaces;
  DistanceReport report =
      minimumDistance(first, second, request, question, context.scratch().nearest, wideSearch(context));
  if (report.nearest && surfaces.a == surfaces.b && isSame(first, second))
    report.nearest =
        ownPair(first, TriangleId{first.model->mesh().surfaces()[index(surfaces.a)].firstTriangle});
  return report;
}

SurfaceDistanceReport surfacePairsWithin(const PosedModel& first, const PosedModel& second, double clearance,
                                         const DistanceRequest& request, QueryContext& context) {
  return surfacesWithin(first, second, clearance, request, context.scratch().nearest, wideSearch(context));
}

DistanceReport bruteForceDistance(const PosedModel& first, const PosedModel& second,
                                  const DistanceRequest& request) {
  std::vector<WideNearest> found;
  return minimumDistance(first, second, request, questionOf(request), found, searchAll);
}

SurfaceDistanceReport bruteForceSurfacePairsWithin(const PosedModel& first, const PosedModel& second,
                                                   double clearance, const DistanceRequest& request) {
  std::vector<WideNearest> found;
  return surfacesWithin(first, second, clearance, request, found, searchAll);
}

DistanceReport sweepDistance(const PosedModel& first, const PosedModel& second,
                             const DistanceRequest& request) {
  std::vector<WideNearest> found;
  return minimumDistance(first, second, request, questionOf(request), found, searchBySweep);
}

SurfaceDistanceReport sweepSurfacePairsWithin(const PosedModel& first, const PosedModel& second,
                                              double clearance, const DistanceRequest& request) {
  std::vector<WideNearest> found;
  return surfacesWithin(first, second, clearance, request, found, searchBySweep);
}

}  // namespace fitup
