#include <fitup/hierarchy/surface_patches.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <span>
#include <tuple>
#include <utility>

#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/flat_polygon-inl.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/mesh/recognise.h>

namespace fitup {
namespace {

using detail::across;
using detail::Flat;
using detail::FlatPolygon;

namespace bgi = boost::geometry::index;

using Point = boost::geometry::model::point<double, 2, boost::geometry::cs::cartesian>;
using Rectangle = boost::geometry::model::box<Point>;

struct BorderSide {
  Flat a, b;
};

double lengthOf(const Flat& from, const Flat& to) {
  const double x = to.x - from.x, y = to.y - from.y;
  return std::sqrt(x * x + y * y);
}

Rectangle boxAround(std::span<const Flat> points) {
  Flat low = points.front(), high = low;
  for (const Flat& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return {Point(low.x, low.y), Point(high.x, high.y)};
}

Rectangle grown(const Rectangle& box, double by, double shift) {
  return {Point(box.min_corner().get<0>() + shift - by, box.min_corner().get<1>() - by),
          Point(box.max_corner().get<0>() + shift + by, box.max_corner().get<1>() + by)};
}

/// False if a line along a side of either separates the two by more than rounding.
bool mayMeet(const BorderSide& segment, const FlatPolygon& polygon, double rounding) {
  double area = 0;
  for (std::size_t i = 0; i < polygon.count; ++i)
    area += across(polygon.p[0], polygon.p[i], polygon.after(i));
  const double turn = area < 0 ? -1 : 1;
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const Flat &from = polygon.p[i], &to = polygon.after(i);
    const double apart = -rounding * lengthOf(from, to);
    if (turn * across(from, to, segment.a) < apart && turn * across(from, to, segment.b) < apart)
      return false;
  }
  const double apart = rounding * lengthOf(segment.a, segment.b);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Flat& p : polygon.corners()) {
    low = std::min(low, across(segment.a, segment.b, p));
    high = std::max(high, across(segment.a, segment.b, p));
  }
  return low <= apart && high >= -apart;
}

/// Of more than three points, the hull. Points on one line stay as they are.
FlatPolygon inOrder(const FlatPolygon& points) {
  if (points.count <= 3) return points;
  const FlatPolygon hull = FlatPolygon::hullOf(points.corners());
  return hull.count >= 3 ? hull : points;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = 0;
};
/// The distances of the points of a polygon from (0, 0).
Range distancesFromOrigin(const FlatPolygon& polygon) {
  const auto squareOf = [](double x, double y) { return x * x + y * y; };
  double least = std::numeric_limits<double>::infinity(), most = 0;
  bool isLeft = true, isRight = true;
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const Flat &p = polygon.p[i], &q = polygon.after(i);
    const Flat way{q.x - p.x, q.y - p.y};
    const double square = squareOf(way.x, way.y);
    const double w = square > 0 ? std::clamp(-(p.x * way.x + p.y * way.y) / square, 0.0, 1.0) : 0;
    least = std::min(least, squareOf(p.x + w * way.x, p.y + w * way.y));
    most = std::max(most, squareOf(p.x, p.y));
    const double side = across(p, q, {});
    isLeft = isLeft && side >= 0;
    isRight = isRight && side <= 0;
  }
  return {isLeft || isRight ? 0 : std::sqrt(least), std::sqrt(most)};
}

constexpr double flatness = 0x1p-20;  ///< as a share of the size; storage rounds to 2^-24

}  // namespace

/// A patch and its chart, a map to two dimensions: along the normal to its plane, or away from its axis to a
/// cylinder, which is unrolled.
///
/// *Which points are over it*: take the patch for a sum of oriented triangles, whose border consists of the
/// sides that do not cancel. How often their images cover a point of the chart, counted with their sense, is
/// constant where no image of the border is passed. No triangle is turned over, so that it is at least 1 at
/// the image of any of their points; it then is in any region around that image which no side of the border
/// enters, and all points of that region are covered. Round an axis, this holds as long as no triangle meets
/// the axis.
struct SurfacePatches::Patch {
  bool isRound = false;
  Vec3 origin, x, y;
  Vec3 z;               ///< the normal, or the axis
  Box box;              ///< of the triangles
  Range distances;      ///< of the triangles from the plane, or from the axis
  double rounding = 0;  ///< in the chart
  double storage = 0;   ///< what corners are rounded to, and axes are known to
  std::vector<BorderSide> border;
  bgi::rtree<std::pair<Rectangle, std::uint32_t>, bgi::quadratic<8>> tree;

  [[nodiscard]] double onceRound() const { return 2 * std::numbers::pi * distances.high; }
  [[nodiscard]] Flat acrossZ(const Vec3& p) const { return {dot(p - origin, x), dot(p - origin, y)}; }
  /// The distances of the points between the corners from the axis.
  [[nodiscard]] Range fromAxis(Corners corners) const {
    FlatPolygon seen;
    for (const Vec3& corner : corners) seen.add(acrossZ(corner));
    return distancesFromOrigin(inOrder(seen));
  }
  /// The image of a point; round an axis, the nearest to `other` by whole turns.
  [[nodiscard]] Flat flat(const Vec3& p, const Flat& other = {}) const {
    const Flat at = acrossZ(p);
    if (!isRound) return at;
    const double along = distances.high * std::atan2(at.y, at.x);
    return {along - onceRound() * std::round((along - other.x) / onceRound()), dot(p - origin, z)};
  }
  /// How far a point between the corners may be from the point of the patch over which it lies. Infinite if
  /// the axis may run between them.
  [[nodiscard]] double heightOf(const Corners& corners) const {
    if (!isRound) {
      double height = 0;
      for (const Vec3& corner : corners) height = std::max(height, std::abs(dot(corner - origin, z)));
      return height + distances.high;
    }
    const Range range = fromAxis(corners);
    if (!(range.low > flatness * distances.high)) return std::numeric_limits<double>::infinity();
    return std::max(range.high - distances.low, distances.high - range.low);
  }
  /// Calls `visit` with each side of the border that may come within `margin` of what is between the corners,
  /// until it returns false.
  template <typename Visit>
  void eachCrossing(const Corners& corners, double margin, const Visit& visit) const {
    const double reach = rounding + margin;
    // Seen from an axis that does not run through a polygon, its angles are those between its corners.
    FlatPolygon piece;
    for (const Vec3& corner : corners) piece.add(flat(corner, piece.p[0]));
    if (!isRound) piece = inOrder(piece);
    const Rectangle box = boxAround(piece.corners());
    // Pieces and sides begin within one turn and go on for less than half of one.
    for (const int turns : {0, -1, 1, -2, 2}) {
      if (turns != 0 && !isRound) break;
      const Rectangle around = grown(box, reach, turns * onceRound());
      for (auto found = tree.qbegin(bgi::intersects(around)); found != tree.qend(); ++found) {
        const BorderSide& side = border[found->second];
        if ((isRound || mayMeet(side, piece, reach)) && !visit(side)) return;
      }
    }
  }
  /// Returns true if what is between the corners may lie within `height` over the patch.
  [[nodiscard]] bool isNear(Corners corners, double height) const {
    const Box around = Box::around(corners);
    for (int k = 0; k < 3; ++k)
      if (!(around.min[k] <= box.max[k] + height && around.max[k] >= box.min[k] - height)) return false;
    return heightOf(corners) <= height;
  }
  [[nodiscard]] bool isAcross(const BorderSide& side) const {
    return isRound && std::abs(side.b.y - side.a.y) <= storage;
  }
  /// The plane upright on the patch along a side.
  [[nodiscard]] Plane planeAlong(const BorderSide& side) const {
    const double dx = side.b.x - side.a.x, dy = side.b.y - side.a.y;
    if (!isRound) return {origin + side.a.x * x + side.a.y * y, dx * y - dy * x};
    if (isAcross(side)) return {origin + side.a.y * z, z};
    const double angle = 0.5 * (side.a.x + side.b.x) / distances.high;
    const Vec3 out = std::cos(angle) * x + std::sin(angle) * y, on = cross(z, out);
    return {origin + distances.high * out + 0.5 * (side.a.y + side.b.y) * z, dx * z - dy * on};
  }
};

SurfacePatches::SurfacePatches(const TriangleMesh& mesh) : mesh_(&mesh) {
  for (std::uint32_t i = 0; i < mesh.surfaces().size(); ++i) patches_.push_back(patchOf(SurfaceId{i}));
}
SurfacePatches::~SurfacePatches() = default;
SurfacePatches::SurfacePatches(SurfacePatches&&) noexcept = default;
SurfacePatches& SurfacePatches::operator=(SurfacePatches&&) noexcept = default;

std::unique_ptr<SurfacePatches::Patch> SurfacePatches::patchOf(SurfaceId id) const {
  constexpr std::uint32_t worthwhile = 8;  // bounds by single triangles do for fewer
  const Surface& surface = mesh_->surfaces()[index(id)];
  if (surface.triangleCount < worthwhile) return nullptr;
  const auto first = surface.firstTriangle, end = first + surface.triangleCount;
  const auto normalOf = [](const Triangle& t) { return cross(t.v[1] - t.v[0], t.v[2] - t.v[0]); };
  auto patch = std::make_unique<Patch>();
  const auto place = [&](const Vec3& origin, const Vec3& z) {
    patch->origin = origin;
    patch->z = z;
    std::tie(patch->x, patch->y) = orthonormalBasis(z);
  };
  Vec3 sum;
  for (std::uint32_t i = first; i < end; ++i) sum = sum + normalOf(mesh_->triangle(TriangleId(i)));
  const Vec3 corner = mesh_->triangle(TriangleId(first)).v[0];
  double size = 0, unevenness = 0;
  place(corner, norm(sum) > 0 ? normalized(sum) : Vec3{0, 0, 1});
  for (std::uint32_t i = first; i < end; ++i)
    for (const Vec3& p : mesh_->triangle(TriangleId(i)).v) {
      patch->box.extend(p);
      unevenness = std::max(unevenness, std::abs(dot(p - corner, patch->z)));
      size = std::max(size, norm(p - corner));
    }
  patch->distances = {0, unevenness};
  if (!(norm(sum) > 0) || !(unevenness <= flatness * size)) {
    const auto shape = describeSurface(*mesh_, id);
    if (!shape || shape->kind != SurfaceKind::cylinder) return nullptr;
    // Only the axis is taken from the shape, and any axis is right.
    patch->isRound = true;
    const Vec3 axis = normalized(shape->axis), point = shape->point - mesh_->origin();
    place(point + dot(corner - point, axis) * axis, axis);
    patch->distances = {};
    for (std::uint32_t i = first; i < end; ++i) {
      const Range range = patch->fromAxis(mesh_->triangle(TriangleId(i)).v);
      patch->distances = {std::min(patch->distances.low, range.low),
                          std::max(patch->distances.high, range.high)};
    }
    if (!(patch->distances.low > 0.5 * patch->distances.high)) return nullptr;
  }
  patch->rounding = 0x1p-40 * (size + norm(patch->origin));
  patch->storage = flatness * size;

  /// How much a triangle faces along the normal or, at a corner, away from the axis.
  const auto facing = [&](const Vec3& normal, const Vec3& p) {
    if (!patch->isRound) return dot(normal, patch->z);
    const Flat out = patch->acrossZ(p);
    return dot(normal, out.x * patch->x + out.y * patch->y);
  };
  double outward = 0;
  for (std::uint32_t i = first; i < end; ++i) {
    const Triangle t = mesh_->triangle(TriangleId(i));
    for (const Vec3& p : t.v) outward += facing(normalOf(t), p);
  }
  // A side between two triangles of the same sense is within the patch. All others are taken for its border,
  // also where triangles fold back. Slivers that rounding to storage has turned over are no folds: the patch
  // may end beside its border by their width.
  double turned = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
  for (std::uint32_t i = first; i < end; ++i) {
    const TriangleIndices& t = mesh_->triangles()[i];
    const Triangle corners = mesh_->triangle(TriangleId(i));
    const Vec3 normal = normalOf(corners);
    const double longest = std::max({norm(corners.v[1] - corners.v[0]), norm(corners.v[2] - corners.v[1]),
                                     norm(corners.v[0] - corners.v[2])});
    const double width = longest > 0 ? norm(normal) / longest : 0;
    bool isBack = false;
    for (const Vec3& p : corners.v) isBack = isBack || !(std::copysign(1, outward) * facing(normal, p) > 0);
    const bool isTurned = isBack && width > flatness * size;
    if (isBack && !isTurned) turned = std::max(turned, width);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto from = t[k], to = t[(k + 1) % 3];
      // A side that is passed once in each direction adds up to 0; a turned triangle never does.
      int& passed = sides[std::minmax(from, to)];
      passed += isTurned ? 1000 : from < to ? 1 : -1;
    }
  }
  patch->rounding += turned;
  std::vector<std::pair<Rectangle, std::uint32_t>> boxes;
  for (const auto& [ends, passed] : sides) {
    if (passed == 0) continue;
    const Flat a = patch->flat(toVec3(mesh_->points()[ends.first]));
    const BorderSide side{a, patch->flat(toVec3(mesh_->points()[ends.second]), a)};
    boxes.emplace_back(boxAround(std::array{side.a, side.b}),
                       static_cast<std::uint32_t>(patch->border.size()));
    patch->border.push_back(side);
  }
  patch->tree = decltype(patch->tree)(boxes);
  return patch;
}

std::optional<double> SurfacePatches::heightOver(TriangleId facing, const Corners& corners,
                                                 const Vec3& middle, double useful) const {
  const Patch* patch = patches_[index(mesh_->surfaceOf(facing))].get();
  if (patch == nullptr) return std::nullopt;
  const double height = patch->heightOf(corners);
  if (!(height <= useful)) return std::nullopt;
  // The triangle may be tilted against the patch a little. What is covered at the image of the point on it is
  // so at the image of the middle if no border is as near.
  const Flat at = patch->flat(middle),
             foot = patch->flat(distancePointTriangle(middle, mesh_->triangle(facing)).onB, at);
  const double aside = lengthOf(at, foot);
  if (!(aside <= 0.25 * useful)) return std::nullopt;
  // What reaches over the border by little is not much farther from the patch: with its corners drawn towards
  // the middle, the piece is over the patch, and no point of it was moved by more. On a plane, it was moved
  // along the plane.
  const double in = patch->isRound ? std::min(0.25 * useful, 0.5 * (useful - height)) : 0.25 * useful;
  const double whole = patch->isRound ? height + in : std::hypot(height, in);
  if (!(whole <= useful)) return std::nullopt;
  std::array<Vec3, FlatPolygon::most> drawn;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3 way = middle - corners[i];
    drawn[i] = corners[i] + std::min(0.5, in / norm(way)) * way;
  }
  bool isCrossed = false;
  patch->eachCrossing(std::span(drawn).first(corners.size()), aside, [&](const BorderSide&) {
    isCrossed = true;
    return false;
  });
  return isCrossed ? std::nullopt : std::optional(whole);
}

std::optional<SurfacePatches::Plane> SurfacePatches::planeOf(TriangleId triangle) const {
  const Patch* patch = patches_[index(mesh_->surfaceOf(triangle))].get();
  return patch == nullptr || patch->isRound ? std::nullopt : std::optional(Plane{patch->origin, patch->z});
}

SurfacePatches::Crossings SurfacePatches::borderBetween(const Corners& corners, double useful,
                                                        std::size_t most) const {
  Crossings found;
  for (const auto& patch : patches_) {
    if (patch == nullptr || !patch->isNear(corners, useful)) continue;
    std::vector<double> acrossAxis;  // many sides may lie in one plane there
    patch->eachCrossing(corners, 0, [&](const BorderSide& side) {
      if (patch->isAcross(side)) {
        const auto isSame = [&](double y) { return std::abs(side.a.y - y) <= patch->storage; };
        if (std::ranges::any_of(acrossAxis, isSame)) return true;
        acrossAxis.push_back(side.a.y);
      }
      if (++found.count > most) return false;
      found.sides.push_back(patch->planeAlong(side));
      return true;
    });
    if (found.count > 0) break;
  }
  return found;
}

}  // namespace fitup
