#include <fitup/hierarchy/point_query.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/geometry/segment_crossing.h>
#include <fitup/hierarchy/detail/wide_children.h>

namespace fitup {

using detail::intoAxes;
using detail::openWideNode;
using detail::triangleInLeaf;
using detail::wideBoxSlack;
using detail::wideFrameStretch;

namespace {

/// Square of the distance to a triangle's box: tells most triangles of a leaf to be too far in few steps.
double squareToBox(const Vec3& p, const Triangle& t) noexcept {
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const double low = std::min({t.v[0][k], t.v[1][k], t.v[2][k]}),
                 high = std::max({t.v[0][k], t.v[1][k], t.v[2][k]});
    const double gap = std::max({low - p[k], p[k] - high, 0.0});
    square += gap * gap;
  }
  return square;
}

}  // namespace

PointQuery::PointQuery(const CollisionModel& model) : mesh_(&model.mesh()), tree_(&model.wide()), reach_(0) {
  if (mesh_->triangleCount() == 0) return;
  const Aabb& box = mesh_->bounds();
  for (float v : {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z})
    reach_ = std::max(reach_, std::abs(double(v)));
}

std::optional<ClosestPoint> PointQuery::closest(const Vec3& p, double within,
                                                std::optional<TriangleId> hint) {
  if (mesh_->triangleCount() == 0) return std::nullopt;
  std::optional<ClosestPoint> best;
  double least = within;
  const auto look = [&](TriangleId id) {
    const Triangle t = mesh_->triangle(id);
    // Boxes tell nothing where a square is below the range of doubles.
    const double square = least * least;
    if (square >= std::numeric_limits<double>::min() && squareToBox(p, t) >= square) return;
    const ClosestPoints pair = distancePointTriangle(p, t);
    if (!(pair.distance < least)) return;
    least = pair.distance;
    best = ClosestPoint{id, pair.onB, pair.distance};
  };
  if (hint) look(*hint);
  const double slack = wideBoxSlack(reach_ + std::abs(p.x) + std::abs(p.y) + std::abs(p.z), tree_->layout);
  stack_.assign(1, {0, WideChild::ofNode(0)});
  while (!stack_.empty()) {
    const Entry entry = stack_.back();
    stack_.pop_back();
    if (entry.bound >= least) continue;
    if (entry.child.isLeaf()) {
      for (std::uint32_t k = 0; k < entry.child.count(); ++k) look(triangleInLeaf(*tree_, entry.child, k));
      continue;
    }
    const std::size_t before = stack_.size();
    openWideNode(*tree_, entry.child.node(),
                 [&](const WideFrame& frame, const auto& centre, const auto& half, const auto& child,
                     std::uint32_t count) {
                   const Vec3 q = intoAxes(frame, p);
                   std::array<double, 8> square{};
                   for (std::size_t axis = 0; axis < 3; ++axis) {
                     const double c = q[static_cast<int>(axis)];
                     for (std::size_t k = 0; k < 8; ++k) {
                       const double gap =
                           std::max(std::abs(c - double(centre[axis][k])) - double(half[axis][k]), 0.0);
                       square[k] += gap * gap;
                     }
                   }
                   for (std::uint32_t k = 0; k < count; ++k) {
                     const double bound = std::sqrt(square[k]) * (1 - wideFrameStretch) - slack;
                     if (bound < least) stack_.push_back({bound, child[k]});
                   }
                 });
    std::sort(stack_.begin() + static_cast<std::ptrdiff_t>(before), stack_.end());
  }
  return best;
}

PointSide PointQuery::side(const Vec3& p, const Closedness& closedness) {
  if (!closedness.hasInside()) return PointSide::outside;
  const Aabb& box = mesh_->bounds();
  if (p.x < box.min.x || p.y < box.min.y || p.z < box.min.z || p.x > box.max.x || p.y > box.max.y ||
      p.z > box.max.z)
    return PointSide::outside;

  for (unsigned attempt = 0; attempt < escapeDirections; ++attempt) {
    const Vec3 outside = escapePoint(p, box, attempt);
    const Vec3 middle = 0.5 * (p + outside), reach = 0.5 * (outside - p);
    const double slack =
        wideBoxSlack(reach_ + std::abs(p.x) + std::abs(p.y) + std::abs(p.z) + norm(reach), tree_->layout);
    int winding = 0;
    bool doubtful = false;
    stack_.assign(1, {0, WideChild::ofNode(0)});
    while (!stack_.empty() && !doubtful) {
      const WideChild next = stack_.back().child;
      stack_.pop_back();
      if (next.isLeaf()) {
        for (std::uint32_t k = 0; k < next.count(); ++k) {
          const TriangleId id = triangleInLeaf(*tree_, next, k);
          if (!closedness.bounds(id)) continue;
          switch (crossSegmentTriangle(p, outside, mesh_->triangle(id))) {
            case SegmentCrossing::none:
              break;
            case SegmentCrossing::out:
              winding += closedness.outward(id);
              break;
            case SegmentCrossing::in:
              winding -= closedness.outward(id);
              break;
            case SegmentCrossing::startsOn:
              return PointSide::boundary;
            case SegmentCrossing::degenerate:
              doubtful = true;
              break;
          }
        }
        continue;
      }
      openWideNode(*tree_, next.node(),
                   [&](const WideFrame& frame, const auto& centre, const auto& half, const auto& child,
                       std::uint32_t count) {
                     // Separating axes of segment and box (Gottschalk 1996 with one box thin): the box's
                     // three and the three cross products with the segment. In the node's axes, with the
                     // stretch of 2^-20 in the slack.
                     const Vec3 c = intoAxes(frame, middle), h = intoAxes(frame, reach);
                     const Vec3 a{std::abs(h.x), std::abs(h.y), std::abs(h.z)};
                     const double grown = slack + wideFrameStretch * (norm(reach) + reach_);
                     for (std::uint32_t k = 0; k < count; ++k) {
                       const Vec3 d{double(centre[0][k]) - c.x, double(centre[1][k]) - c.y,
                                    double(centre[2][k]) - c.z};
                       const Vec3 e{double(half[0][k]) + grown, double(half[1][k]) + grown,
                                    double(half[2][k]) + grown};
                       const bool apart = std::abs(d.x) > e.x + a.x || std::abs(d.y) > e.y + a.y ||
                                          std::abs(d.z) > e.z + a.z ||
                                          std::abs(d.y * h.z - d.z * h.y) > e.y * a.z + e.z * a.y ||
                                          std::abs(d.z * h.x - d.x * h.z) > e.z * a.x + e.x * a.z ||
                                          std::abs(d.x * h.y - d.y * h.x) > e.x * a.y + e.y * a.x;
                       if (!apart) stack_.push_back({0, child[k]});
                     }
                   });
    }
    if (!doubtful) return winding != 0 ? PointSide::inside : PointSide::outside;
  }
  // Every direction met an edge or a corner exactly, which takes a point made for it: the sum of solid angles
  // decides.
  return windingNumber(*mesh_, closedness, p) > 0.5 ? PointSide::inside : PointSide::outside;
}

template <class Ends>
bool PointQuery::anyNear(const Triangle& t, double within, const Ends& ends) {
  if (mesh_->triangleCount() == 0) return false;
  double magnitude = reach_;
  for (const Vec3& p : t.v) magnitude = std::max(magnitude, norm(p));
  const double slack = 3 * wideBoxSlack(magnitude, tree_->layout) + within;
  stack_.assign(1, {0, WideChild::ofNode(0)});
  while (!stack_.empty()) {
    const WideChild next = stack_.back().child;
    stack_.pop_back();
    if (next.isLeaf()) {
      for (std::uint32_t k = 0; k < next.count(); ++k)
        if (ends(triangleInLeaf(*tree_, next, k))) return true;
      continue;
    }
    openWideNode(*tree_, next.node(),
                 [&](const WideFrame& frame, const auto& centre, const auto& half, const auto& child,
                     std::uint32_t count) {
                   Vec3 low = intoAxes(frame, t.v[0]), high = low;
                   for (int i : {1, 2}) {
                     const Vec3 q = intoAxes(frame, t.v[i]);
                     low = {std::min(low.x, q.x), std::min(low.y, q.y), std::min(low.z, q.z)};
                     high = {std::max(high.x, q.x), std::max(high.y, q.y), std::max(high.z, q.z)};
                   }
                   const Vec3 c = 0.5 * (low + high), h = 0.5 * (high - low);
                   for (std::uint32_t k = 0; k < count; ++k)
                     if (std::abs(centre[0][k] - c.x) <= half[0][k] + h.x + slack &&
                         std::abs(centre[1][k] - c.y) <= half[1][k] + h.y + slack &&
                         std::abs(centre[2][k] - c.z) <= half[2][k] + h.z + slack)
                       stack_.push_back({0, child[k]});
                 });
  }
  return false;
}

bool PointQuery::meets(const Triangle& t) {
  return anyNear(t, 0, [&](TriangleId id) { return intersectTriangleTriangle(t, mesh_->triangle(id)); });
}

void PointQuery::near(const Triangle& t, double within, std::vector<TriangleId>& found) {
  found.clear();
  anyNear(t, within, [&](TriangleId id) {
    found.push_back(id);
    return false;
  });
}

double windingNumber(const TriangleMesh& mesh, const Closedness& closedness, const Vec3& p) noexcept {
  double sum = 0;
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    const TriangleId id{i};
    const Triangle t = mesh.triangle(id);
    const Vec3 a = t.v[0] - p, b = t.v[1] - p, c = t.v[2] - p;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    const double volume = dot(a, cross(b, c));
    const double rest = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    sum += closedness.outward(id) * std::atan2(volume, rest);
  }
  return sum / (2 * std::numbers::pi);
}

}  // namespace fitup
