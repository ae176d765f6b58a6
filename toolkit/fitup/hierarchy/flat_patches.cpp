#include <fitup/hierarchy/flat_patches.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>

#include <fitup/geometry/distance_point_triangle.h>

namespace fitup {
namespace {

namespace bgi = boost::geometry::index;

using Point = boost::geometry::model::point<double, 2, boost::geometry::cs::cartesian>;
using Rectangle = boost::geometry::model::box<Point>;

/// A point of a plane, in a frame of the plane.
struct Flat {
  double x = 0, y = 0;
};
struct BorderSide {
  Flat a, b;
};
using FlatTriangle = std::array<Flat, 3>;

double across(const Flat& from, const Flat& to, const Flat& p) {
  return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
}

Rectangle boxAround(std::initializer_list<Flat> points) {
  Flat low = *points.begin(), high = low;
  for (const Flat& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return {Point(low.x, low.y), Point(high.x, high.y)};
}

/// False if a line along a side of either separates the two by more than rounding.
bool mayMeet(const BorderSide& segment, const FlatTriangle& t, double rounding) {
  const double turn = across(t[0], t[1], t[2]) < 0 ? -1 : 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const Flat &from = t[i], &to = t[(i + 1) % 3];
    const double apart = -rounding * std::hypot(to.x - from.x, to.y - from.y);
    if (turn * across(from, to, segment.a) < apart && turn * across(from, to, segment.b) < apart)
      return false;
  }
  const double apart = rounding * std::hypot(segment.b.x - segment.a.x, segment.b.y - segment.a.y);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Flat& p : t) {
    low = std::min(low, across(segment.a, segment.b, p));
    high = std::max(high, across(segment.a, segment.b, p));
  }
  return low <= apart && high >= -apart;
}

}  // namespace

struct FlatPatches::Patch {
  Vec3 origin, x, y, normal;
  double unevenness = 0;  ///< largest distance of a corner from the plane
  double rounding = 0;    ///< of the coordinates in the plane
  std::vector<BorderSide> border;
  bgi::rtree<std::pair<Rectangle, std::uint32_t>, bgi::quadratic<8>> tree;

  [[nodiscard]] Flat flat(const Vec3& p) const { return {dot(p - origin, x), dot(p - origin, y)}; }
  /// The largest distance of the corners from the patch, if they are over it.
  [[nodiscard]] double heightOf(const Corners& corners) const {
    double height = 0;
    for (const Vec3& corner : corners) height = std::max(height, std::abs(dot(corner - origin, normal)));
    return height + unevenness;
  }
  /// Calls `visit` with each side of the border that may come within `margin` of what is between the corners,
  /// until it returns false.
  template <typename Visit>
  void eachCrossing(const Corners& corners, double margin, const Visit& visit) const {
    const double reach = rounding + margin;
    const FlatTriangle piece{flat(corners[0]), flat(corners[1]), flat(corners[2])};
    Rectangle box = boxAround({piece[0], piece[1], piece[2]});
    box = {Point(box.min_corner().get<0>() - reach, box.min_corner().get<1>() - reach),
           Point(box.max_corner().get<0>() + reach, box.max_corner().get<1>() + reach)};
    for (auto found = tree.qbegin(bgi::intersects(box)); found != tree.qend(); ++found)
      if (mayMeet(border[found->second], piece, reach) && !visit(border[found->second])) return;
  }
};

FlatPatches::FlatPatches(const TriangleMesh& mesh) : mesh_(&mesh) {
  for (const Surface& surface : mesh.surfaces()) patches_.push_back(patchOf(surface));
}
FlatPatches::~FlatPatches() = default;
FlatPatches::FlatPatches(FlatPatches&&) noexcept = default;
FlatPatches& FlatPatches::operator=(FlatPatches&&) noexcept = default;

std::unique_ptr<FlatPatches::Patch> FlatPatches::patchOf(const Surface& surface) const {
  constexpr std::uint32_t worthwhile = 8;  // bounds by single triangles do for fewer
  constexpr double flatness = 0x1p-20;     // as a share of the size; storage rounds to 2^-24
  if (surface.triangleCount < worthwhile) return nullptr;
  const auto first = surface.firstTriangle, end = first + surface.triangleCount;
  const auto normalOf = [&](std::uint32_t i) {
    const Triangle t = mesh_->triangle(TriangleId(i));
    return cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
  };
  Vec3 sum;
  for (std::uint32_t i = first; i < end; ++i) sum = sum + normalOf(i);
  auto patch = std::make_unique<Patch>();
  if (!(norm(sum) > 0)) return nullptr;
  patch->normal = normalized(sum);
  patch->origin = mesh_->triangle(TriangleId(first)).v[0];
  double size = 0;
  for (std::uint32_t i = first; i < end; ++i)
    for (const Vec3& corner : mesh_->triangle(TriangleId(i)).v) {
      patch->unevenness = std::max(patch->unevenness, std::abs(dot(corner - patch->origin, patch->normal)));
      size = std::max(size, norm(corner - patch->origin));
    }
  if (!(patch->unevenness <= flatness * size)) return nullptr;
  const Vec3& n = patch->normal;
  patch->x = normalized(cross(n, std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
  patch->y = cross(n, patch->x);
  patch->rounding = 0x1p-40 * (size + norm(patch->origin));

  // A side between two triangles of the same sense is within the patch. All others are taken for its border,
  // also where triangles fold back. Slivers that rounding to storage has turned over are no folds: the patch
  // may end beside its border by their width.
  double turned = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
  for (std::uint32_t i = first; i < end; ++i) {
    const TriangleIndices& t = mesh_->triangles()[i];
    const Triangle corners = mesh_->triangle(TriangleId(i));
    const double longest = std::max({norm(corners.v[1] - corners.v[0]), norm(corners.v[2] - corners.v[1]),
                                     norm(corners.v[0] - corners.v[2])});
    const double width = longest > 0 ? norm(normalOf(i)) / longest : 0;
    const bool isBack = !(dot(normalOf(i), n) > 0), isTurned = isBack && width > flatness * size;
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
    const BorderSide side{patch->flat(toVec3(mesh_->points()[ends.first])),
                          patch->flat(toVec3(mesh_->points()[ends.second]))};
    boxes.emplace_back(boxAround({side.a, side.b}), static_cast<std::uint32_t>(patch->border.size()));
    patch->border.push_back(side);
  }
  patch->tree = decltype(patch->tree)(boxes);
  return patch;
}

std::optional<double> FlatPatches::heightOver(TriangleId facing, const Corners& corners, const Vec3& middle,
                                              double useful) const {
  const Patch* patch = patches_[index(mesh_->surfaceOf(facing))].get();
  if (patch == nullptr) return std::nullopt;
  const double height = patch->heightOf(corners);
  if (!(height <= useful)) return std::nullopt;
  const Flat at = patch->flat(middle),
             foot = patch->flat(distancePointTriangle(middle, mesh_->triangle(facing)).onB);
  // The triangle may be tilted against the plane a little. A projection that is beside the patch by less has
  // a border nearby, which is then taken for a crossing.
  const double slack = 0.05 * useful;
  if (!(std::hypot(at.x - foot.x, at.y - foot.y) <= slack)) return std::nullopt;
  // What reaches over the border by little is not much farther from the patch: with its corners drawn towards
  // the middle, the piece is over the patch, and no point of it was moved by more.
  const double in = 0.25 * useful;
  Corners drawn = corners;
  for (Vec3& corner : drawn) {
    const Vec3 way = middle - corner;
    corner = corner + std::min(0.5, in / norm(way)) * way;
  }
  bool isCrossed = false;
  patch->eachCrossing(drawn, slack, [&](const BorderSide&) {
    isCrossed = true;
    return false;
  });
  const double whole = std::hypot(height, in);
  return isCrossed || !(whole <= useful) ? std::nullopt : std::optional(whole);
}

std::optional<FlatPatches::Plane> FlatPatches::planeOf(TriangleId triangle) const {
  const Patch* patch = patches_[index(mesh_->surfaceOf(triangle))].get();
  return patch == nullptr ? std::nullopt : std::optional(Plane{patch->origin, patch->normal});
}

FlatPatches::Crossings FlatPatches::borderBetween(const Corners& corners, double useful,
                                                  std::size_t most) const {
  Crossings found;
  for (const auto& patch : patches_) {
    if (patch == nullptr || !(patch->heightOf(corners) <= useful)) continue;
    patch->eachCrossing(corners, 0, [&](const BorderSide& side) {
      if (++found.count > most) return false;
      const double x = side.b.x - side.a.x, y = side.b.y - side.a.y;
      found.sides.push_back(
          {patch->origin + side.a.x * patch->x + side.a.y * patch->y, x * patch->y - y * patch->x});
      return true;
    });
    if (found.count > 0) break;
  }
  return found;
}

}  // namespace fitup
