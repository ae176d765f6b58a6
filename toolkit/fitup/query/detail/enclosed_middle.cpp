#include <fitup/query/detail/enclosed_middle.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/query/detail/convex_polygon.h>
#include <fitup/query/detail/equally_near.h>
#include <fitup/query/detail/triangles_inside.h>

namespace fitup::detail {
namespace {

/// Pieces of middles after which nothing is certain.
constexpr std::size_t mostPieces = 100'000;

class Search {
 public:
  Search(const SolidModel& body, WallMiddle& middle, const SolidModel& around,
         const Transform& aroundFromBody, const std::function<bool()>& stop)
      : body_(body),
        middle_(middle),
        around_(around),
        aroundFromBody_(aroundFromBody),
        stop_(stop),
        onBody_(body.model()),
        inAround_(around.model()) {}

  EnclosedMiddle run() {
    const double deepest = middle_.t() * (1 + equallyNear);
    region_ = placedBounds(around_.mesh(), aroundFromBody_.inverse());
    const std::vector<TriangleId> triangles =
        trianglesInside(body_, around_, inAround_, aroundFromBody_, region_, deepest, stop_);
    const Walls& walls = body_.walls();
    std::vector<TriangleId> near;
    for (const TriangleId id : triangles) {
      if (ended()) break;
      onBody_.near(body_.mesh().triangle(id), 2 * deepest, near);
      for (const TriangleId other : near) {
        // Each pair once, also if only one of the two is near the other body.
        const bool isListed = std::binary_search(triangles.begin(), triangles.end(), other);
        if (other == id || (other < id && isListed) || !walls.opposed(id, other)) continue;
        search(id, other);
        if (ended()) break;
      }
    }
    return result_;
  }

 private:
  [[nodiscard]] Vec3 outward(TriangleId id) const noexcept {
    const Triangle t = body_.mesh().triangle(id);
    const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
    return norm(n) > 0 ? normalized(n) * body_.watertightness().outward(id) : Vec3{};
  }

  bool ended() {
    result_.limited = result_.limited || pieces_ > mostPieces;
    stopped_ = stopped_ || (stop_ && stop_());
    return result_.found || result_.limited || stopped_;
  }

  /// Searches the points that are equally deep below the planes of two triangles and have their feet in both.
  void search(TriangleId first, TriangleId second) {
    normal_ = outward(first);
    const Vec3 other = outward(second);
    const double cosine = dot(normal_, other);
    if (!(norm(normal_) > 0) || !(norm(other) > 0) || !(cosine < 0)) return;
    const Triangle a = body_.mesh().triangle(first), b = body_.mesh().triangle(second);
    at_ = a.v[0];
    // The feet in the first triangle, carried down to where both planes are equally far away.
    std::array<Vec3, 3> p;
    for (std::size_t k = 0; k < 3; ++k)
      p[k] = a.v[k] - (-dot(other, a.v[k] - b.v[0]) / (1 - cosine)) * normal_;
    ConvexPolygon piece = ConvexPolygon::of(p[0], p[1], p[2]);
    for (std::size_t k = 0; k < 3 && piece.count >= 3; ++k) {
      const Vec3 edge = b.v[(k + 1) % 3] - b.v[k];
      Vec3 inward = cross(other, edge);
      if (dot(inward, b.v[(k + 2) % 3] - b.v[k]) < 0) inward = inward * -1.0;
      piece = piece.cut(b.v[k], inward).first;
    }
    for (const double depth : {middle_.least(), middle_.t() * (1 + equallyNear)}) {
      if (piece.count < 3) return;
      const double sense = depth == middle_.least() ? -1 : 1;
      piece = piece.cut(at_ - depth * normal_, sense * normal_).first;
    }
    open_.assign(1, piece);
    while (!open_.empty() && !ended()) {
      const ConvexPolygon next = open_.back();
      open_.pop_back();
      examine(next);
    }
  }

  [[nodiscard]] double depthOf(const Vec3& p) const noexcept { return -dot(normal_, p - at_); }

  void examine(const ConvexPolygon& piece) {
    if (piece.count < 3) return;
    ++pieces_;
    const Vec3 p = piece.middle();
    double radius = 0, shallowest = std::numeric_limits<double>::infinity();
    Box box;
    for (std::size_t i = 0; i < piece.count; ++i) {
      radius = std::max(radius, norm(piece.p[i] - p));
      shallowest = std::min(shallowest, depthOf(piece.p[i]));
      box.extend(piece.p[i]);
    }
    if (!box.overlaps(region_)) return;
    const auto nearest = middle_.closest(p);
    if (!nearest) return;  // cannot be: the plane is nearer
    // In the middle, nothing is nearer than the two planes but by the slack.
    const double least = shallowest / (1 + equallyNear);
    if (nearest->distance + radius < least) return;
    const Triangle facing = middle_.boundary().triangle(nearest->triangle);
    bool allNearer = true;
    for (std::size_t i = 0; i < piece.count && allNearer; ++i)
      allNearer = distancePointTriangle(piece.p[i], facing).distance < least;
    if (allNearer) return;
    const PointSide side = inAround_.side(aroundFromBody_.apply(p), around_.watertightness());
    const bool inside =
        side == PointSide::inside || (side == PointSide::unknown && middle_.unknownIsInside());
    if (inside && (result_.found = middle_.at(p, *nearest))) return;
    if (!inside && !meets(inAround_, aroundFromBody_, piece)) return;
    if (radius < equallyNear / 4 * shallowest) return;
    if (piece.count > ConvexPolygon::most - 2) {
      piece.visitFan([&](const ConvexPolygon& triangle) { open_.push_back(triangle); });
      return;
    }
    const auto [one, other] = piece.halved();
    open_.push_back(one);
    open_.push_back(other);
  }

  const SolidModel& body_;
  WallMiddle& middle_;
  const SolidModel& around_;
  const Transform& aroundFromBody_;
  const std::function<bool()>& stop_;
  PointQuery onBody_, inAround_;
  Box region_;
  Vec3 at_, normal_;  ///< of the plane from which depths are measured
  std::vector<ConvexPolygon> open_;
  std::size_t pieces_ = 0;
  bool stopped_ = false;
  EnclosedMiddle result_;
};

}  // namespace

EnclosedMiddle findEnclosedMiddle(const SolidModel& body, WallMiddle& middle, const SolidModel& around,
                                  const Transform& aroundFromBody, const std::function<bool()>& stop) {
  return Search(body, middle, around, aroundFromBody, stop).run();
}

}  // namespace fitup::detail
