#include <fitup/query/nearness.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <fitup/geometry/distance_triangle_triangle.h>
#include <fitup/hierarchy/tree_queries.h>
#include <fitup/query/detail/collect.h>
#include <fitup/query/detail/stretch.h>
#include <fitup/query/distance.h>
#include <fitup/query/verdict.h>

namespace fitup {
namespace {

/// One of the two parts.
struct NearSide {
  PlacedTree tree;
  ChordErrors& errors;
  double stretch, largest;
  std::vector<bool> isNear;

  NearSide(const PosedModel& posed, ChordErrors& chordErrors)
      : tree(PlacedTree::inWorld(posed.model, posed.worldFromPart)),
        errors(chordErrors),
        stretch(detail::stretchOf(posed.worldFromPart)),
        largest(largestChordError(posed)),
        isNear(posed.model->mesh().triangleCount(), false) {}
  [[nodiscard]] double error(TriangleId id) { return stretch * errors.of(id); }
  [[nodiscard]] std::vector<TriangleId> near() const {
    std::vector<TriangleId> ids;
    for (std::uint32_t i = 0; i < isNear.size(); ++i)
      if (isNear[i]) ids.push_back(TriangleId{i});
    return ids;
  }
  [[nodiscard]] double worstNear() {
    double worst = 0;
    for (const TriangleId id : near()) worst = std::max(worst, error(id));
    return worst;
  }
};

Box boxOf(const Triangle& t) {
  Box box;
  for (const Vec3& v : t.v) box.extend(v);
  return box;
}

bool isFarther(const Box& a, const Box& b, double reach) {
  for (int k = 0; k < 3; ++k)
    if (a.min[k] - b.max[k] > reach || b.min[k] - a.max[k] > reach) return true;
  return false;
}

class NearPairs final : public PairVisitor {
 public:
  NearPairs(NearSide& a, NearSide& b, double within, StopCheck& stop)
      : a_(a), b_(b), within_(within), stop_(stop) {
    // Distances of slivers are off by up to 2^-34 of their length.
    for (const NearSide* side : {&a, &b})
      rounding_ += 0x1p-32 * norm(side->tree.model().mesh().bounds().halfExtent()) * side->stretch;
    limit =
        std::nextafter(within + a.largest + b.largest + rounding_, std::numeric_limits<double>::infinity());
  }
  double bound(const NodeBox& a, const NodeBox& b) override {
    if (stop_.stop()) limit = -std::numeric_limits<double>::infinity();
    return minimumDistance(a, b);
  }
  void visit(std::span<const TriangleId> ofA, std::span<const TriangleId> ofB) override {
    std::array<Triangle, 8> corners;
    std::array<Box, 8> boxes;
    for (std::size_t j = 0; j < ofB.size(); ++j) {
      corners[j] = b_.tree.triangle(ofB[j]);
      boxes[j] = boxOf(corners[j]);
    }
    for (const TriangleId i : ofA) {
      const Triangle t = a_.tree.triangle(i);
      const Box box = boxOf(t);
      const double errorA = a_.error(i);
      for (std::size_t j = 0; j < ofB.size() && !stop_.stop(); ++j) {
        if (a_.isNear[index(i)] && b_.isNear[index(ofB[j])]) continue;
        const double both = errorA + b_.error(ofB[j]), reach = within_ + both + rounding_;
        if (both == 0 || isFarther(box, boxes[j], reach)) continue;
        if (distanceTriangleTriangle(t, corners[j]).distance <= reach)
          a_.isNear[index(i)] = b_.isNear[index(ofB[j])] = true;
      }
    }
  }

 private:
  NearSide &a_, &b_;
  double within_, rounding_ = 0;
  StopCheck& stop_;
};

}  // namespace

double chordErrorInWorld(const PosedModel& posed, SurfaceId surface) {
  return posed.model->mesh().chordErrorOf(surface).value_or(0) * detail::stretchOf(posed.worldFromPart);
}

double largestChordError(const PosedModel& posed) {
  double largest = 0;
  for (std::uint32_t i = 0; i < posed.model->mesh().surfaces().size(); ++i)
    largest = std::max(largest, chordErrorInWorld(posed, SurfaceId(i)));
  return largest;
}

NearSurfaces nearSurfaces(const PosedModel& first, const PosedModel& second, double within,
                          const QueryLimits& limits, QueryContext& context, ReportStatus& status) {
  DistanceRequest request;
  request.limits = limits;
  request.limits.maxPairs.reset();
  const double reach = within + largestChordError(first) + largestChordError(second);
  const SurfaceDistanceReport found = surfacePairsWithin(first, second, reach, request, context);
  status = std::max(status, found.status);
  std::set<SurfaceId> a, b;
  NearSurfaces near;
  for (const NearestPair& pair : found.pairs) {
    const double errorA = chordErrorInWorld(first, pair.surfaces.a),
                 errorB = chordErrorInWorld(second, pair.surfaces.b);
    if (pair.distance > within + errorA + errorB) continue;
    a.insert(pair.surfaces.a);
    b.insert(pair.surfaces.b);
    near.errorA = std::max(near.errorA, errorA);
    near.errorB = std::max(near.errorB, errorB);
  }
  near.a.assign(a.begin(), a.end());
  near.b.assign(b.begin(), b.end());
  return near;
}

NearTriangles nearTriangles(const PosedModel& first, const PosedModel& second, double within,
                            const QueryLimits& limits, ChordErrors& errorsOfFirst,
                            ChordErrors& errorsOfSecond, ReportStatus& status) {
  NearSide a(first, errorsOfFirst), b(second, errorsOfSecond);
  NearTriangles found;
  if (a.isNear.empty() || b.isNear.empty()) return found;
  StopCheck stop = detail::stopCheckOf(limits);
  NearPairs pairs(a, b, within, stop);
  visitPairs(a.tree, b.tree, pairs);
  if (stop.reason() != StopCheck::Reason::none) status = std::max(status, detail::statusOf(stop.reason()));
  found.a = a.near();
  found.b = b.near();
  found.errorA = a.worstNear();
  found.errorB = b.worstNear();
  return found;
}

double toleranceOfFaces(const PosedSolid& first, const PosedSolid& second, const QueryLimits& limits,
                        QueryContext& context) {
  const double most = defaultTolerance(first, second);
  ReportStatus status{};
  const NearSurfaces near =
      nearSurfaces(first.posedPart(), second.posedPart(), most, limits, context, status);
  if (status != ReportStatus::complete) return most;
  double size = 0;
  for (const PosedSolid* posed : {&first, &second})
    size = std::max(
        size, 2 * norm(posed->solid->mesh().bounds().halfExtent()) * detail::stretchOf(posed->worldFromPart));
  constexpr double leastShareOfSize = 0x1p-16;
  const double least = std::max(leastShareOfSize * size, minimumTolerance(first, second));
  return std::min(most, std::max(2 * std::max(near.errorA, near.errorB), least));
}

}  // namespace fitup
