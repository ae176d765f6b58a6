#include <fitup/hierarchy/walls.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fitup/geometry/distance_triangle_triangle.h>

namespace fitup {
namespace {

/// Cosine of the angle from which on nearest boundary points are opposite.
constexpr double opposite = -0.5;
/// Above the rounding of normals in single precision.
constexpr double slack = 1e-5;
/// Up to this bend, the side on which another triangle lies is told by the plane of the triangle itself.
constexpr float nearlyFlat = 0.95F;

void raiseTo(std::atomic<double>& value, double to) {
  for (double now = value; now < to && !value.compare_exchange_weak(now, to);) {
  }
}
void lowerTo(std::atomic<double>& value, double to) {
  for (double now = value; now > to && !value.compare_exchange_weak(now, to);) {
  }
}

}  // namespace

Walls::Walls(const CollisionModel& model, const MeshTopology& topology, const Watertightness& watertightness)
    : model_(&model), thinFrom_(std::numeric_limits<double>::infinity()) {
  const TriangleMesh& mesh = model.mesh();
  facing_.resize(mesh.triangleCount());
  std::vector<Vec3> normals(mesh.triangleCount());
  for (std::uint32_t i = 0; i < normals.size(); ++i) {
    const Triangle t = mesh.triangle(TriangleId{i});
    const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
    if (!(norm(n) > 0)) continue;
    normals[i] = normalized(n) * watertightness.outward(TriangleId{i});
    facing_[i] = {static_cast<float>(normals[i].x), static_cast<float>(normals[i].y),
                  static_cast<float>(normals[i].z)};
  }
  for (const MeshTopology::Edge& edge : topology.edges()) {
    const auto uses = topology.uses(edge);
    for (std::size_t u = 0; u < uses.size(); ++u)
      for (std::size_t v = u + 1; v < uses.size(); ++v) {
        const std::uint32_t a = uses[u].triangle, b = uses[v].triangle;
        const double cosine = std::clamp(dot(normals[a], normals[b]), -1.0, 1.0);
        if (cosine > 1 - slack) continue;
        // Convex: the other triangle lies below the plane. Edges of more triangles count as reflex.
        if (uses.size() == 2 && reachesBelow(TriangleId{a}, TriangleId{b})) continue;
        const auto bend = static_cast<float>(std::sqrt((1 + cosine) / 2));
        for (const std::uint32_t i : {a, b}) facing_[i].bend = std::min(facing_[i].bend, bend);
      }
  }
}

bool Walls::opposed(TriangleId a, TriangleId b) const noexcept {
  const Facing &f = facing_[index(a)], &g = facing_[index(b)];
  const double cosine = double(f.x) * g.x + double(f.y) * g.y + double(f.z) * g.z;
  // A direction between two normals is their weighted sum over its length, which is at least the bend.
  if (cosine > opposite * f.bend * g.bend + slack) return false;
  // Material lies between the two, not a gap.
  return std::min(f.bend, g.bend) < nearlyFlat || (reachesBelow(a, b) && reachesBelow(b, a));
}

bool Walls::reachesBelow(TriangleId a, TriangleId b) const noexcept {
  const Facing& f = facing_[index(a)];
  const Vec3 n{f.x, f.y, f.z};
  const Triangle plane = model_->mesh().triangle(a), other = model_->mesh().triangle(b);
  double size = 0, least = 0;
  for (const Vec3& p : other.v) {
    least = std::min(least, dot(n, p - plane.v[0]));
    size = std::max(size, norm(p - plane.v[0]));
  }
  return least < -slack * size;
}

bool Walls::mayBeThinnerThan(double width) const {
  if (width <= thickTo_) return false;
  if (width >= thinFrom_) return true;
  PointQuery query(*model_);
  std::vector<TriangleId> near;
  for (std::uint32_t i = 0; i < facing_.size(); ++i)
    if (isOpposedWithin(TriangleId{i}, width, query, near)) {
      lowerTo(thinFrom_, width);
      return true;
    }
  raiseTo(thickTo_, width);
  return false;
}

bool Walls::mayBeThinnerThan(double width, std::span<const TriangleId> at) const {
  if (width <= thickTo_) return false;
  PointQuery query(*model_);
  std::vector<TriangleId> near;
  return std::ranges::any_of(at, [&](TriangleId id) { return isOpposedWithin(id, width, query, near); });
}

const Walls::Thin& Walls::thinTo(double width) const {
  constexpr double notMuchLarger = 1.25;
  const std::lock_guard lock(thinMutex_);
  for (const auto& thin : thin_)
    if (thin->width() >= width && thin->width() <= notMuchLarger * width) return *thin;
  return *thin_.emplace_back(std::make_unique<Thin>(width, facing_.size()));
}

bool Walls::mayBeThin(TriangleId id, const Thin& known, PointQuery& query) const {
  std::atomic<std::uint8_t>& answer = known.known_[index(id)];
  if (answer.load(std::memory_order_relaxed) == Thin::unknown) {
    std::vector<TriangleId> near;
    const bool isThin = known.width() > thickTo_ && isOpposedWithin(id, known.width(), query, near);
    answer.store(isThin ? Thin::thin : Thin::thick, std::memory_order_relaxed);
  }
  return answer.load(std::memory_order_relaxed) == Thin::thin;
}

bool Walls::isOpposedWithin(TriangleId id, double width, PointQuery& query,
                            std::vector<TriangleId>& near) const {
  const TriangleMesh& mesh = model_->mesh();
  const Triangle t = mesh.triangle(id);
  query.near(t, width, near);
  return std::ranges::any_of(near, [&](TriangleId other) {
    return other != id && opposed(id, other) &&
           distanceTriangleTriangle(t, mesh.triangle(other)).distance <= width;
  });
}

}  // namespace fitup
