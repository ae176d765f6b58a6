#include <fitup/query/penetration.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fitup/base/deadline.h>
#include <fitup/base/error.h>
#include <fitup/base/tuning-inl.h>
#include <fitup/query/detail/baked_solid.h>
#include <fitup/query/detail/core_search.h>
#include <fitup/query/detail/cut_graph.h>
#include <fitup/query/detail/depth_search.h>
#include <fitup/query/detail/overlap_regions.h>
#include <fitup/query/detail/triangle_borders.h>
#include <fitup/query/pair_frame.h>
#include <fitup/query/verdict.h>

namespace fitup {
namespace {

using detail::BodyPair;
using detail::BordersOfSide;
using detail::CutGraph;
using detail::CutSegment;
using detail::DepthGoal;
using detail::DepthResult;
using detail::DepthSearch;
using detail::OverlapRegions;
using detail::TriangleBorders;
using Clock = std::chrono::steady_clock;

double diagonalOf(const TriangleMesh& mesh) {
  return mesh.triangleCount() > 0 ? 2 * norm(mesh.bounds().halfExtent()) : 0;
}

/// One query, in the roles of the pair.
class Search {
 public:
  Search(const PosedSolid& first, const PosedSolid& second, const PenetrationRequest& request,
         QueryContext& context)
      : request_(request),
        context_(context),
        pair_(BodyPair::of(first, second)),
        ofA_(*pair_.b->solid, *pair_.a->solid, pair_.frame.placement.bFromA),
        ofB_(*pair_.a->solid, *pair_.b->solid, pair_.frame.placement.aFromB) {
    size_ = std::min(diagonalOf(first.solid->mesh()), diagonalOf(second.solid->mesh()));
    largest_ = std::max(diagonalOf(first.solid->mesh()), diagonalOf(second.solid->mesh()));
    deadline_ = deadlineOf(request.limits.timeBudget);
    report_.isLowerBound =
        !first.solid->watertightness().closed() || !second.solid->watertightness().closed();
  }

  PenetrationReport run() {
    if (const auto found = anyDeeper()) {
      // The search ended at the first point that is deep enough. No depth exceeds the size of the larger
      // body.
      PenetrationRegion region = regionOf(found->first, found->second, {}, false);
      region.errorBound = std::numeric_limits<double>::infinity();
      if (request_.regions) findRegions();
      // A limit may have ended the search for regions before it found anything.
      if (report_.regions.empty()) report_.regions.push_back(std::move(region));
    } else if (request_.enclosedCores && !stopped()) {
      findCore();
    }
    return finished();
  }

  PenetrationReport runForCore() {
    findCore();
    return finished();
  }

 private:
  PenetrationReport finished() {
    if (stopped()) report_.status = cancelled() ? ReportStatus::cancelled : ReportStatus::truncated;
    // A search that ended early has no bound of its own.
    for (PenetrationRegion& region : report_.regions)
      region.errorBound = std::min(region.errorBound, std::max(0.0, largest_ - region.depth));
    return std::move(report_);
  }

  /// Returns the search of a side. Side 0 searches the surface of A in B.
  DepthSearch& search(int side) { return side == 0 ? ofA_ : ofB_; }

  /// Returns the default accuracy: a fraction of `deeperThan`, or of the size if `deeperThan` is 0 or very
  /// small, so that the search ends.
  [[nodiscard]] double ownAccuracy() const {
    const double wanted = request_.deeperThan, least = 0x1p-17 * size_;
    return wanted > 0 ? std::max(wanted / 64, std::min(least, wanted / 8)) : least;
  }
  [[nodiscard]] std::size_t maxPieces(int side) const {
    if (request_.maxPieces) return *request_.maxPieces;
    return std::max<std::size_t>(500'000, 32 * pair_.body(side).solid->mesh().triangleCount());
  }
  [[nodiscard]] DepthGoal goalDeeperThan(double depth, int side) const {
    DepthGoal goal;
    goal.deeperThan = depth;
    // Cores take the other half.
    goal.accuracy = request_.accuracy ? *request_.accuracy * (request_.regions ? 0.5 : 1) : ownAccuracy();
    goal.relative = request_.accuracy ? 0 : 1.0 / 256;
    goal.maxPieces = maxPieces(side);
    goal.unknownIsInside = request_.unknownIsInside;
    return goal;
  }

  [[nodiscard]] bool cancelled() const { return request_.limits.cancel.stop_requested(); }
  [[nodiscard]] bool stopped() const { return cancelled() || (deadline_ && Clock::now() >= *deadline_); }
  [[nodiscard]] DepthSearch::Stop stop() {
    const QueryLimits& limits = request_.limits;
    if (!deadline_ && !limits.cancel.stop_possible() && !limits.onLook) return {};
    // A single distance may take milliseconds deep inside a large body.
    return [this] {
      if (++asked_ % 4 != 1) return false;
      if (request_.limits.onLook) request_.limits.onLook();
      return stopped();
    };
  }

  /// The intersection of the surfaces, in the order of the roles, so that regions do not depend on the order
  /// of the arguments.
  struct Cuts {
    BodyPair roles;
    IntersectionReport surfaces;
    CutGraph graph;
    TriangleBorders borders;

    Cuts(const BodyPair& pair, IntersectionReport report, CutGraph cuts)
        : roles(pair), surfaces(std::move(report)), graph(std::move(cuts)), borders(roles, graph) {}
    Cuts(const Cuts&) = delete;
    Cuts& operator=(const Cuts&) = delete;
  };
  /// Returns null if a limit ended the query.
  const Cuts* cuts() {
    if (cuts_) return &*cuts_;
    IntersectionRequest all;
    all.limits = request_.limits;
    all.limits.maxPairs.reset();
    if (deadline_)
      all.limits.timeBudget =
          std::max(std::chrono::nanoseconds{0}, std::chrono::nanoseconds(*deadline_ - Clock::now()));
    BodyPair roles = pair_;
    roles.frame.swapped = false;
    IntersectionReport surfaces = intersect(roles.a->posed(), roles.b->posed(), all, context_);
    if (surfaces.status != ReportStatus::complete) return nullptr;
    std::optional<CutGraph> graph = CutGraph::of(roles, surfaces, stop());
    return graph ? &cuts_.emplace(roles, std::move(surfaces), std::move(*graph)) : nullptr;
  }

  /// Returns a point that is deep enough, and its side. Most overlaps show within few pieces. Proving that
  /// there is no such point takes many pieces where surfaces run close to each other, and far fewer after the
  /// surfaces are cut where they meet.
  std::optional<std::pair<int, DepthResult>> anyDeeper() {
    std::array<bool, 2> settled{};
    std::array<std::size_t, 2> looked{};
    for (const bool cut : {false, true})
      for (int side : {0, 1}) {
        bool& done = settled[static_cast<std::size_t>(side)];
        std::size_t& pieces = looked[static_cast<std::size_t>(side)];
        if (done || stopped()) continue;
        DepthGoal goal = goalDeeperThan(request_.deeperThan, side);
        goal.anyDeeper = true;
        // Whether anything is deeper does not depend on the accuracy of depths.
        goal.accuracy = std::min(goal.accuracy, ownAccuracy());
        const Cuts* known = cut ? cuts() : nullptr;
        std::optional<BordersOfSide> border;
        if (known != nullptr) goal.border = &border.emplace(known->borders, side);
        goal.maxPieces -= std::min(goal.maxPieces, pieces);
        if (!cut) {
          goal.maxCutPieces = tuning::piecesBeforeCuts;
          goal.cutPiecesEach = tuning::overlayPieces;
        }
        DepthResult result = cut ? search(side).resume(goal, stop()) : search(side).overAll(goal, stop());
        pieces += result.pieces;
        report_.pieces += result.pieces;
        if (result.deepest) return std::pair(side, std::move(result));
        done = !result.limited;
        // A piece left open may be deeper.
        if (cut && result.limited) report_.status = ReportStatus::truncated;
      }
    return std::nullopt;
  }

  void findRegions() {
    const Cuts* known = cuts();
    if (known == nullptr) return;
    PointQuery inA(known->roles.a->solid->model()), inB(known->roles.b->solid->model());
    OverlapRegions regions(known->roles, known->graph, known->surfaces, {&inA, &inB}, stop());
    for (std::uint32_t r = 0; r < regions.count() && !stopped(); ++r) addRegion(regions, r, known->borders);
    double upper = addWhatIsDeeper(known->borders);
    if (report_.regions.empty()) return;
    if (!stopped()) upper = std::max(upper, deepen(regions, std::max(upper, largestBound())));
    std::stable_sort(
        report_.regions.begin(), report_.regions.end(),
        [](const PenetrationRegion& p, const PenetrationRegion& q) { return p.depth > q.depth; });
    // The pair is as deep as its deepest region, even if a limit left the depth of another region open.
    PenetrationRegion& deepest = report_.regions.front();
    deepest.errorBound = std::max(deepest.errorBound, std::max(upper, largestBound()) - deepest.depth);
  }

  /// Returns an upper bound on the depths of all regions; at least `deeperThan`.
  [[nodiscard]] double largestBound() const {
    double largest = request_.deeperThan;
    for (const PenetrationRegion& r : report_.regions) largest = std::max(largest, r.depth + r.errorBound);
    return largest;
  }

  void addRegion(OverlapRegions& regions, std::uint32_t r, const TriangleBorders& borders) {
    std::array<DepthResult, 2> results;
    double known = request_.deeperThan;
    for (int side : {0, 1}) {
      DepthGoal goal = goalDeeperThan(known, side);
      // Points are given in the target's frame, but regions are separated in A's frame.
      goal.counts = [&, side](const Vec3& p, TriangleId t) {
        if (regions.onlyOf(side, t, r)) return true;
        return regions.regionOf(side, t, side == 0 ? pair_.frame.placement.aFromB.apply(p) : p) == r;
      };
      BordersOfSide border(borders, side, [&](const CutSegment& s) { return regions.bounds(s, r); });
      goal.border = &border;
      DepthResult& result = results[static_cast<std::size_t>(side)];
      result = search(side).over(regions.triangles(r, side), goal, stop());
      report_.pieces += result.pieces;
      if (result.deepest) known = result.deepest->depth;
    }
    const int deeper = results[1].deepest ? 1 : 0;  // found only if deeper than the result of side 0
    if (!results[static_cast<std::size_t>(deeper)].deepest) return;
    PenetrationRegion region =
        regionOf(deeper, results[static_cast<std::size_t>(deeper)], regions.surfacePairs(r), true);
    region.errorBound = std::max(results[0].upper, results[1].upper) - region.depth;
    report_.regions.push_back(std::move(region));
    numbers_.push_back(r);
  }

  /// Touching triangles may hide points from the regions. This searches all of the surfaces once more, so
  /// that the depth of the pair does not depend on how regions are separated. Returns an upper bound on the
  /// depth of what a limit left open; 0 if nothing was left open.
  double addWhatIsDeeper(const TriangleBorders& borders) {
    double open = 0;
    for (int side : {0, 1}) {
      DepthGoal goal = goalDeeperThan(std::max(open, largestBound()), side);
      BordersOfSide border(borders, side);
      goal.border = &border;
      const DepthResult result = search(side).overAll(goal, stop());
      report_.pieces += result.pieces;
      if (result.deepest) {
        report_.regions.push_back(regionOf(side, result, {}, false));
        numbers_.emplace_back();
      } else if (result.limited)
        open = std::max(open, result.upper);
    }
    return open;
  }

  /// The accuracy with which cores deeper than a depth are found.
  [[nodiscard]] detail::CoreAccuracy coreAccuracy(double depth) const {
    if (request_.accuracy && *request_.accuracy > 0)
      return {0.125 * *request_.accuracy, 0.375 * *request_.accuracy};
    return {std::max(depth / 256, ownAccuracy()), depth / 128};
  }

  /// Looks for a core where no point of a surface is deep.
  void findCore() {
    const double surfaces =
        request_.deeperThan + std::min(request_.accuracy.value_or(ownAccuracy()), ownAccuracy());
    const detail::CoreAccuracy whether{std::max(surfaces / 32, ownAccuracy()), surfaces / 32};
    const detail::EnclosedCore core = coreAbove(surfaces, whether, request_.regions);
    if (core.found) report_.regions.push_back(regionOf(core));
    if (!core.found && core.limited) report_.status = ReportStatus::truncated;
  }

  /// Looks for a core that is deeper than the surfaces, of which `surfaces` is the largest bound. Its region
  /// gets its depth. Returns an upper bound on the depth of the pair.
  double deepen(OverlapRegions& regions, double surfaces) {
    const detail::EnclosedCore core = coreAbove(surfaces, coreAccuracy(surfaces), true);
    if (!core.found) return core.upper;
    PenetrationRegion deepest = regionOf(core);
    const auto number = numberOf(regions, core);
    auto at = std::find(numbers_.begin(), numbers_.end(), number);
    // Where that is not known, it is one more region.
    if (!number || at == numbers_.end()) {
      report_.regions.push_back(std::move(deepest));
      return core.upper;
    }
    PenetrationRegion& whole = report_.regions[static_cast<std::size_t>(at - numbers_.begin())];
    deepest.surfacePairs = std::move(whole.surfacePairs);
    deepest.contained = whole.contained;
    whole = std::move(deepest);
    return core.upper;
  }

  detail::EnclosedCore coreAbove(double surfaces, const detail::CoreAccuracy& accuracy, bool deepest) {
    std::function<detail::CoreAccuracy(double)> next;
    if (deepest) next = [this](double depth) { return coreAccuracy(depth); };
    detail::EnclosedCore core =
        detail::deepestCore(pair_, surfaces, request_.unknownIsInside, accuracy, next, stop());
    report_.pieces += core.pieces;
    return core;
  }

  /// The region whose surfaces are nearest to a point inside both bodies: no surface is in between.
  std::optional<std::uint32_t> numberOf(OverlapRegions& regions, const detail::EnclosedCore& core) const {
    const Vec3 inA = core.coreOf == 0 ? core.found->point
                                      : pair_.frame.placement.aFromB.apply(core.found->point),
               inB = core.coreOf == 1 ? core.found->point
                                      : pair_.frame.placement.bFromA.apply(core.found->point);
    PointQuery onA(pair_.a->solid->model()), onB(pair_.b->solid->model());
    const auto a = onA.closest(inA), b = onB.closest(inB);
    if (!a || !b) return std::nullopt;
    const int side = a->distance <= b->distance ? 0 : 1;
    return regions.regionOf(side, side == 0 ? a->triangle : b->triangle,
                            side == 0 ? a->point : pair_.frame.placement.aFromB.apply(b->point));
  }

  PenetrationRegion regionOf(const detail::EnclosedCore& core) const {
    const PosedSolid &body = pair_.body(core.coreOf), &around = pair_.body(1 - core.coreOf);
    PenetrationRegion region;
    region.depth = core.found->depth;
    region.errorBound = std::max(0.0, core.upper - region.depth);
    region.point = body.inWorld(core.found->point);
    region.direction = normalized(body.worldFromPart.applyToVector(core.found->nearest - core.found->point));
    region.pointOfFirst = (core.coreOf == 1) != pair_.frame.swapped;
    region.coincident = true;
    PointQuery onBody(body.solid->outer()), onAround(around.solid->outer());
    const Transform& place = core.coreOf == 0 ? pair_.frame.placement.bFromA : pair_.frame.placement.aFromB;
    const auto of = onBody.closest(core.found->point), by = onAround.closest(place.apply(core.found->point));
    region.deepest = {by ? around.solid->outer().mesh().surfaceOf(by->triangle) : SurfaceId{},
                      of ? body.solid->outer().mesh().surfaceOf(of->triangle) : SurfaceId{}};
    if (!region.pointOfFirst) std::swap(region.deepest.a, region.deepest.b);
    return region;
  }

  /// `bordersKnown` means that a region without surface pairs is a contained component.
  PenetrationRegion regionOf(int side, const DepthResult& result, std::vector<SurfacePair> surfaces,
                             bool bordersKnown) const {
    const detail::DeepPoint& deep = *result.deepest;
    const PosedSolid &source = pair_.body(side), &target = pair_.body(1 - side);
    PenetrationRegion region;
    region.depth = deep.depth;
    region.errorBound = std::max(0.0, result.upper - deep.depth);
    region.point = target.inWorld(deep.point);
    const Vec3 out = target.worldFromPart.applyToVector(deep.nearest - deep.point);
    region.direction = norm(out) > 0 ? normalized(out) : Vec3{0, 0, 1};
    region.pointOfFirst = (side == 0) != pair_.frame.swapped;
    region.contained = bordersKnown && surfaces.empty();
    SurfacePair deepest{source.solid->mesh().surfaceOf(deep.source),
                        target.solid->outer().mesh().surfaceOf(deep.target)};
    if (!region.pointOfFirst) std::swap(deepest.a, deepest.b);
    region.deepest = deepest;
    if (pair_.frame.swapped) {
      for (SurfacePair& p : surfaces) std::swap(p.a, p.b);
      std::sort(surfaces.begin(), surfaces.end());
    }
    region.surfacePairs = std::move(surfaces);
    return region;
  }

  const PenetrationRequest& request_;
  QueryContext& context_;
  BodyPair pair_;
  DepthSearch ofA_, ofB_;
  double size_ = 0;  ///< the smaller diagonal
  double largest_ = 0;
  std::optional<Clock::time_point> deadline_;
  std::optional<Cuts> cuts_;
  /// Numbers of the regions of the report, where they are known.
  std::vector<std::optional<std::uint32_t>> numbers_;
  unsigned asked_ = 0;
  PenetrationReport report_;
};

template <class Run>
PenetrationReport searched(const PosedSolid& first, const PosedSolid& second,
                           const PenetrationRequest& request, QueryContext& context, const Run& run) {
  requireSolids(first, second);
  if (!(request.deeperThan >= 0) || (request.accuracy && !(*request.accuracy >= 0)))
    throw InputError("penetration", "request", "a length is negative or not a number");
  if (!detail::needsBakedSolids(first, second)) {
    Search search(first, second, request, context);
    return run(search);
  }
  (void)PairFrame::of(first.posed(), second.posed());  // copies would hide an unusable placement
  const PosedSolid a{detail::bakedSolid(first), {}}, b{detail::bakedSolid(second), {}};
  Search search(a, b, request, context);
  PenetrationReport report = run(search);
  const double rounding = coordinateRounding(a.solid->mesh(), {}) + coordinateRounding(b.solid->mesh(), {});
  for (PenetrationRegion& region : report.regions) region.errorBound += rounding;
  return report;
}

}  // namespace

PenetrationReport penetration(const PosedSolid& first, const PosedSolid& second,
                              const PenetrationRequest& request, QueryContext& context) {
  return searched(first, second, request, context, [](Search& search) { return search.run(); });
}

PenetrationReport enclosedCore(const PosedSolid& first, const PosedSolid& second,
                               const PenetrationRequest& request, QueryContext& context) {
  return searched(first, second, request, context, [](Search& search) { return search.runForCore(); });
}

PenetrationReport penetration(const PosedSolid& first, const PosedSolid& second,
                              const PenetrationRequest& request) {
  QueryContext context;
  return penetration(first, second, request, context);
}

}  // namespace fitup
