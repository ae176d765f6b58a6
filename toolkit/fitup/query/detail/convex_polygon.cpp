#include <fitup/query/detail/convex_polygon.h>

#include <algorithm>
#include <limits>

namespace fitup::detail {

Vec3 ConvexPolygon::middle() const noexcept {
  Vec3 sum;
  for (std::size_t i = 0; i < count; ++i) sum = sum + p[i];
  return sum * (1.0 / static_cast<double>(count));
}

Vec3 ConvexPolygon::normal() const noexcept {
  Vec3 sum;
  for (std::size_t i = 2; i < count; ++i) sum = sum + cross(p[i - 1] - p[0], p[i] - p[0]);
  return sum;
}

double ConvexPolygon::longestEdge() const noexcept {
  double longest = 0;
  for (std::size_t i = 0; i < count; ++i) longest = std::max(longest, norm(p[(i + 1) % count] - p[i]));
  return longest;
}

std::size_t ConvexPolygon::fanCorner() const noexcept {
  std::size_t best = 0;
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; count > 3 && i < count; ++i) {
    double longest = 0;
    for (std::size_t k = 2; k + 1 < count; ++k) longest = std::max(longest, norm(p[(i + k) % count] - p[i]));
    if (longest >= shortest) continue;
    shortest = longest;
    best = i;
  }
  return best;
}

ConvexPolygon::HalvingPlane ConvexPolygon::halvingPlane() const noexcept {
  Vec3 from, way;
  double longest = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = i + 1; k < count; ++k)
      if (const double length = norm(p[k] - p[i]); length > longest) {
        longest = length;
        from = p[i];
        way = p[k] - p[i];
      }
  return {from + 0.5 * way, way};
}

std::pair<ConvexPolygon, ConvexPolygon> ConvexPolygon::halved() const noexcept {
  const HalvingPlane plane = halvingPlane();
  return cut(plane.point, plane.normal);
}

std::pair<ConvexPolygon, ConvexPolygon> ConvexPolygon::halvedAtCorners() const noexcept {
  std::pair<ConvexPolygon, ConvexPolygon> halves;
  const std::size_t middle = count / 2;
  for (std::size_t i = 0; i <= middle; ++i) halves.first.add(p[i]);
  for (std::size_t i = middle; i <= count; ++i) halves.second.add(p[i % count]);
  return halves;
}

std::optional<ConvexPolygon> ConvexPolygon::drawnTo(const Vec3& middle, double by) const noexcept {
  ConvexPolygon drawn;
  for (const Vec3& corner : corners()) {
    const Vec3 way = middle - corner;
    const double length = norm(way);
    if (!(length > by)) return std::nullopt;
    drawn.add(corner + (by / length) * way);
  }
  return drawn;
}

std::pair<ConvexPolygon, ConvexPolygon> ConvexPolygon::cut(const std::array<double, most>& f) const noexcept {
  if (std::all_of(f.begin(), f.begin() + static_cast<std::ptrdiff_t>(count), [](double v) { return v >= 0; }))
    return {*this, {}};
  ConvexPolygon above, below;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t j = (i + 1) % count;
    if (f[i] >= 0) above.add(p[i]);
    if (f[i] <= 0) below.add(p[i]);
    if ((f[i] > 0 && f[j] < 0) || (f[i] < 0 && f[j] > 0)) {
      const Vec3 q = p[i] + (p[j] - p[i]) * (f[i] / (f[i] - f[j]));
      above.add(q);
      below.add(q);
    }
  }
  return {above, below};
}

std::pair<ConvexPolygon, ConvexPolygon> ConvexPolygon::cut(const Vec3& at,
                                                           const Vec3& normal) const noexcept {
  std::array<double, most> f{};
  for (std::size_t i = 0; i < count; ++i) f[i] = dot(normal, p[i] - at);
  return cut(f);
}

}  // namespace fitup::detail
