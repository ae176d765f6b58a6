#include <fitup/query/detail/depth_search.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/hierarchy/tree_queries.h>
#include <fitup/query/detail/triangles_inside.h>

namespace fitup::detail {
namespace {

double largest(const std::array<double, 3>& values) { return std::max({values[0], values[1], values[2]}); }

/// Returns the least value, over all weights w in [0, 1], of the maximum of w f + (1 - w) g. It is where two
/// of the three lines meet, or at an end.
double leastOfMixtures(const std::array<double, 3>& f, const std::array<double, 3>& g) {
  double least = std::min(largest(f), largest(g));
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const double slope = (f[i] - g[i]) - (f[j] - g[j]);
    const double w = (g[j] - g[i]) / slope;
    if (!(w > 0 && w < 1)) continue;
    double most = 0;
    for (std::size_t k = 0; k < 3; ++k) most = std::max(most, w * f[k] + (1 - w) * g[k]);
    least = std::min(least, most);
  }
  return least;
}

}  // namespace

DepthSearch::DepthSearch(const SolidModel& target, const SolidModel& source,
                         const Transform& targetFromSource)
    : targetBody_(&target),
      source_(&source),
      targetFromSource_(targetFromSource),
      query_(target.model()),
      onOuter_(target.outer()),
      patches_(&target.patches()) {
  if (&source.outer() != &source.model()) {
    sourceOuter_.emplace(source.outer());
    sourceFromTarget_ = targetFromSource.inverse();
  }
  rounding_ = 0x1p-43 * (farthestFromOrigin(target.mesh()) + farthestFromOrigin(source.mesh()) +
                         norm(targetFromSource.t));
}

Triangle DepthSearch::placed(TriangleId id) const noexcept {
  const Triangle t = source_->mesh().triangle(id);
  return {
      {targetFromSource_.apply(t.v[0]), targetFromSource_.apply(t.v[1]), targetFromSource_.apply(t.v[2])}};
}

/// Returns the depth that a piece must be able to exceed to be worth examining.
double DepthSearch::floor() const noexcept {
  if (!result_.deepest) return goal_->deeperThan + goal_->accuracy;
  const double best = result_.deepest->depth;
  return best + std::max(goal_->accuracy, goal_->relative * best);
}

DepthSearch::Corner DepthSearch::cornerAt(const Vec3& p, TriangleId hint) {
  const auto found = onOuter_.closest(p, std::numeric_limits<double>::infinity(), hint);
  return {p, found->triangle, found->distance};
}

/// Returns false if the point would be the deepest one but is not inside.
bool DepthSearch::offer(const Corner& corner, bool knownInside, const Piece& piece) {
  if (corner.distance <= goal_->deeperThan || (result_.deepest && corner.distance <= result_.deepest->depth))
    return true;
  // Inside an open target, winding numbers change from point to point.
  const bool isKnown = knownInside && targetBody_->watertightness().boundary().empty();
  if (!isKnown && !isInside(corner.p)) return false;
  if (!isOnSource(corner.p, 0)) return true;
  if (goal_->counts && !piece.whole && !goal_->counts(corner.p, piece.source)) return true;
  const Triangle t = onOuter_.mesh().triangle(corner.nearest);
  result_.deepest = DeepPoint{corner.p, distancePointTriangle(corner.p, t).onB, corner.distance, piece.source,
                              corner.nearest};
  return true;
}

bool DepthSearch::isInside(const Vec3& p) {
  const PointSide side = query_.side(p, targetBody_->watertightness());
  return side == PointSide::inside || (side == PointSide::unknown && goal_->unknownIsInside);
}

bool DepthSearch::isOnSource(const Vec3& p, double radius) {
  // Where triangles were cut, corners were rounded to storage.
  const double rounding = 0x1p-20 * farthestFromOrigin(source_->mesh());
  return !sourceOuter_ || sourceOuter_->closest(sourceFromTarget_.apply(p), radius + rounding).has_value();
}

DepthSearch::CornerDistances DepthSearch::distancesFrom(TriangleId triangle,
                                                        const Piece& piece) const noexcept {
  const Triangle t = onOuter_.mesh().triangle(triangle);
  CornerDistances distances;
  for (std::size_t k = 0; k < 3; ++k) {
    const Corner& c = piece.corner[k];
    distances[k] = c.nearest == triangle ? c.distance : distancePointTriangle(c.p, t).distance;
  }
  return distances;
}

/// Returns true if the piece, shrunk from its border by half of the useful depth, does not meet the target's
/// surface. If its middle is outside, all of it is then outside, and a point of the original piece lies at
/// most as far inside as the piece was shrunk.
bool DepthSearch::staysOutside(const Piece& piece, const Vec3& middle) {
  const double in = 0.5 * floor() - rounding_;
  if (!(in > 0)) return false;
  Triangle drawn;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 way = middle - piece.corner[k].p;
    const double length = norm(way);
    if (!(length > in)) return false;
    drawn.v[k] = piece.corner[k].p + way * (in / length);
  }
  return !onOuter_.meets(drawn);
}

/// Bounds the piece and keeps it if it may hold a deeper point.
void DepthSearch::add(Piece piece) {
  ++result_.pieces;
  const auto farthestOf = [&](const Vec3& p) {
    double farthest = 0;
    for (const Corner& c : piece.corner) farthest = std::max(farthest, norm(c.p - p));
    return farthest;
  };
  const auto hopeless = [&] { return piece.upper + rounding_ <= floor(); };
  std::array<CornerDistances, 4> from;
  std::array<TriangleId, 4> triangles;
  std::size_t count = 0;
  piece.acrossRidge.reset();
  const auto boundBy = [&](TriangleId triangle) {
    const auto end = triangles.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::find(triangles.begin(), end, triangle) != end) return;
    triangles[count] = triangle;
    from[count] = distancesFrom(triangle, piece);
    piece.upper = std::min(piece.upper, largest(from[count]));
    for (std::size_t i = 0; i < count; ++i) {
      const double least = leastOfMixtures(from[i], from[count]);
      if (least >= piece.upper) continue;
      piece.upper = least;
      piece.acrossRidge.emplace();
      for (std::size_t k = 0; k < 3; ++k) (*piece.acrossRidge)[k] = from[i][k] - from[count][k];
    }
    ++count;
  };
  for (const Corner& c : piece.corner) {
    piece.upper = std::min(piece.upper, c.distance + farthestOf(c.p));
    boundBy(c.nearest);
  }
  if (hopeless()) return;

  const Vec3 middle = (piece.corner[0].p + piece.corner[1].p + piece.corner[2].p) * (1.0 / 3);
  const double radius = farthestOf(middle);
  if (!isOnSource(middle, radius)) return;
  const Corner centre = cornerAt(middle, piece.corner[0].nearest);
  piece.facing = centre.nearest;
  piece.upper = std::min(piece.upper, centre.distance + radius);
  boundBy(centre.nearest);
  if (hopeless()) return;
  if (const auto height =
          patches_->heightOver(centre.nearest, piece.corners(), middle, floor() - rounding_)) {
    piece.upper = std::min(piece.upper, *height);
    if (hopeless()) return;
  }

  const bool clearOfSurface = centre.distance > radius + rounding_;
  // A point on the surface is neither inside nor outside, and exact tests would take long to find that out.
  // The bounds hold for both.
  const bool middleOn = centre.distance <= rounding_;
  bool known = piece.inside;  // the middle is inside
  if (!piece.whole && !middleOn) {
    known = known || isInside(middle);
    const auto uncrossed = [&] {
      const auto crossings = borderCrossings(piece);
      return crossings && crossings->none();
    };
    if (clearOfSurface || uncrossed()) {
      if (!known || (goal_->counts && !goal_->counts(middle, piece.source))) return;
      piece.whole = true;
    } else if (!known) {
      piece.upper = std::min(piece.upper, radius - centre.distance);
      if (hopeless() || staysOutside(piece, middle)) return;
    }
  }
  piece.inside = piece.inside || (known && clearOfSurface);
  if ((known || piece.whole) && !offer(centre, known, piece)) {
    piece.whole = false;
    piece.borderFails = true;
  }
  // At corners on an edge of the source triangle, rounding decides on which side of it `counts` sees them.
  if (piece.whole || !goal_->counts || !goal_->border)
    for (const Corner& c : piece.corner) offer(c, piece.inside, piece);
  if (!hopeless()) open_.push(piece);
}

/// Returns true if no point of a box is deep enough in the target. The box is given by its middle and half
/// extents along the axes of the target. Inside a closed target, no point is deeper than in the box around
/// it.
bool DepthSearch::isBeside(const Vec3& middle, const Vec3& half) const noexcept {
  const Vec3 low = toVec3(targetBody_->mesh().bounds().min), high = toVec3(targetBody_->mesh().bounds().max);
  const bool isClosed = targetBody_->watertightness().boundary().empty();
  const double useless = isClosed ? floor() - rounding_ : -rounding_;
  for (int k = 0; k < 3; ++k)
    if (middle[k] - half[k] + useless > high[k] || middle[k] + half[k] - useless < low[k]) return true;
  return false;
}

void DepthSearch::addTriangle(TriangleId id) {
  const Triangle t = placed(id);
  Box box;
  for (const Vec3& p : t.v) box.extend(p);
  if (isBeside(box.centre(), box.halfExtent())) return;
  Piece piece;
  piece.source = id;
  piece.upper = std::numeric_limits<double>::infinity();
  TriangleId hint{};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [corner, isNew] = ofPoint_.try_emplace(source_->mesh().triangles()[index(id)][k]);
    if (isNew) corner->second = cornerAt(t.v[k], hint);
    piece.corner[k] = corner->second;
    hint = piece.corner[k].nearest;
  }
  add(piece);
}

DepthResult DepthSearch::search(const DepthGoal& goal, const Stop& stop) {
  result_.upper = goal.deeperThan;
  const std::size_t before = result_.pieces;
  const std::size_t most = std::max(goal.maxCutPieces, goal.cutPiecesEach * open_.size());
  while (!open_.empty()) {
    if (open_.top().upper + rounding_ <= floor()) break;
    result_.upper = open_.top().upper;
    if (goal.anyDeeper && result_.deepest) break;
    result_.limited = result_.pieces >= goal.maxPieces || result_.pieces - before >= most;
    result_.stopped = !result_.limited && stop && stop();
    if (result_.limited || result_.stopped) break;
    const Piece piece = open_.top();
    open_.pop();
    split(piece);
  }
  // Dropped pieces were below the floor of that time.
  if (open_.empty() || open_.top().upper + rounding_ <= floor()) result_.upper = floor();
  if (result_.deepest) result_.upper = std::max(result_.upper, result_.deepest->depth);
  return std::move(result_);
}

void DepthSearch::begin(const DepthGoal& goal) {
  goal_ = &goal;
  result_ = {};
  open_ = {};
  ofPoint_.clear();
  stretches_.clear();
}

DepthResult DepthSearch::over(std::span<const TriangleId> triangles, const DepthGoal& goal,
                              const Stop& stop) {
  begin(goal);
  if (!targetBody_->watertightness().hasInside()) {
    result_.upper = goal.deeperThan;
    return std::move(result_);
  }
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    addTriangle(triangles[i]);
    if (stop && stop()) {
      result_.stopped = true;
      result_.upper = std::numeric_limits<double>::infinity();
      return std::move(result_);
    }
  }
  return search(goal, stop);
}

void DepthSearch::collect(const DepthGoal& goal, const Stop& stop) {
  struct Collector final : TreeVisitor {
    Collector(DepthSearch& s, const DepthGoal& g, const Stop& e) : search(s), goal(g), stop(e) {}
    double bound(const NodeBox& box) override {
      constexpr double hopeless = std::numeric_limits<double>::infinity();
      const double rounding = search.rounding_;
      if (stop && stop()) {
        search.result_.stopped = true;
        limit = -hopeless;
        return hopeless;
      }
      const Box around = box.around();
      if (search.isBeside(around.centre(), around.halfExtent())) return hopeless;
      const double radius = norm(box.half) + box.grown + rounding;
      const Corner middle = search.cornerAt(box.centre, hint);
      hint = middle.nearest;
      if (middle.distance + radius <= search.floor()) return hopeless;
      // The box is outside and too far from the surface to cross it.
      if (middle.distance + search.floor() >= radius &&
          search.query_.side(middle.p, search.targetBody_->watertightness()) == PointSide::outside)
        return hopeless;
      return 0;
    }
    void visit(std::span<const TriangleId> triangles) override {
      for (const TriangleId id : triangles) search.addTriangle(id);
      if (goal.anyDeeper && search.result_.deepest) limit = -std::numeric_limits<double>::infinity();
    }
    DepthSearch& search;
    const DepthGoal& goal;
    const Stop& stop;
    TriangleId hint{};
  } collector(*this, goal, stop);
  visitTree(PlacedTree(source_->sharedModel(), targetFromSource_), collector);
}

DepthResult DepthSearch::resume(const DepthGoal& goal, const Stop& stop) {
  goal_ = &goal;
  result_ = {};
  return search(goal, stop);
}

DepthResult DepthSearch::overAll(const DepthGoal& goal, const Stop& stop) {
  begin(goal);
  result_.upper = goal.deeperThan;
  if (!targetBody_->watertightness().hasInside() || source_->mesh().triangleCount() == 0)
    return std::move(result_);
  collect(goal, stop);
  if (result_.stopped) {
    result_.upper = std::numeric_limits<double>::infinity();
    return std::move(result_);
  }
  return search(goal, stop);
}

}  // namespace fitup::detail
