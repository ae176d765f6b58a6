#include <fitup/hierarchy/point_query.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/distance_segment_triangle.h>
#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/geometry/segment_crossing.h>
#include <fitup/hierarchy/detail/leaf_distances.h>
#include <fitup/hierarchy/detail/segment_descent.h>

namespace fitup {

using detail::intoAxes;
using detail::triangleInLeaf;
using detail::VisitOrder;
using detail::wideBoxSlack;
using detail::wideFrameStretch;

namespace {

/// As the limit of a descent, this ends it.
constexpr double nothingBelow = -std::numeric_limits<double>::infinity();

/// Square of the distance to the bounding box of a triangle. It quickly excludes most triangles of a leaf.
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

/// Square of the distance of the bounding boxes of a triangle and of the segment from middle - half to middle
/// + half.
double squareToBox(const Vec3& middle, const Vec3& half, const Triangle& t) noexcept {
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const double low = std::min({t.v[0][k], t.v[1][k], t.v[2][k]}),
                 high = std::max({t.v[0][k], t.v[1][k], t.v[2][k]}), reach = std::abs(half[k]);
    const double gap = std::max({low - middle[k] - reach, middle[k] - reach - high, 0.0});
    square += gap * gap;
  }
  return square;
}

/// True only if the segment is farther from the triangle than the root of `square`, which is shown by its
/// plane and by the planes that stand on its edges: these are perpendicular to the first, so the squares of
/// the distances add. The margin covers the rounding of normals and of products.
bool isBeyondPlanes(const Vec3& from, const Vec3& to, const Triangle& t, double square) noexcept {
  constexpr double margin = 1 - 0x1p-10;
  const std::array<Vec3, 3> along{t.v[1] - t.v[0], t.v[2] - t.v[1], t.v[0] - t.v[2]};
  const Vec3 n = cross(along[0], along[1]);
  const double nn = dot(n, n);
  const std::array<double, 3> squares{dot(along[0], along[0]), dot(along[1], along[1]),
                                      dot(along[2], along[2])};
  const Vec3 a = from - t.v[0], b = to - t.v[0];
  // Normals of slivers have few digits, and those of what is left are off by at most 2^-30 of their length.
  if (!(nn > 0x1p-40 * std::max(squares[0], squares[2]) * std::max(squares[0], squares[1]) &&
        std::max(dot(a, a), dot(b, b)) + std::max(squares[0], squares[2]) < 0x1p30 * square))
    return false;
  const double aboveA = dot(n, a), aboveB = dot(n, b);
  const double above = (aboveA > 0) == (aboveB > 0) ? std::min(std::abs(aboveA), std::abs(aboveB)) : 0;
  if (margin * above * above > nn * square) return true;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 outward = cross(along[k], n);  // its square is squares[k] nn
    const double beside = std::min(dot(outward, from - t.v[k]), dot(outward, to - t.v[k]));
    if (beside > 0 && margin * (beside * beside + above * above * squares[k]) > squares[k] * nn * square)
      return true;
  }
  return false;
}

/// A segment from middle - half to middle + half in the axes of boxes.
class SegmentInAxes {
 public:
  SegmentInAxes(const Vec3& middle, const Vec3& half) noexcept
      : middle_(middle), half_(half), reach_{std::abs(half.x), std::abs(half.y), std::abs(half.z)} {
    const double square = dot(half, half);
    inverse_ = square > 0 ? 1 / square : 0;
  }

  /// A lower bound on the distance from a box, up to rounding: the distance from the box around the segment,
  /// or from the sphere around the box, whichever is larger. The first is weak for long askew segments, the
  /// second for long boxes.
  [[nodiscard]] double distanceBound(const Vec3& centre, const Vec3& half) const noexcept {
    const Vec3 d = centre - middle_;
    const Vec3 gap{std::max(std::abs(d.x) - half.x - reach_.x, 0.0),
                   std::max(std::abs(d.y) - half.y - reach_.y, 0.0),
                   std::max(std::abs(d.z) - half.z - reach_.z, 0.0)};
    const double at = std::clamp(dot(d, half_) * inverse_, -1.0, 1.0);
    return std::max(norm(gap), norm(d - half_ * at) - norm(half));
  }

 private:
  Vec3 middle_, half_, reach_;
  double inverse_ = 0;
};

/// The solid angle at the origin of a triangle, signed by the sense of its corners, within (-2 pi, 2 pi)
/// (Van Oosterom, Strackee 1983).
double solidAngle(const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
  const double la = norm(a), lb = norm(b), lc = norm(c);
  return 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

/// Beyond this number of open edges a side is not computed, because each question would look at all of them.
/// A mesh with so many is a heap of triangles rather than a part with a hole.
constexpr std::size_t mostOpenEdges = 20'000;

/// What the open edges add to the crossings of a ray for the winding number round `p`. Triangles from the
/// open edges to the point at infinity opposite to the ray close the surface. The closed surface winds round
/// `p` as often as the ray crosses it, and the ray crosses none of the added triangles; so the winding number
/// is the number of crossings less the solid angles of the added triangles, which run along the edges in the
/// other direction (Martens, Trettner, Bessmeltsev 2026). `opposite` is the direction opposite to the ray.
double windingOfBoundary(const Watertightness& watertightness, const Vec3& p, const Vec3& opposite) noexcept {
  double sum = 0;
  for (const OpenEdge& edge : watertightness.boundary())
    sum += edge.excess * solidAngle(edge.from - p, edge.to - p, opposite);
  return sum / (4 * std::numbers::pi);
}

PointSide sideOf(double winding) noexcept {
  return winding >= 0.75 ? PointSide::inside : winding <= 0.25 ? PointSide::outside : PointSide::unknown;
}

}  // namespace

PointQuery::PointQuery(const CollisionModel& model)
    : mesh_(&model.mesh()), tree_(&model.wide()), reach_(detail::reachOf(*mesh_)) {}

std::optional<ClosestPoint> PointQuery::closest(const Vec3& p, double within,
                                                std::optional<TriangleId> hint) {
  if (mesh_->triangleCount() == 0) return std::nullopt;
  std::optional<ClosestPoint> best;
  double least = within;
  const auto look = [&](TriangleId id) {
    const Triangle t = mesh_->triangle(id);
    // Boxes exclude nothing if a square is below the range of double.
    const double square = least * least;
    if (square >= std::numeric_limits<double>::min() && squareToBox(p, t) >= square) return;
    const ClosestPoints pair = distancePointTriangle(p, t);
    if (!(pair.distance < least)) return;
    least = pair.distance;
    best = ClosestPoint{id, pair.onB, pair.distance};
  };
  if (hint) look(*hint);
  if (!(least > 0)) return best;
  const double magnitude = reach_ + std::abs(p.x) + std::abs(p.y) + std::abs(p.z);
  const double slack = wideBoxSlack(magnitude, tree_->layout);
  detail::descendWide<VisitOrder::nearestFirst>(
      *tree_, stack_, least,
      [&](const WideFrame& frame, const auto& centre, const auto& half, std::uint32_t count, const auto& keep)
          __attribute__((always_inline)) {
            detail::EightDistances bounds;
            detail::boundBoxDistances(centre, half, intoAxes(frame, p), magnitude, bounds);
            for (std::uint32_t k = 0; k < count; ++k) keep(k, bounds[k] * (1 - wideFrameStretch) - slack);
          },
      [&](WideChild leaf) {
        if (tree_->layout == WideLayout::compact) {
          for (std::uint32_t k = 0; k < leaf.count(); ++k) look(triangleInLeaf(*tree_, leaf, k));
          return;
        }
        detail::EightDistances bounds;
        detail::boundLeafDistances(&tree_->packets[std::size_t{leaf.firstSlot()} * 10], leaf.count(), p,
                                   magnitude, bounds);
        // The nearest first, after which most others are excluded.
        for (;;) {
          std::uint32_t nearest = 0;
          for (std::uint32_t k = 1; k < leaf.count(); ++k)
            if (bounds[k] < bounds[nearest]) nearest = k;
          if (!(bounds[nearest] < least)) return;
          bounds[nearest] = std::numeric_limits<float>::infinity();
          look(triangleInLeaf(*tree_, leaf, nearest));
        }
      });
  return best;
}

std::optional<ClosestToSegment> PointQuery::triangleToSegment(const Vec3& from, const Vec3& to, double within,
                                                              TriangleId triangle) const {
  if (!(within > 0)) return std::nullopt;
  const Triangle t = mesh_->triangle(triangle);
  const double square = within * within;
  if (square >= std::numeric_limits<double>::min() &&
      (squareToBox(0.5 * (from + to), 0.5 * (to - from), t) >= square || isBeyondPlanes(from, to, t, square)))
    return std::nullopt;
  const ClosestPoints pair = distanceSegmentTriangle(from, to, t);
  if (!(pair.distance < within)) return std::nullopt;
  return ClosestToSegment{triangle, pair.onA, pair.onB, pair.distance};
}

template <class Look>
void PointQuery::descendToSegment(const Vec3& from, const Vec3& to, double& least, const Look& look) {
  const Vec3 middle = 0.5 * (from + to), half = 0.5 * (to - from);
  const double magnitude = reach_ + std::abs(middle.x) + std::abs(middle.y) + std::abs(middle.z) + norm(half);
  const double slack = 4 * wideBoxSlack(magnitude, tree_->layout);
  detail::descendWide<VisitOrder::nearestFirst>(
      *tree_, stack_, least,
      [&](const WideFrame& frame, const auto& centre, const auto& halves, std::uint32_t count,
          const auto& keep) {
        const SegmentInAxes segment(intoAxes(frame, middle), intoAxes(frame, half));
        for (std::uint32_t k = 0; k < count; ++k)
          keep(k, segment.distanceBound({centre[0][k], centre[1][k], centre[2][k]},
                                        {halves[0][k], halves[1][k], halves[2][k]}) *
                          (1 - wideFrameStretch) -
                      slack);
      },
      [&](WideChild leaf) {
        for (std::uint32_t k = 0; k < leaf.count(); ++k) look(triangleInLeaf(*tree_, leaf, k));
      });
}

std::optional<ClosestToSegment> PointQuery::closestToSegment(const Vec3& from, const Vec3& to, double within,
                                                             std::optional<TriangleId> hint,
                                                             double tolerance) {
  if (mesh_->triangleCount() == 0) return std::nullopt;
  std::optional<ClosestToSegment> best;
  double least = within;
  const auto look = [&](TriangleId id) {
    if (const auto found = triangleToSegment(from, to, least, id)) {
      best = found;
      least = found->distance - tolerance;
    }
  };
  if (hint) look(*hint);
  if (!(least > 0)) return best;
  descendToSegment(from, to, least, look);
  return best;
}

bool PointQuery::nearSegment(const Vec3& from, const Vec3& to, double within, std::size_t most,
                             std::vector<ClosestToSegment>& found) {
  found.clear();
  if (mesh_->triangleCount() == 0) return true;
  bool all = true;
  double limit = within;
  descendToSegment(from, to, limit, [&](TriangleId id) {
    if (!all) return;
    const auto near = triangleToSegment(from, to, within, id);
    if (!near) return;
    all = found.size() < most;
    if (all)
      found.push_back(*near);
    else
      limit = nothingBelow;
  });
  return all;
}

PointSide PointQuery::side(const Vec3& p, const Watertightness& watertightness) {
  if (!watertightness.hasInside()) return PointSide::outside;
  const Aabb& box = mesh_->bounds();
  if (p.x < box.min.x || p.y < box.min.y || p.z < box.min.z || p.x > box.max.x || p.y > box.max.y ||
      p.z > box.max.z)
    return PointSide::outside;

  for (unsigned attempt = 0; attempt < escapeDirections; ++attempt) {
    const Vec3 outside = escapePoint(p, box, attempt);
    int winding = 0;
    bool doubtful = false, boundary = false;
    detail::descendSegment(*tree_, reach_, stack_, p, outside, [&](TriangleId id) {
      switch (crossSegmentTriangle(p, outside, mesh_->triangle(id))) {
        case SegmentCrossing::none:
          break;
        case SegmentCrossing::out:
          winding += watertightness.outward(id);
          break;
        case SegmentCrossing::in:
          winding -= watertightness.outward(id);
          break;
        case SegmentCrossing::startsOn:
          boundary = true;
          break;
        case SegmentCrossing::degenerate:
          doubtful = true;
          break;
      }
      return !boundary && !doubtful;
    });
    if (boundary) return PointSide::boundary;
    if (doubtful) continue;
    if (watertightness.boundary().empty()) return winding > 0 ? PointSide::inside : PointSide::outside;
    if (watertightness.boundary().size() > mostOpenEdges) return PointSide::unknown;
    return sideOf(winding + windingOfBoundary(watertightness, p, p - outside));
  }
  // Every direction met an edge or a corner exactly, which only a specially constructed point can cause. The
  // sum of solid angles decides.
  return sideOf(windingNumber(*mesh_, watertightness, p));
}

template <class Ends>
bool PointQuery::anyNear(const Triangle& t, double within, const Ends& ends) {
  double magnitude = reach_;
  for (const Vec3& p : t.v) magnitude = std::max(magnitude, norm(p));
  const double slack = 3 * wideBoxSlack(magnitude, tree_->layout) + within;
  double limit = 1;
  detail::descendWide<VisitOrder::any>(
      *tree_, stack_, limit,
      [&](const WideFrame& frame, const auto& centre, const auto& half, std::uint32_t count,
          const auto& keep) {
        Box box;
        box.min = box.max = intoAxes(frame, t.v[0]);
        for (int i : {1, 2}) box.extend(intoAxes(frame, t.v[i]));
        const Vec3 c = box.centre(), h = box.halfExtent();
        for (std::uint32_t k = 0; k < count; ++k)
          if (std::abs(centre[0][k] - c.x) <= half[0][k] + h.x + slack &&
              std::abs(centre[1][k] - c.y) <= half[1][k] + h.y + slack &&
              std::abs(centre[2][k] - c.z) <= half[2][k] + h.z + slack)
            keep(k, 0);
      },
      [&](WideChild leaf) {
        for (std::uint32_t k = 0; k < leaf.count(); ++k)
          if (ends(triangleInLeaf(*tree_, leaf, k))) {
            limit = nothingBelow;
            return;
          }
      });
  return limit == nothingBelow;
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

double windingNumber(const TriangleMesh& mesh, const Watertightness& watertightness, const Vec3& p) noexcept {
  double sum = 0;
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    const TriangleId id{i};
    const Triangle t = mesh.triangle(id);
    sum += watertightness.outward(id) * solidAngle(t.v[0] - p, t.v[1] - p, t.v[2] - p);
  }
  return sum / (4 * std::numbers::pi);
}

}  // namespace fitup
