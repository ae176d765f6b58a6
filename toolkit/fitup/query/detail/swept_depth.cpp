#include <fitup/query/detail/swept_depth.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/flat_polygon-inl.h>
#include <fitup/hierarchy/tree_queries.h>
#include <fitup/query/detail/cut_facing.h>
#include <fitup/query/detail/triangles_inside.h>

namespace fitup::detail {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
/// Of the useful depth: how far points may be drawn onto the plane of what a piece sweeps. That much less is
/// left of the depth.
constexpr double flatEnough = 0.32;

/// The hull of points in a plane, in order.
ConvexPolygon hullOf(std::span<const Vec3> points, const Vec3& normal) {
  const auto [u, v] = orthonormalBasis(normal);
  FlatPolygon flat;
  for (const Vec3& p : points) flat.add({dot(p - points.front(), u), dot(p - points.front(), v)});
  ConvexPolygon polygon;
  const FlatPolygon hull = FlatPolygon::hullOf(flat.corners());
  for (const Flat& corner : hull.corners()) polygon.add(points.front() + corner.x * u + corner.y * v);
  return polygon;
}

/// True if a direction separates the two: of faces of either, or across edges of both.
bool areApart(std::span<const Vec3> corners, std::span<const Vec3> edges, const Triangle& t) {
  const std::array<Vec3, 3> sides{t.v[1] - t.v[0], t.v[2] - t.v[1], t.v[0] - t.v[2]};
  const auto separates = [&](const Vec3& n) {
    double low = unbounded, high = -unbounded, lowest = unbounded, highest = -unbounded, size = 0;
    for (const Vec3& p : corners) {
      const double at = dot(n, p - t.v[0]);
      low = std::min(low, at);
      high = std::max(high, at);
    }
    for (const Vec3& p : t.v) {
      const double at = dot(n, p - t.v[0]);
      lowest = std::min(lowest, at);
      highest = std::max(highest, at);
    }
    size = std::max({std::abs(low), std::abs(high), std::abs(lowest), std::abs(highest)});
    return low - highest > 0x1p-40 * size || lowest - high > 0x1p-40 * size;
  };
  if (separates(cross(sides[0], sides[1]))) return true;
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t k = i + 1; k < edges.size(); ++k)
      if (separates(cross(edges[i], edges[k]))) return true;
  for (const Vec3& edge : edges)
    for (const Vec3& side : sides)
      if (separates(cross(edge, side))) return true;
  // Of a flat body, also across the edges in its plane.
  if (edges.size() >= 2) {
    const Vec3 normal = cross(edges[0], edges[1]);
    for (const Vec3& edge : edges)
      if (separates(cross(normal, edge))) return true;
  }
  return false;
}

}  // namespace

SweptDepth::SweptDepth(const SolidModel& target, const SolidModel& source, const SweptMotion& motion)
    : target_(&target),
      source_(&source),
      motion_(motion),
      endFromStart_(motion.end * motion.start.inverse()),
      inTarget_(target.model()),
      onOuter_(target.outer()),
      rounding_(0x1p-42 * (farthestFromOrigin(target.mesh()) + farthestFromOrigin(source.mesh()) +
                           norm(motion.start.t) + norm(motion.end.t))) {}

ConvexPolygon SweptDepth::cornersOf(const Piece& piece) {
  ConvexPolygon both = piece.polygon;
  if (!piece.isFlat)
    for (const Vec3& p : piece.atEnd.corners()) both.add(p);
  return both;
}

/// Nothing in a closed body is deeper than in the box around it.
bool SweptDepth::isBeside(const Box& box, double slack) const noexcept {
  const Vec3 low = toVec3(target_->mesh().bounds().min), high = toVec3(target_->mesh().bounds().max);
  const double useful = useful_ - slack;
  for (int k = 0; k < 3; ++k)
    if (box.min[k] + useful > high[k] || box.max[k] - useful < low[k]) return true;
  return false;
}

/// What a piece sweeps, drawn onto a plane half-way; nothing if that moves points by more than `most`.
std::optional<SweptDepth::Piece> SweptDepth::flattened(const Piece& moving, double most) {
  ConvexPolygon halfWay;
  for (std::size_t i = 0; i < moving.polygon.count; ++i)
    halfWay.add(0.5 * (moving.polygon.p[i] + moving.atEnd.p[i]));
  const Vec3 normal = halfWay.normal();
  const double length = norm(normal);
  if (!(length > 0)) return std::nullopt;
  const Vec3 n = (1 / length) * normal, at = halfWay.p[0];
  double low = 0, high = 0;
  for (const ConvexPolygon* end : {&moving.polygon, &moving.atEnd})
    for (const Vec3& p : end->corners()) {
      low = std::min(low, dot(p - at, n));
      high = std::max(high, dot(p - at, n));
    }
  if (0.5 * (high - low) > most) return std::nullopt;
  ConvexPolygon drawn;
  for (const ConvexPolygon* end : {&moving.polygon, &moving.atEnd})
    for (const Vec3& p : end->corners()) drawn.add(p - (dot(p - at, n) - 0.5 * (low + high)) * n);
  Piece flat;
  flat.isFlat = true;
  flat.polygon = hullOf(drawn.corners(), n);
  flat.slack = moving.slack + 0.5 * (high - low);
  return flat;
}

void SweptDepth::addPiece(const ConvexPolygon& ofSource) {
  Piece piece;
  for (const Vec3& p : ofSource.corners()) {
    piece.polygon.add(motion_.start.apply(p));
    piece.atEnd.add(motion_.end.apply(p));
    piece.slack = std::max(piece.slack, motion_.bend(piece.polygon.p[piece.polygon.count - 1]));
  }
  const ConvexPolygon corners = cornersOf(piece);
  if (!isBeside(Box::around(corners.corners()), piece.slack)) addMoving(piece);
}

/// Adds what a piece sweeps: flat, if it is nearly so.
void SweptDepth::addMoving(const Piece& moving) {
  if (const std::optional<Piece> flat = flattened(moving, flatEnough * useful_))
    push(*flat, flat->polygon);  // of a sliver, nothing: its neighbours sweep the same
  else
    open_.push_back(moving);
}

/// True if a piece that is drawn towards its middle by `in` does not meet the target's surface.
bool SweptDepth::isClear(const Piece& piece, const ConvexPolygon& corners, const Vec3& middle, double in) {
  const std::optional<ConvexPolygon> drawn = corners.drawnTo(middle, in);
  if (!drawn) return false;
  if (piece.isFlat) return !meets(onOuter_, {}, *drawn);
  // A piece on its way, which is flat half-way as it is at both ends: every point that it passes is as near
  // to it there as its corners are, and drawn by at most `in`.
  edges_.clear();
  ConvexPolygon halfWay;
  double within = 0;
  const std::size_t n = piece.polygon.count;
  for (std::size_t i = 0; i < n; ++i) {
    halfWay.add(0.5 * (corners.p[i] + corners.p[n + i]));
    within = std::max(within, 0.5 * norm(corners.p[n + i] - corners.p[i]));
    const Vec3 &from = drawn->p[i], &to = drawn->p[n + i];
    for (const Vec3& edge : {drawn->p[(i + 1) % n] - from, drawn->p[n + (i + 1) % n] - to, to - from})
      edges_.push_back(edge);
  }
  for (std::size_t i = 1; i + 1 < n; ++i) {
    onOuter_.near({{halfWay.p[0], halfWay.p[i], halfWay.p[i + 1]}}, within + in, near_);
    for (const TriangleId id : near_)
      if (!areApart(drawn->corners(), edges_, onOuter_.mesh().triangle(id))) return false;
  }
  return true;
}

SweptDepth::Finding SweptDepth::examine(const Piece& piece) {
  ++pieces_;
  const double useful = useful_ - piece.slack;
  if (!(useful > 0)) return {Finding::Depth::tooDeep};
  const ConvexPolygon all = cornersOf(piece);
  const std::span<const Vec3> corners = all.corners();
  if (isBeside(Box::around(corners), piece.slack)) return {Finding::Depth::fine};
  const Vec3 middle = all.middle();
  double radius = 0;
  for (const Vec3& p : corners) radius = std::max(radius, norm(p - middle));
  const auto nearest = onOuter_.closest(middle, radius + depth_ + piece.slack, hint_);
  // A point on a wall inside the target is not outside.
  const auto isOutside = [&] {
    return inTarget_.side(middle, target_->watertightness()) == PointSide::outside;
  };
  // All of it is deeper, or outside.
  if (!nearest) return {isOutside() ? Finding::Depth::fine : Finding::Depth::tooDeep};
  hint_ = nearest->triangle;
  if (nearest->distance + radius <= useful) return {Finding::Depth::fine};
  const Triangle facing = onOuter_.mesh().triangle(nearest->triangle);
  if (std::ranges::all_of(corners,
                          [&](const Vec3& p) { return distancePointTriangle(p, facing).distance <= useful; }))
    return {Finding::Depth::fine};
  if (target_->patches().heightOver(nearest->triangle, corners, middle, useful))
    return {Finding::Depth::fine};
  // A point on the surface is neither inside nor outside.
  if (nearest->distance > rounding_) {
    if (!isOutside()) {
      if (nearest->distance > depth_ + piece.slack) return {Finding::Depth::tooDeep};
    } else if (radius - nearest->distance <= useful || isClear(piece, all, middle, 0.75 * useful)) {
      return {Finding::Depth::fine};
    }
  }
  return {Finding::Depth::unknown, nearest->triangle};
}

void SweptDepth::push(Piece piece, const ConvexPolygon& polygon) {
  if (polygon.count < 3) return;
  if (polygon.count > mostCutCorners) {
    const auto [one, other] = polygon.halvedAtCorners();
    push(piece, one);
    push(std::move(piece), other);
    return;
  }
  piece.polygon = polygon;
  open_.push_back(std::move(piece));
}

/// Cuts along the border of a surface that the piece lies over, otherwise beside the triangle that it faces,
/// otherwise in the middle.
void SweptDepth::divideFlat(const Piece& piece, TriangleId facing, double useful) {
  const std::optional<SurfacePatches::Plane> plane =
      cutFacing(piece.polygon, *target_, onOuter_.mesh().triangle(facing), useful);
  const auto [one, other] = plane ? piece.polygon.cut(plane->point, plane->normal) : piece.polygon.halved();
  push(piece, one);
  push(piece, other);
}

/// Cuts a piece that is too large half-way as if it did not move; otherwise halves its way. What leaves the
/// target is near it for a short time only.
void SweptDepth::divideMoving(const Piece& piece, double useful) {
  Piece halfWay;
  halfWay.isFlat = true;
  halfWay.slack = piece.slack;
  for (std::size_t i = 0; i < piece.polygon.count; ++i)
    halfWay.polygon.add(0.5 * (piece.polygon.p[i] + piece.atEnd.p[i]));
  const Finding there = examine(halfWay);
  if (there.depth == Finding::Depth::tooDeep) {
    fails_ = true;
    return;
  }
  Piece one = piece, other = piece;
  if (there.depth == Finding::Depth::fine) {
    for (std::size_t i = 0; i < piece.polygon.count; ++i)
      one.atEnd.p[i] = other.polygon.p[i] = halfWay.polygon.p[i];
    addMoving(one);
    addMoving(other);
    return;
  }
  std::array<double, ConvexPolygon::most> across{};
  const std::optional<SurfacePatches::Plane> plane =
      cutFacing(halfWay.polygon, *target_, onOuter_.mesh().triangle(there.facing), useful);
  const ConvexPolygon::HalvingPlane half = halfWay.polygon.halvingPlane();
  const SurfacePatches::Plane cut = plane.value_or(SurfacePatches::Plane{half.point, half.normal});
  for (std::size_t i = 0; i < halfWay.polygon.count; ++i)
    across[i] = dot(cut.normal, halfWay.polygon.p[i] - cut.point);
  std::tie(one.polygon, other.polygon) = piece.polygon.cut(across);
  std::tie(one.atEnd, other.atEnd) = piece.atEnd.cut(across);
  for (const Piece& part : {one, other}) {
    if (part.polygon.count < 3) continue;
    if (part.polygon.count <= mostCorners) {
      addMoving(part);
      continue;
    }
    for (std::size_t i = 1; i + 1 < part.polygon.count; ++i) {
      Piece fan = part;
      fan.polygon = ConvexPolygon::of(part.polygon.p[0], part.polygon.p[i], part.polygon.p[i + 1]);
      fan.atEnd = ConvexPolygon::of(part.atEnd.p[0], part.atEnd.p[i], part.atEnd.p[i + 1]);
      addMoving(fan);
    }
  }
}

bool SweptDepth::begin(double depth, double rounding) {
  depth_ = depth;
  useful_ = depth - rounding_ - rounding;
  pieces_ = 0;
  fails_ = !(useful_ > 0);
  open_.clear();
  return !fails_;
}

bool SweptDepth::staysWithin(std::span<const ConvexPolygon> some, double depth, double rounding,
                             std::size_t maxPieces, const Stop& stop) {
  if (!begin(depth, rounding)) return false;
  for (const ConvexPolygon& piece : some) addPiece(piece);
  return search(maxPieces, stop);
}

bool SweptDepth::staysWithin(double depth, double rounding, std::size_t maxPieces, const Stop& stop) {
  if (!begin(depth, rounding)) return false;
  if (source_->mesh().triangleCount() == 0) return true;
  struct Collector final : TreeVisitor {
    Collector(SweptDepth& s, const Stop& e) : search(s), stop(e) {}
    double bound(const NodeBox& node) override {
      search.fails_ = search.fails_ || (stop && stop());
      if (search.fails_) return unbounded;
      const SweptMotion& motion = search.motion_;
      const Vec3 to = search.endFromStart_.apply(node.centre), way = to - node.centre;
      const double size = norm(node.half) + node.grown + search.rounding_,
                   slack = motion.bend(node.centre) + motion.turn * motion.turn * size / 8,
                   turned = std::min(motion.turn, 2.0) * size;
      Box box = node.around();
      Box after = box;
      after.min = after.min + way - Vec3{turned, turned, turned};
      after.max = after.max + way + Vec3{turned, turned, turned};
      box.extend(after);
      if (search.isBeside(box, slack)) return unbounded;
      const Vec3 middle = node.centre + 0.5 * way;
      const double radius = size + 0.5 * norm(way) + slack;
      const auto nearest = search.onOuter_.closest(middle, radius + search.useful_, search.hint_);
      if (nearest) {
        search.hint_ = nearest->triangle;
        if (nearest->distance + radius <= search.useful_) return unbounded;
        if (nearest->distance + search.useful_ < radius) return 0;
      }
      // Too far from the surface to cross it.
      return search.inTarget_.side(middle, search.target_->watertightness()) == PointSide::outside ? unbounded
                                                                                                   : 0;
    }
    void visit(std::span<const TriangleId> triangles) override {
      for (const TriangleId id : triangles) {
        const Triangle t = search.source_->mesh().triangle(id);
        search.addPiece(ConvexPolygon::of(t.v[0], t.v[1], t.v[2]));
      }
    }
    SweptDepth& search;
    const Stop& stop;
  } collector(*this, stop);
  visitTree(PlacedTree(source_->sharedModel(), motion_.start), collector);
  return search(maxPieces, stop);
}

bool SweptDepth::search(std::size_t maxPieces, const Stop& stop) {
  while (!open_.empty() && !fails_) {
    // A piece on its way takes two looks.
    if (pieces_ + 1 >= maxPieces || (pieces_ % 16 == 0 && stop && stop())) return false;
    // What gets too deep shows in large pieces already, so these come first.
    const Piece piece = open_.front();
    open_.pop_front();
    const Finding found = examine(piece);
    fails_ = found.depth == Finding::Depth::tooDeep;
    if (found.depth != Finding::Depth::unknown) continue;
    const double useful = useful_ - piece.slack;
    piece.isFlat ? divideFlat(piece, found.facing, useful) : divideMoving(piece, useful);
  }
  return !fails_;
}

}  // namespace fitup::detail
