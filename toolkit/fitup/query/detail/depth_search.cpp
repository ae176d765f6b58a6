#include <fitup/query/detail/depth_search.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/hierarchy/detail/wide_children.h>

namespace fitup::detail {
namespace {

double reachOf(const TriangleMesh& mesh) {
  if (mesh.triangleCount() == 0) return 0;
  const Vec3 c = mesh.bounds().centre(), h = mesh.bounds().halfExtent();
  return norm(c) + norm(h);
}

/// A convex polygon of few corners.
struct Polygon {
  std::array<Vec3, 12> p;
  std::size_t count = 0;
  void add(const Vec3& q) {
    if (count < p.size()) p[count++] = q;
  }
};

/// The parts of a polygon with f >= 0 and f <= 0, f linear with values at the corners; the second is empty if
/// f is nowhere below 0.
std::pair<Polygon, Polygon> cut(const Polygon& polygon, const std::array<double, 12>& f) {
  if (std::all_of(f.begin(), f.begin() + static_cast<std::ptrdiff_t>(polygon.count),
                  [](double v) { return v >= 0; }))
    return {polygon, {}};
  Polygon above, below;
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const std::size_t j = (i + 1) % polygon.count;
    if (f[i] >= 0) above.add(polygon.p[i]);
    if (f[i] <= 0) below.add(polygon.p[i]);
    if ((f[i] > 0 && f[j] < 0) || (f[i] < 0 && f[j] > 0)) {
      const Vec3 q = polygon.p[i] + (polygon.p[j] - polygon.p[i]) * (f[i] / (f[i] - f[j]));
      above.add(q);
      below.add(q);
    }
  }
  return {above, below};
}

double areaOf(const Polygon& polygon) {
  Vec3 sum;
  for (std::size_t i = 2; i < polygon.count; ++i)
    sum = sum + cross(polygon.p[i - 1] - polygon.p[0], polygon.p[i] - polygon.p[0]);
  return 0.5 * norm(sum);
}

}  // namespace

DepthSearch::DepthSearch(const BodyModel& target, const BodyModel& source, const Transform& targetFromSource)
    : targetBody_(&target), source_(&source), targetFromSource_(targetFromSource), query_(target.model()) {
  rounding_ = 0x1p-44 * (reachOf(target.mesh()) + reachOf(source.mesh()) + norm(targetFromSource.t));
}

Triangle DepthSearch::placed(TriangleId id) const noexcept {
  const Triangle t = source_->mesh().triangle(id);
  return {
      {targetFromSource_.apply(t.v[0]), targetFromSource_.apply(t.v[1]), targetFromSource_.apply(t.v[2])}};
}

/// What a piece must be able to exceed to be worth a look.
double DepthSearch::floor() const noexcept {
  if (!result_.deepest) return goal_->deeperThan + goal_->accuracy;
  const double best = result_.deepest->depth;
  return best + std::max(goal_->accuracy, goal_->relative * best);
}

DepthSearch::Corner DepthSearch::cornerAt(const Vec3& p, TriangleId hint) {
  const auto found = query_.closest(p, std::numeric_limits<double>::infinity(), hint);
  return {p, found->triangle, found->distance};
}

void DepthSearch::offer(const Corner& corner, bool knownInside, TriangleId source) {
  if (corner.distance <= goal_->deeperThan || (result_.deepest && corner.distance <= result_.deepest->depth))
    return;
  if (!knownInside && query_.side(corner.p, targetBody_->closedness()) != PointSide::inside) return;
  if (goal_->counts && !goal_->counts(corner.p, source)) return;
  const Triangle t = targetBody_->mesh().triangle(corner.nearest);
  result_.deepest =
      DeepPoint{corner.p, distancePointTriangle(corner.p, t).onB, corner.distance, source, corner.nearest};
}

/// How far the farthest corner is from one triangle of the target: by convexity, the farthest point too.
double DepthSearch::farthestFrom(TriangleId triangle, const Piece& piece) const noexcept {
  const Triangle t = targetBody_->mesh().triangle(triangle);
  double farthest = 0;
  for (const Corner& c : piece.corner)
    farthest =
        std::max(farthest, c.nearest == triangle ? c.distance : distancePointTriangle(c.p, t).distance);
  return farthest;
}

/// True if the piece, drawn in from its border by half of what would be worth a look, does not meet the
/// target's surface: with its middle outside, all of it is, and a point of the whole piece lies at most as
/// far inside as it was drawn in.
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
  return !query_.meets(drawn);
}

/// Bounds the piece, and keeps it if it may hold a deeper point.
void DepthSearch::add(Piece piece) {
  ++result_.pieces;
  const auto farthestOf = [&](const Vec3& p) {
    double farthest = 0;
    for (const Corner& c : piece.corner) farthest = std::max(farthest, norm(c.p - p));
    return farthest;
  };
  const auto hopeless = [&] { return piece.upper + rounding_ <= floor(); };
  for (const Corner& c : piece.corner)
    piece.upper = std::min({piece.upper, c.distance + farthestOf(c.p), farthestFrom(c.nearest, piece)});
  if (hopeless()) return;

  const Vec3 middle = (piece.corner[0].p + piece.corner[1].p + piece.corner[2].p) * (1.0 / 3);
  const double radius = farthestOf(middle);
  const Corner centre = cornerAt(middle, piece.corner[0].nearest);
  piece.facing = centre.nearest;
  piece.upper = std::min({piece.upper, centre.distance + radius, farthestFrom(centre.nearest, piece)});
  if (hopeless()) return;

  const bool clearOfSurface = centre.distance > radius + rounding_;
  const bool middleInside =
      piece.inside || query_.side(middle, targetBody_->closedness()) == PointSide::inside;
  if (!middleInside) {
    piece.upper = std::min(piece.upper, radius - centre.distance);
    if (clearOfSurface || hopeless() || staysOutside(piece, middle)) return;
  }
  piece.inside = piece.inside || (middleInside && clearOfSurface);
  // A piece that stays clear of the target's surface counts as a whole or not at all.
  if (goal_->counts && middleInside && clearOfSurface && !goal_->counts(middle, piece.source)) return;
  if (middleInside) offer(centre, true, piece.source);
  for (const Corner& c : piece.corner) offer(c, piece.inside, piece.source);
  if (!hopeless()) open_.push(piece);
}

void DepthSearch::bisect(const Piece& piece) {
  int longest = 0;
  double length = -1;
  for (int k = 0; k < 3; ++k) {
    const double l = norm(piece.corner[static_cast<std::size_t>((k + 1) % 3)].p -
                          piece.corner[static_cast<std::size_t>(k)].p);
    if (l > length) {
      length = l;
      longest = k;
    }
  }
  const auto k = static_cast<std::size_t>(longest), next = (k + 1) % 3;
  const Corner middle = cornerAt(0.5 * (piece.corner[k].p + piece.corner[next].p), piece.facing);
  Piece first = piece, second = piece;
  first.corner[next] = middle;
  second.corner[k] = middle;
  add(first);
  add(second);
}

/// Cuts off what lies over the triangle that the piece faces, where the convex bound settles that part, and
/// adds the rest. False if that is not so, or too little would be gained.
bool DepthSearch::cutAlongPrism(const Piece& piece) {
  const Triangle t = targetBody_->mesh().triangle(piece.facing);
  const Vec3 normal = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
  const double length = norm(normal);
  if (!(length > 0)) return false;
  // Over the triangle, the distance to it is that to its plane, whose largest value the corners have.
  double height = 0;
  for (const Corner& c : piece.corner)
    height = std::max(height, std::abs(dot(c.p - t.v[0], normal)) / length);
  if (height + rounding_ > floor()) return false;

  Polygon rest;
  for (const Corner& c : piece.corner) rest.add(c.p);
  const double whole = areaOf(rest);
  // Of needles the areas are noise; halving gets on with them.
  double longest = 0;
  for (std::size_t k = 0; k < 3; ++k)
    longest = std::max(longest, norm(piece.corner[(k + 1) % 3].p - piece.corner[k].p));
  if (!(whole > 0x1p-30 * longest * longest)) return false;
  std::array<Polygon, 3> outside;
  for (int k = 0; k < 3; ++k) {
    const Vec3 &from = t.v[k], &to = t.v[(k + 1) % 3];
    const Vec3 inward = cross(normal, to - from);
    std::array<double, 12> f{};
    for (std::size_t i = 0; i < rest.count; ++i) f[i] = dot(inward, rest.p[i] - from);
    auto [above, below] = cut(rest, f);
    outside[static_cast<std::size_t>(k)] = below;
    rest = above;
    if (rest.count < 3) return false;
  }
  if (!(areaOf(rest) >= 0.01 * whole)) return false;
  for (const Polygon& polygon : outside) {
    if (polygon.count < 3) continue;
    std::array<Corner, 12> corners;
    for (std::size_t i = 0; i < polygon.count; ++i) corners[i] = cornerAt(polygon.p[i], piece.facing);
    for (std::size_t i = 2; i < polygon.count; ++i) {
      Piece part = piece;
      part.corner = {corners[0], corners[i - 1], corners[i]};
      add(part);
    }
  }
  return true;
}

void DepthSearch::split(const Piece& piece) {
  if (!cutAlongPrism(piece)) bisect(piece);
}

void DepthSearch::addTriangle(TriangleId id) {
  const Triangle t = placed(id);
  Piece piece;
  piece.source = id;
  piece.upper = std::numeric_limits<double>::infinity();
  TriangleId hint{};
  for (std::size_t k = 0; k < 3; ++k) {
    piece.corner[k] = cornerAt(t.v[k], hint);
    hint = piece.corner[k].nearest;
  }
  add(piece);
}

DepthResult DepthSearch::search(const DepthGoal& goal, const Stop& stop) {
  result_.upper = goal.deeperThan;
  while (!open_.empty()) {
    if (open_.top().upper + rounding_ <= floor()) break;
    result_.upper = open_.top().upper;
    if (goal.anyDeeper && result_.deepest) break;
    result_.limited = result_.pieces >= goal.maxPieces;
    result_.stopped = !result_.limited && stop && stop();
    if (result_.limited || result_.stopped) break;
    const Piece piece = open_.top();
    open_.pop();
    split(piece);
  }
  // What was dropped on the way lay below the floor of its time.
  if (open_.empty() || open_.top().upper + rounding_ <= floor()) result_.upper = floor();
  if (result_.deepest) result_.upper = std::max(result_.upper, result_.deepest->depth);
  return std::move(result_);
}

DepthResult DepthSearch::over(std::span<const TriangleId> triangles, const DepthGoal& goal,
                              const Stop& stop) {
  goal_ = &goal;
  result_ = {};
  open_ = {};
  if (!targetBody_->closedness().hasInside()) {
    result_.upper = goal.deeperThan;
    return std::move(result_);
  }
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    addTriangle(triangles[i]);
    if (i % 64 == 63 && stop && stop()) {
      result_.stopped = true;
      result_.upper = std::numeric_limits<double>::infinity();
      return std::move(result_);
    }
  }
  return search(goal, stop);
}

void DepthSearch::collect(const DepthGoal& goal, const Stop& stop) {
  const WideBvh& tree = source_->model().wide();
  const double slack = wideBoxSlack(reachOf(source_->mesh()), tree.layout) + rounding_;
  std::vector<WideChild> stack{WideChild::ofNode(0)};
  TriangleId hint{};
  while (!stack.empty()) {
    const WideChild next = stack.back();
    stack.pop_back();
    if (stop && stop()) {
      result_.stopped = true;
      return;
    }
    if (next.isLeaf()) {
      for (std::uint32_t k = 0; k < next.count(); ++k) addTriangle(triangleInLeaf(tree, next, k));
      if (goal.anyDeeper && result_.deepest) return;
      continue;
    }
    openWideNode(
        tree, next.node(),
        [&](const WideFrame& frame, const auto& centre, const auto& half, const auto& child,
            std::uint32_t count) {
          for (std::uint32_t k = 0; k < count; ++k) {
            const Vec3 c{centre[0][k], centre[1][k], centre[2][k]}, h{half[0][k], half[1][k], half[2][k]};
            const double radius = norm(h) * (1 + wideFrameStretch) + slack + wideFrameStretch * norm(c);
            const Corner middle = cornerAt(targetFromSource_.apply(outOfAxes(frame, c)), hint);
            hint = middle.nearest;
            if (middle.distance + radius <= floor()) continue;
            // Not near enough to the surface to cross it, and outside.
            if (middle.distance + floor() >= radius &&
                query_.side(middle.p, targetBody_->closedness()) == PointSide::outside)
              continue;
            stack.push_back(child[k]);
          }
        });
  }
}

DepthResult DepthSearch::overAll(const DepthGoal& goal, const Stop& stop) {
  goal_ = &goal;
  result_ = {};
  open_ = {};
  result_.upper = goal.deeperThan;
  if (!targetBody_->closedness().hasInside() || source_->mesh().triangleCount() == 0)
    return std::move(result_);
  collect(goal, stop);
  if (result_.stopped) {
    result_.upper = std::numeric_limits<double>::infinity();
    return std::move(result_);
  }
  return search(goal, stop);
}

}  // namespace fitup::detail
