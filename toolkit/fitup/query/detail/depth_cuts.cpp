// How `DepthSearch` cuts its pieces.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fitup/query/detail/convex_polygon.h>
#include <fitup/query/detail/depth_search.h>

namespace fitup::detail {
namespace {

/// Longer borders are not looked at, as all of a triangle's is for each of its pieces.
constexpr std::size_t mostStretches = 256;
/// Pieces that more stretches cross are halved: cut along each of them they would be cut beyond their ends.
constexpr std::size_t mostCrossings = 8;
/// A cut is as good as so many pieces.
constexpr double piecesForCut = 4;

/// Of needles the areas are noise; halving gets on with them.
bool isNeedle(const ConvexPolygon& polygon) {
  const double longest = polygon.longestEdge();
  return !(polygon.area() > 0x1p-30 * longest * longest);
}

}  // namespace

ConvexPolygon DepthSearch::polygonOf(const Piece& piece) noexcept {
  return ConvexPolygon::of(piece.corner[0].p, piece.corner[1].p, piece.corner[2].p);
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

/// Cuts the piece along the prism over the triangle that it faces. Over the triangle the distance to it is
/// that to its plane, whose largest value a corner has: a sharp bound, which mostly settles that part. False
/// if too little would be gained.
bool DepthSearch::cutAlongPrism(const Piece& piece) {
  const Triangle t = targetBody_->mesh().triangle(piece.facing);
  const Vec3 normal = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
  const double length = norm(normal);
  ConvexPolygon over = polygonOf(piece);
  if (!(length > 0) || isNeedle(over)) return false;
  const double whole = over.area();
  std::array<ConvexPolygon, 4> parts;  // beside the triangle's edges, and over it
  for (int k = 0; k < 3; ++k) {
    const Vec3 &from = t.v[k], &to = t.v[(k + 1) % 3];
    const Vec3 inward = cross(normal, to - from);
    std::array<double, ConvexPolygon::most> f{};
    for (std::size_t i = 0; i < over.count; ++i) f[i] = dot(inward, over.p[i] - from);
    const auto [above, below] = over.cut(f);
    parts[static_cast<std::size_t>(k)] = below;
    over = above;
    if (over.count < 3) return false;
  }
  const double area = over.area();
  if (!(area >= 0.01 * whole)) return false;
  double height = 0;
  for (std::size_t i = 0; i < over.count; ++i)
    height = std::max(height, std::abs(dot(over.p[i] - t.v[0], normal)) / length);
  if (height + rounding_ > floor()) {
    if (!(area <= 0.99 * whole)) return false;
    parts[3] = over;
  }
  addParts(piece, parts);
  return true;
}

/// Adds what a piece was cut into: convex polygons, as triangles. Cuts have corners in common.
void DepthSearch::addParts(const Piece& piece, std::span<const ConvexPolygon> polygons) {
  std::vector<Corner>& known = cutCorners_;
  known.assign(piece.corner.begin(), piece.corner.end());
  const auto cornerOf = [&](const Vec3& p) {
    for (const Corner& c : known)
      if (c.p == p) return c;
    return known.emplace_back(cornerAt(p, piece.facing));
  };
  for (const ConvexPolygon& polygon : polygons) {
    const std::size_t first = polygon.fanCorner();
    const auto corner = [&](std::size_t i) { return cornerOf(polygon.p[(first + i) % polygon.count]); };
    for (std::size_t i = 2; i < polygon.count; ++i) {
      Piece part = piece;
      part.corner = {corner(0), corner(i - 1), corner(i)};
      add(part);
    }
  }
}

std::optional<DepthSearch::BorderCrossed> DepthSearch::borderCrossed(const Piece& piece) const {
  if (goal_->border == nullptr || piece.borderFails) return std::nullopt;
  const std::vector<Stretch>& border = goal_->border->on(piece.source);
  if (border.size() > mostStretches) return std::nullopt;
  const auto& v = piece.corner;
  const Vec3 normal = cross(v[1].p - v[0].p, v[2].p - v[0].p);
  const double atEdge = 4 * rounding_, near = 64 * rounding_;
  std::array<Vec3, 3> inward;  // unit, across the edges
  for (std::size_t k = 0; k < 3; ++k) {
    inward[k] = cross(normal, v[(k + 1) % 3].p - v[k].p);
    const double length = norm(inward[k]);
    if (!(length > 0)) return std::nullopt;
    inward[k] = inward[k] * (1 / length);
    // In a needle everything is along an edge.
    if (!(dot(inward[k], v[(k + 2) % 3].p - v[k].p) > near)) return std::nullopt;
  }
  BorderCrossed crossed;
  double most = 0;
  for (const auto& [from, to] : border) {
    // The stretch between the parameters t0 and t1 is in the piece.
    double t0 = 0, t1 = 1;
    std::array<double, 3> f{}, g{};
    for (std::size_t k = 0; k < 3; ++k) {
      f[k] = dot(inward[k], from - v[k].p);
      g[k] = dot(inward[k], to - v[k].p);
      if (f[k] < 0 && g[k] < 0) t1 = -1;
      if ((f[k] < 0) == (g[k] < 0)) continue;
      const double t = f[k] / (f[k] - g[k]);
      (f[k] < 0 ? t0 : t1) = f[k] < 0 ? std::max(t0, t) : std::min(t1, t);
    }
    if (!(t0 < t1)) continue;
    const Vec3 p = from + (to - from) * t0, q = from + (to - from) * t1;
    if (p == q) continue;  // a single point
    // At an edge, as where the piece was cut, or past a corner, it cuts off nothing but rounding. In the tip
    // of a needle it is at two edges and far from the corner.
    std::size_t edges = 0;
    for (std::size_t k = 0; k < 3; ++k) edges += f[k] + 0.5 * (t0 + t1) * (g[k] - f[k]) <= atEdge ? 1 : 0;
    if (edges == 1 || std::any_of(v.begin(), v.end(), [&](const Corner& c) {
          return edges > 0 && (norm(c.p - p) <= near || norm(c.p - q) <= near);
        }))
      continue;
    ++crossed.count;
    // Its line is in the piece between s0 and s1.
    double s0 = -std::numeric_limits<double>::infinity(), s1 = -s0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (f[k] == g[k]) continue;
      const double s = f[k] / (f[k] - g[k]);
      (g[k] > f[k] ? s0 : s1) = g[k] > f[k] ? std::max(s0, s) : std::min(s1, s);
    }
    const double share = (t1 - t0) / (s1 - s0);
    if (share <= most) continue;
    most = share;
    crossed.cut = {p, q};
  }
  return crossed;
}

/// Cuts the piece where what counts ends on it, if it does so along few lines.
bool DepthSearch::cutAlongBorder(const Piece& piece) {
  if (piece.whole) return false;
  const auto border = borderCrossed(piece);
  if (!border || border->count == 0 || border->count > mostCrossings) return false;
  const ConvexPolygon polygon = polygonOf(piece);
  // Pieces as small as what would be worth a look are settled by their distance: where they are few, cuts,
  // which make needles of large radius, do not pay.
  if (polygon.area() < piecesForCut * static_cast<double>(border->count) * floor() * floor()) return false;
  const auto& [from, to] = border->cut;
  const Vec3 normal = cross(polygon.p[1] - polygon.p[0], polygon.p[2] - polygon.p[0]);
  const Vec3 across = cross(normal, to - from);
  std::array<double, ConvexPolygon::most> f{};
  for (std::size_t i = 0; i < polygon.count; ++i) f[i] = dot(across, polygon.p[i] - from);
  const auto [above, below] = polygon.cut(f);
  // Halving gets on where a cut leaves the piece as it is.
  if (std::min(above.area(), below.area()) <= 0x1p-40 * polygon.area()) return false;
  addParts(piece, std::array{above, below});
  return true;
}

/// Cuts the piece where two triangles seem to be as near, by their distances at its corners: then the bound
/// by one of them is sharp on either side, and the deepest points are corners. Not twice in a row, as ridges
/// at edges are curved.
bool DepthSearch::cutAlongRidge(const Piece& piece) {
  const ConvexPolygon polygon = polygonOf(piece);
  if (!piece.acrossRidge || piece.cutAtRidge || isNeedle(polygon)) return false;
  std::array<double, ConvexPolygon::most> f{};
  std::copy(piece.acrossRidge->begin(), piece.acrossRidge->end(), f.begin());
  const auto [above, below] = polygon.cut(f);
  if (!(std::min(above.area(), below.area()) >= 0x1p-10 * polygon.area())) return false;
  Piece parts = piece;
  parts.cutAtRidge = true;
  addParts(parts, std::array{above, below});
  return true;
}

void DepthSearch::split(const Piece& piece) {
  Piece next = piece;
  next.cutAtRidge = false;
  if (!cutAlongBorder(next) && !cutAlongPrism(next) && !cutAlongRidge(piece)) bisect(next);
}

}  // namespace fitup::detail
