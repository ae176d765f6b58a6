#include <fitup/query/detail/border_cutter.h>

#include <fitup/base/tuning-inl.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace fitup::detail {
namespace {

/// The half planes that bound a polygon. Values are positive inside.
class Edges {
 public:
  /// The half planes of a needle are not `known`.
  Edges(const ConvexPolygon& polygon, double leastHeight) : polygon_(polygon) {
    const Vec3 normal = polygon.normal();
    for (std::size_t k = 0; k < polygon.count; ++k) {
      const Vec3 inward = cross(normal, polygon.p[(k + 1) % polygon.count] - polygon.p[k]);
      const double length = norm(inward);
      if (!(length > 0)) continue;  // two corners coincide
      from_[count_] = polygon.p[k];
      inward_[count_++] = inward * (1 / length);
    }
    known_ = count_ >= 3;
    for (std::size_t k = 0; k < count_; ++k) {
      double height = 0, least = 0;
      for (std::size_t i = 0; i < polygon.count; ++i) {
        const double value = valueAt(k, polygon.p[i]);
        height = std::max(height, value);
        least = std::min(least, value);
      }
      known_ = known_ && height - least > leastHeight;
      // An edge hardly longer than rounding may have any direction, so its half plane is moved until all
      // corners are inside.
      from_[k] = from_[k] + inward_[k] * least;
    }
  }
  [[nodiscard]] bool known() const noexcept { return known_; }

  /// Share of its line in the polygon that a stretch covers; 0 if it does not run through the polygon.
  [[nodiscard]] double shareOf(const BorderStretch& stretch, double atEdge,
                               double nearCorner) const noexcept {
    // The stretch is in the polygon between the parameters t0 and t1, its line between s0 and s1.
    const auto& [from, to] = stretch;
    double t0 = 0, t1 = 1, s0 = -std::numeric_limits<double>::infinity(), s1 = -s0;
    std::array<double, ConvexPolygon::most> f, g;
    for (std::size_t k = 0; k < count_; ++k) {
      f[k] = valueAt(k, from);
      g[k] = valueAt(k, to);
      if (f[k] < 0 && g[k] < 0) return 0;
      if (f[k] == g[k]) continue;
      const double at = f[k] / (f[k] - g[k]);
      (g[k] > f[k] ? s0 : s1) = g[k] > f[k] ? std::max(s0, at) : std::min(s1, at);
      if ((f[k] < 0) == (g[k] < 0)) continue;
      (f[k] < 0 ? t0 : t1) = f[k] < 0 ? std::max(t0, at) : std::min(t1, at);
    }
    if (!(t0 < t1)) return 0;
    const Vec3 p = from + (to - from) * t0, q = from + (to - from) * t1;
    if (p == q) return 0;  // a single point
    // A stretch at one edge, or at two that are nearly in line, runs along the border. In the tip of a needle
    // it is at two edges that face each other and far from the corner; there it runs across.
    std::array<std::size_t, ConvexPolygon::most> at;
    std::size_t edges = 0;
    for (std::size_t k = 0; k < count_; ++k)
      if (f[k] + 0.5 * (t0 + t1) * (g[k] - f[k]) <= atEdge) at[edges++] = k;
    if (edges > 0) {
      bool across = false;
      for (std::size_t i = 0; i < edges; ++i)
        for (std::size_t j = 0; j < i; ++j) across = across || dot(inward_[at[i]], inward_[at[j]]) < 0;
      const auto isNear = [&](const Vec3& corner) {
        return norm(corner - p) <= nearCorner || norm(corner - q) <= nearCorner;
      };
      const auto end = polygon_.p.begin() + static_cast<std::ptrdiff_t>(polygon_.count);
      if (!across || std::any_of(polygon_.p.begin(), end, isNear)) return 0;
    }
    return (t1 - t0) / (s1 - s0);
  }

 private:
  [[nodiscard]] double valueAt(std::size_t k, const Vec3& p) const noexcept {
    return dot(inward_[k], p - from_[k]);
  }

  const ConvexPolygon& polygon_;
  std::array<Vec3, ConvexPolygon::most> from_, inward_;  // unit vectors perpendicular to the edges
  std::size_t count_ = 0;
  bool known_ = false;
};

using Halves = std::pair<ConvexPolygon, ConvexPolygon>;

/// Halves a polygon at the middle of its longest diagonal or edge.
Halves halved(const ConvexPolygon& polygon) noexcept {
  Vec3 from = polygon.p[0], to = from;
  for (std::size_t i = 0; i < polygon.count; ++i)
    for (std::size_t j = i + 1; j < polygon.count; ++j)
      if (norm(polygon.p[j] - polygon.p[i]) > norm(to - from)) {
        from = polygon.p[i];
        to = polygon.p[j];
      }
  return polygon.cut(0.5 * (from + to), to - from);
}

}  // namespace

std::optional<BorderCrossings> BorderCutter::crossings(const ConvexPolygon& polygon,
                                                       std::span<const std::uint32_t> some) const {
  const double atEdge = 4 * rounding_, near = 64 * rounding_;
  const Edges edges(polygon, near);
  if (!edges.known()) return std::nullopt;
  BorderCrossings crossings;
  double most = 0;
  for (const std::uint32_t place : some) {
    const double share = edges.shareOf(border_[place], atEdge, near);
    if (!(share > 0)) continue;
    crossings.stretches.push_back(place);
    if (share > most) crossings.longest = place;
    most = std::max(most, share);
  }
  return crossings;
}

Halves BorderCutter::halves(const ConvexPolygon& polygon, const BorderCrossings& crossings) const noexcept {
  // A cut may add one corner to a half, and another one if rounding has made the polygon slightly concave.
  if (polygon.count + 2 > ConvexPolygon::most) return polygon.halvedAtCorners();
  if (crossings.count() > tuning::mostCrossings) return halved(polygon);
  const auto& [from, to] = border_[crossings.longest];
  const Halves halves = polygon.cut(from, cross(polygon.normal(), to - from));
  const bool gained = std::min(halves.first.area(), halves.second.area()) > 0x1p-40 * polygon.area();
  return gained ? halves : halved(polygon);
}

std::vector<BorderCutter::Cell> BorderCutter::cells(const ConvexPolygon& polygon, BorderCrossings crossings,
                                                    double leastArea, std::size_t most) const {
  struct Open {
    ConvexPolygon polygon;
    BorderCrossings crossings;
  };
  std::vector<Cell> cells;
  std::vector<Open> open;
  open.push_back({polygon, std::move(crossings)});
  while (!open.empty()) {
    const Open next = std::move(open.back());
    open.pop_back();
    const bool tooSmall = next.polygon.area() < leastArea * static_cast<double>(next.crossings.count());
    if (next.crossings.none() || tooSmall || cells.size() + open.size() >= most) {
      cells.push_back({next.polygon, next.crossings.none()});
      continue;
    }
    const auto [above, below] = halves(next.polygon, next.crossings);
    for (const ConvexPolygon& half : {above, below}) {
      if (half.count < 3) continue;
      if (auto inHalf = this->crossings(half, next.crossings.stretches))
        open.push_back({half, std::move(*inHalf)});
      else
        cells.push_back({half, false});
    }
  }
  return cells;
}

}  // namespace fitup::detail
