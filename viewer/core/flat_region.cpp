#include <viewer/core/flat_region.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <boost/polygon/polygon.hpp>

namespace fitup::viewer {
namespace {

namespace bp = boost::polygon;
using GridPoint = bp::point_data<int>;
using GridSet = bp::polygon_set_data<int>;
using GridPolygon = bp::polygon_with_holes_data<int>;

/// Rounds points to whole numbers of at most 2^27, for which Boost.Polygon's arithmetic does not overflow.
class Grid {
 public:
  explicit Grid(const FlatBox& box) : middle_{0.5 * (box.min.x + box.max.x), 0.5 * (box.min.y + box.max.y)} {
    const double reach = std::max(box.max.x - middle_.x, box.max.y - middle_.y);
    // A power of two, so that the way back does not round again.
    scale_ = reach > 0 ? std::exp2(27 - std::ceil(std::log2(reach))) : 1;
  }

  [[nodiscard]] GridPoint at(const FlatPoint& p) const {
    return {static_cast<int>(std::lround((p.x - middle_.x) * scale_)),
            static_cast<int>(std::lround((p.y - middle_.y) * scale_))};
  }
  [[nodiscard]] FlatPoint from(const GridPoint& p) const {
    return {middle_.x + p.x() / scale_, middle_.y + p.y() / scale_};
  }

  /// Adds a loop with the sense in which it runs.
  void add(GridSet& set, const FlatLoop& loop) const {
    std::vector<GridPoint> points;
    points.reserve(loop.size());
    for (const FlatPoint& p : loop) points.push_back(at(p));
    set.insert_vertex_sequence(points.begin(), points.end(), bp::COUNTERCLOCKWISE, false);
  }

  [[nodiscard]] FlatRegion regionOf(const GridSet& set) const {
    std::vector<GridPolygon> polygons;
    set.get(polygons);
    FlatRegion region;
    for (const GridPolygon& polygon : polygons) {
      FlatRegion::Piece piece{loopOf(polygon, 1), {}};
      if (piece.border.size() < 3) continue;
      for (auto hole = polygon.begin_holes(); hole != polygon.end_holes(); ++hole)
        if (FlatLoop loop = loopOf(*hole, -1); loop.size() >= 3) piece.holes.push_back(std::move(loop));
      region.pieces.push_back(std::move(piece));
    }
    return region;
  }

 private:
  /// `sense`: 1 for counter-clockwise, -1 for clockwise.
  template <typename Polygon>
  [[nodiscard]] FlatLoop loopOf(const Polygon& polygon, int sense) const {
    FlatLoop loop;
    for (auto p = polygon.begin(); p != polygon.end(); ++p)
      if (const FlatPoint point = from(*p); loop.empty() || point != loop.back()) loop.push_back(point);
    if (loop.size() > 1 && loop.front() == loop.back()) loop.pop_back();
    if (area(loop) * sense < 0) std::ranges::reverse(loop);
    return loop;
  }

  FlatPoint middle_;
  double scale_ = 1;
};

/// Adds the loops of a region as far as they lie in a box.
void addWithin(const FlatBox& box, const FlatRegion& region, const Grid& grid, GridSet& set) {
  const FlatHalf halves[] = {
      {{1, 0}, box.max.x}, {{-1, 0}, -box.min.x}, {{0, 1}, box.max.y}, {{0, -1}, -box.min.y}};
  const auto add = [&](FlatLoop loop) {
    for (const FlatHalf& half : halves) loop = clipped(loop, half);
    if (loop.size() >= 3) grid.add(set, loop);
  };
  for (const FlatRegion::Piece& piece : region.pieces) {
    if (boxOf(std::span(&piece.border, 1)).intersection(box).empty()) continue;
    add(piece.border);
    for (const FlatLoop& hole : piece.holes)
      if (!boxOf(std::span(&hole, 1)).intersection(box).empty()) add(hole);
  }
}

double length(const FlatLoop& loop) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const FlatPoint &p = loop[i], &q = loop[(i + 1) % loop.size()];
    sum += std::hypot(q.x - p.x, q.y - p.y);
  }
  return sum;
}

double area(const FlatRegion::Piece& piece) noexcept {
  double sum = area(piece.border);
  for (const FlatLoop& hole : piece.holes) sum += area(hole);
  return sum;
}

/// Returns how often the loop winds around the point.
int winding(const FlatLoop& loop, const FlatPoint& at) noexcept {
  int turns = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const FlatPoint &p = loop[i], &q = loop[(i + 1) % loop.size()];
    if ((p.y <= at.y) == (q.y <= at.y)) continue;
    const double side = (q.x - p.x) * (at.y - p.y) - (at.x - p.x) * (q.y - p.y);
    if (q.y > p.y && side > 0) ++turns;
    if (q.y <= p.y && side < 0) --turns;
  }
  return turns;
}

}  // namespace

void FlatBox::extend(const FlatPoint& p) noexcept {
  min = {std::min(min.x, p.x), std::min(min.y, p.y)};
  max = {std::max(max.x, p.x), std::max(max.y, p.y)};
}

FlatBox FlatBox::intersection(const FlatBox& other) const noexcept {
  FlatBox box;
  box.min = {std::max(min.x, other.min.x), std::max(min.y, other.min.y)};
  box.max = {std::min(max.x, other.max.x), std::min(max.y, other.max.y)};
  return box;
}

FlatRegion coveredBy(std::span<const FlatLoop> loops) {
  const FlatBox box = boxOf(loops);
  if (box.empty()) return {};
  const Grid grid(box);
  GridSet set;
  for (const FlatLoop& loop : loops) grid.add(set, loop);
  return grid.regionOf(set);
}

FlatRegion common(const FlatRegion& a, const FlatRegion& b, const FlatBox& box) {
  if (box.empty()) return {};
  const Grid grid(box);
  GridSet ofA, ofB;
  addWithin(box, a, grid, ofA);
  addWithin(box, b, grid, ofB);
  if (ofA.empty() || ofB.empty()) return {};
  using namespace bp::operators;
  ofA &= ofB;
  return grid.regionOf(ofA);
}

FlatLoop clipped(const FlatLoop& loop, const FlatHalf& half) {
  FlatLoop kept;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const FlatPoint &p = loop[i], &q = loop[(i + 1) % loop.size()];
    const double from = half.beyond(p), to = half.beyond(q);
    if (from <= 0) kept.push_back(p);
    if ((from <= 0) == (to <= 0)) continue;
    const double t = from / (from - to);
    kept.push_back({p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t});
  }
  return kept;
}

double area(const FlatLoop& loop) noexcept {
  // Relative to the first point, so that little cancels far from the origin.
  double twice = 0;
  for (std::size_t i = 2; i < loop.size(); ++i)
    twice += (loop[i - 1].x - loop[0].x) * (loop[i].y - loop[0].y) -
             (loop[i].x - loop[0].x) * (loop[i - 1].y - loop[0].y);
  return 0.5 * twice;
}

double area(const FlatRegion& region) noexcept {
  double sum = 0;
  for (const FlatRegion::Piece& piece : region.pieces) sum += area(piece);
  return sum;
}

double meanWidth(const FlatRegion::Piece& piece) noexcept {
  double around = length(piece.border);
  for (const FlatLoop& hole : piece.holes) around += length(hole);
  return around > 0 ? 2 * area(piece) / around : 0;
}

bool contains(const FlatRegion& region, const FlatPoint& point) noexcept {
  return std::ranges::any_of(region.pieces, [&](const FlatRegion::Piece& piece) {
    int turns = winding(piece.border, point);
    if (turns == 0) return false;
    for (const FlatLoop& hole : piece.holes) turns += winding(hole, point);
    return turns > 0;
  });
}

FlatBox boxOf(std::span<const FlatLoop> loops) noexcept {
  FlatBox box;
  for (const FlatLoop& loop : loops)
    for (const FlatPoint& p : loop) box.extend(p);
  return box;
}

FlatBox boxOf(const FlatRegion& region) noexcept {
  FlatBox box;
  for (const FlatRegion::Piece& piece : region.pieces)
    for (const FlatPoint& p : piece.border) box.extend(p);
  return box;
}

}  // namespace fitup::viewer
