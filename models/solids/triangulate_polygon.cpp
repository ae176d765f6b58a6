#include <models/solids/triangulate_polygon.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <fitup/base/error.h>

namespace fitup::models {
namespace {

using Index = std::uint32_t;
using Ring = std::vector<Index>;

double cross(const Point2& a, const Point2& b, const Point2& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double squaredDistance(const Point2& a, const Point2& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

class Triangulator {
 public:
  explicit Triangulator(std::span<const Point2> points) : points_(points) {}

  std::vector<std::array<Index, 3>> run(const std::vector<Ring>& loops) {
    Ring outline = directed(loops.at(0), true);
    std::vector<Ring> holes;
    for (std::size_t i = 1; i < loops.size(); ++i) holes.push_back(directed(loops[i], false));
    const auto rightmost = [&](const Ring& ring) {
      return *std::max_element(ring.begin(), ring.end(), [&](Index a, Index b) {
        return std::pair(points_[a].x, a) < std::pair(points_[b].x, b);
      });
    };
    std::sort(holes.begin(), holes.end(), [&](const Ring& a, const Ring& b) {
      return std::pair(-points_[rightmost(a)].x, a) < std::pair(-points_[rightmost(b)].x, b);
    });
    for (std::size_t i = 0; i < holes.size(); ++i) bridge(outline, holes, i, rightmost(holes[i]));
    cutEars(outline);
    flipToDelaunay(loops);
    return std::move(triangles_);
  }

 private:
  [[nodiscard]] Ring directed(Ring ring, bool counterClockwise) const {
    double area = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point2 &a = points_[ring[i]], &b = points_[ring[(i + 1) % ring.size()]];
      area += a.x * b.y - b.x * a.y;
    }
    if ((area > 0) != counterClockwise) std::reverse(ring.begin(), ring.end());
    return ring;
  }

  [[nodiscard]] bool blocked(Index p, Index q, const Ring& ring) const {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Index a = ring[i], b = ring[(i + 1) % ring.size()];
      if (a == p || a == q || b == p || b == q) continue;
      const double side0 = cross(points_[p], points_[q], points_[a]);
      const double side1 = cross(points_[p], points_[q], points_[b]);
      const double side2 = cross(points_[a], points_[b], points_[p]);
      const double side3 = cross(points_[a], points_[b], points_[q]);
      if (side0 * side1 <= 0 && side2 * side3 <= 0) return true;
    }
    return false;
  }

  /// Whether the direction from ring[i] to q starts inside the region left of the ring; a bridged vertex
  /// stands in the ring more than once, with a different corner each time.
  [[nodiscard]] bool startsInside(const Ring& ring, std::size_t i, Index q) const {
    const Point2& before = points_[ring[(i + ring.size() - 1) % ring.size()]];
    const Point2& here = points_[ring[i]];
    const Point2& after = points_[ring[(i + 1) % ring.size()]];
    const bool leftOfIn = cross(before, here, points_[q]) > 0;
    const bool leftOfOut = cross(here, after, points_[q]) > 0;
    return cross(before, here, after) > 0 ? leftOfIn && leftOfOut : leftOfIn || leftOfOut;
  }

  void bridge(Ring& outline, const std::vector<Ring>& holes, std::size_t hole, Index from) const {
    std::vector<std::size_t> order(outline.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return squaredDistance(points_[from], points_[outline[a]]) <
             squaredDistance(points_[from], points_[outline[b]]);
    });
    for (std::size_t at : order) {
      const Index to = outline[at];
      if (!startsInside(outline, at, from) || blocked(from, to, outline)) continue;
      if (std::any_of(holes.begin() + static_cast<std::ptrdiff_t>(hole), holes.end(),
                      [&](const Ring& ring) { return blocked(from, to, ring); }))
        continue;
      const Ring& ring = holes[hole];
      const auto start = static_cast<std::size_t>(std::find(ring.begin(), ring.end(), from) - ring.begin());
      Ring inserted;
      for (std::size_t i = 0; i <= ring.size(); ++i) inserted.push_back(ring[(start + i) % ring.size()]);
      inserted.push_back(to);
      outline.insert(outline.begin() + static_cast<std::ptrdiff_t>(at) + 1, inserted.begin(), inserted.end());
      return;
    }
    throw InputError("polygon", "hole " + std::to_string(hole), "cannot be joined to the outline");
  }

  [[nodiscard]] bool isEar(const Ring& ring, std::size_t i, bool strict) const {
    const Index a = ring[(i + ring.size() - 1) % ring.size()], b = ring[i], c = ring[(i + 1) % ring.size()];
    const Point2 &pa = points_[a], &pb = points_[b], &pc = points_[c];
    const double longest =
        std::max({squaredDistance(pa, pb), squaredDistance(pb, pc), squaredDistance(pc, pa)});
    if (cross(pa, pb, pc) <= 1e-7 * longest) return false;
    for (Index q : ring) {
      if (q == a || q == b || q == c) continue;
      const double s0 = cross(pa, pb, points_[q]), s1 = cross(pb, pc, points_[q]),
                   s2 = cross(pc, pa, points_[q]);
      if (strict ? s0 > 0 && s1 > 0 && s2 > 0 : s0 >= 0 && s1 >= 0 && s2 >= 0) return false;
    }
    return true;
  }

  void cutEars(Ring ring) {
    while (ring.size() > 3) {
      bool cut = false;
      for (const bool strict : {false, true}) {
        for (std::size_t i = 0; i < ring.size() && !cut; ++i) {
          if (!isEar(ring, i, strict)) continue;
          triangles_.push_back(
              {ring[(i + ring.size() - 1) % ring.size()], ring[i], ring[(i + 1) % ring.size()]});
          ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
          cut = true;
        }
      }
      if (!cut) throw InputError("polygon", "outline", "has no ear: loops touch or cross");
    }
    triangles_.push_back({ring[0], ring[1], ring[2]});
  }

  /// Positive if d lies inside the circle through the counter-clockwise a, b, c.
  [[nodiscard]] double inCircle(Index ia, Index ib, Index ic, Index id) const {
    const Point2 &a = points_[ia], &b = points_[ib], &c = points_[ic], &d = points_[id];
    const double ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x,
                 cy = c.y - d.y;
    const double a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    const double det = a2 * (bx * cy - cx * by) - b2 * (ax * cy - cx * ay) + c2 * (ax * by - bx * ay);
    const double size = std::max({a2, b2, c2});
    return det -
           1e-9 * size * size;  // circles of holes give four points on one circle: no flipping to and fro
  }

  void flipToDelaunay(const std::vector<Ring>& loops) {
    std::map<std::pair<Index, Index>, bool> fixed;
    for (const Ring& ring : loops)
      for (std::size_t i = 0; i < ring.size(); ++i)
        fixed[std::minmax(ring[i], ring[(i + 1) % ring.size()])] = true;
    std::map<std::pair<Index, Index>, std::size_t> owner;  // directed edge -> triangle on its left
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      for (int k = 0; k < 3; ++k) owner[{triangles_[t][k], triangles_[t][(k + 1) % 3]}] = t;

    for (int pass = 0; pass < 1000; ++pass) {
      bool flipped = false;
      for (std::size_t t = 0; t < triangles_.size(); ++t)
        for (int k = 0; k < 3; ++k) {
          const Index a = triangles_[t][k], b = triangles_[t][(k + 1) % 3], c = triangles_[t][(k + 2) % 3];
          if (fixed.count(std::minmax(a, b))) continue;
          const std::size_t other = owner.at({b, a});
          Index d = 0;
          for (Index p : triangles_[other])
            if (p != a && p != b) d = p;
          if (inCircle(a, b, c, d) <= 0) continue;
          if (cross(points_[c], points_[a], points_[d]) <= 0 ||
              cross(points_[d], points_[b], points_[c]) <= 0)
            continue;
          triangles_[t] = {c, a, d};
          triangles_[other] = {d, b, c};
          for (const std::size_t changed : {t, other})
            for (int e = 0; e < 3; ++e)
              owner[{triangles_[changed][e], triangles_[changed][(e + 1) % 3]}] = changed;
          owner.erase({a, b});
          owner.erase({b, a});
          flipped = true;
          break;
        }
      if (!flipped) return;
    }
  }

  std::span<const Point2> points_;
  std::vector<std::array<Index, 3>> triangles_;
};

}  // namespace

std::vector<std::array<std::uint32_t, 3>> triangulatePolygon(
    std::span<const Point2> points, const std::vector<std::vector<std::uint32_t>>& loops) {
  return Triangulator(points).run(loops);
}

}  // namespace fitup::models
