// The cuts of `DepthSearch`.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fitup/base/tuning-inl.h>
#include <fitup/query/detail/border_cutter.h>
#include <fitup/query/detail/convex_polygon.h>
#include <fitup/query/detail/depth_search.h>

namespace fitup::detail {
namespace {

/// Returns true for a needle, whose areas are noise. Halving handles needles.
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

/// Cuts the piece along the prism over the triangle that it faces. Over that triangle, the distance to it is
/// the distance to its plane, whose largest value is at a corner. This sharp bound mostly settles that part.
/// Returns false if too little would be gained, and with `mustSettle` also if the part over the triangle may
/// still be deep enough.
bool DepthSearch::cutAlongPrism(const Piece& piece, bool mustSettle) {
  const Triangle t = onOuter_.mesh().triangle(piece.facing);
  const Vec3 normal = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
  const double length = norm(normal);
  ConvexPolygon over = polygonOf(piece);
  if (!(length > 0) || isNeedle(over)) return false;
  const double whole = over.area();
  std::array<ConvexPolygon, 4> parts;  // beside the edges of the triangle, and over it
  for (int k = 0; k < 3; ++k) {
    const Vec3 &from = t.v[k], &to = t.v[(k + 1) % 3];
    const auto [above, below] = over.cut(from, cross(normal, to - from));
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
    if (mustSettle || !(area <= 0.99 * whole)) return false;
    parts[3] = over;
  }
  addParts(piece, parts);
  return true;
}

/// Cuts a piece near a flat or round surface of the target along a side of that surface's border. The part
/// over the surface is then settled. Returns false if the piece does not cross the border, or is too far
/// away.
bool DepthSearch::cutAlongPatch(const Piece& piece) {
  constexpr std::size_t few = 8;
  const ConvexPolygon polygon = polygonOf(piece);
  if (isNeedle(polygon)) return false;
  const SurfacePatches::Crossings crossings =
      patches_->borderBetween(piece.corners(), floor() - rounding_, few);
  if (crossings.count == 0) return false;
  if (crossings.count > few) {
    bisect(piece);
    return true;
  }
  // The most even cut. A piece that only touches the border is beside the surface.
  std::array<ConvexPolygon, 2> best;
  double least = 0x1p-20 * polygon.area();
  bool isCut = false;
  for (const SurfacePatches::Plane& side : crossings.sides) {
    const auto [above, below] = polygon.cut(side.point, side.normal);
    const double smaller = std::min(above.area(), below.area());
    if (!(smaller >= least)) continue;
    least = smaller;
    best = {above, below};
    isCut = true;
  }
  if (isCut) addParts(piece, best);
  return isCut;
}

/// Cuts a piece along the plane of the flat surface that it faces, beyond which it often is outside. Returns
/// false if it lies on one side of it.
bool DepthSearch::cutAlongPlane(const Piece& piece) {
  const ConvexPolygon polygon = polygonOf(piece);
  const auto plane = patches_->planeOf(piece.facing);
  if (!plane || isNeedle(polygon)) return false;
  const auto [above, below] = polygon.cut(plane->point, plane->normal);
  if (!(std::min(above.area(), below.area()) >= 0x1p-10 * polygon.area())) return false;
  addParts(piece, std::array{above, below});
  return true;
}

/// Adds the parts into which a piece was cut. Slivers narrower than rounding are left out: their points are
/// no farther than that from a part beside them.
void DepthSearch::addParts(const Piece& piece, std::span<const ConvexPolygon> polygons) {
  cutCorners_.assign(piece.corner.begin(), piece.corner.end());
  for (const ConvexPolygon& polygon : polygons)
    if (polygon.count >= 3 && polygon.area() > 0.25 * rounding_ * polygon.longestEdge())
      addFan(piece, polygon);
}

/// Adds a polygon that was cut from a piece, as triangles. Cuts share corners, mostly with those made shortly
/// before.
void DepthSearch::addFan(const Piece& piece, const ConvexPolygon& polygon) {
  const auto cornerOf = [&](const Vec3& p) {
    const auto last = cutCorners_.rbegin();
    const auto end = last + static_cast<std::ptrdiff_t>(std::min(cutCorners_.size(), tuning::lastCorners));
    const auto known = std::find_if(last, end, [&](const Corner& c) { return c.p == p; });
    return known != end ? *known : cutCorners_.emplace_back(cornerAt(p, piece.facing));
  };
  const std::size_t first = polygon.fanCorner();
  const auto corner = [&](std::size_t i) { return cornerOf(polygon.p[(first + i) % polygon.count]); };
  for (std::size_t i = 2; i < polygon.count; ++i) {
    Piece part = piece;
    part.corner = {corner(0), corner(i - 1), corner(i)};
    add(part);
  }
}

/// Returns the stretches of the border that run through the piece, and keeps them for its parts. Returns
/// nothing if they are not known.
std::optional<BorderCrossings> DepthSearch::borderCrossings(Piece& piece) {
  if (goal_->border == nullptr || piece.borderFails) return std::nullopt;
  const std::vector<BorderStretch>& border = goal_->border->on(piece.source);
  // A whole border is not kept, because each piece of a triangle may come here for the first time.
  while (allPlaces_.size() < border.size())
    allPlaces_.push_back(static_cast<std::uint32_t>(allPlaces_.size()));
  const auto some = piece.firstStretch
                        ? std::span(stretches_).subspan(*piece.firstStretch, piece.stretchCount)
                        : std::span(allPlaces_).first(border.size());
  auto crossings = BorderCutter(border, rounding_).crossings(polygonOf(piece), some);
  if (crossings && (!piece.firstStretch || crossings->count() < piece.stretchCount)) {
    piece.firstStretch = stretches_.size();
    piece.stretchCount = static_cast<std::uint32_t>(crossings->count());
    stretches_.insert(stretches_.end(), crossings->stretches.begin(), crossings->stretches.end());
  }
  return crossings;
}

/// Cuts the piece at the border of the part that counts, into cells that count as a whole or not at all.
bool DepthSearch::cutAlongBorder(Piece& piece) {
  if (piece.whole) return false;
  auto crossings = borderCrossings(piece);
  if (!crossings || crossings->none()) return false;
  const ConvexPolygon polygon = polygonOf(piece);
  // Pieces as small as the smallest useful depth are settled by their distance. Where they are few, cuts do
  // not pay off, because they make needles of large radius.
  const double leastArea = tuning::piecesForCut * floor() * floor();
  if (polygon.area() < leastArea * static_cast<double>(crossings->count())) return false;
  const std::vector<BorderCutter::Cell> cells =
      BorderCutter(goal_->border->on(piece.source), rounding_)
          .cells(polygon, std::move(*crossings), leastArea, tuning::mostCells);
  if (cells.size() < 2) return false;
  cutCorners_.assign(piece.corner.begin(), piece.corner.end());
  for (const BorderCutter::Cell& cell : cells) addCell(piece, cell);
  return true;
}

void DepthSearch::addCell(const Piece& piece, const BorderCutter::Cell& cell) {
  Piece part = piece;
  if (cell.uncrossed) {
    ++result_.pieces;
    const Vec3 middle = cell.polygon.middle();
    double radius = 0;
    for (std::size_t i = 0; i < cell.polygon.count; ++i)
      radius = std::max(radius, norm(cell.polygon.p[i] - middle));
    const Corner centre = cornerAt(middle, piece.facing);
    part.facing = centre.nearest;
    part.upper = std::min(part.upper, centre.distance + radius);
    if (part.upper + rounding_ <= floor()) return;
    // A point on the surface is neither inside nor outside.
    if (centre.distance > rounding_) {
      if (!isInside(middle)) return;
      if (goal_->counts && !goal_->counts(middle, piece.source)) return;
      part.whole = true;
    }
  }
  addFan(part, cell.polygon);
}

/// Cuts the piece where, by the distances at its corners, two triangles seem equally near. The bound by one
/// of them is then sharp on each side, and the deepest points are corners. Not done twice in a row, because
/// ridges at edges are curved.
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
  const auto isCut = [&] {
    // Where the surfaces meet all over, as in a fit without play, the border has more cells than the overlay.
    return cutAlongPatch(next) || cutAlongPrism(next, true) || cutAlongBorder(next) || cutAlongPlane(next) ||
           cutAlongPrism(next, false) || cutAlongRidge(piece);
  };
  if (!isCut()) bisect(next);
}

}  // namespace fitup::detail
