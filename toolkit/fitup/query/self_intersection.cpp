#include <fitup/query/self_intersection.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/geometry/predicates.h>
#include <fitup/geometry/triangle_intersection.h>
#include <fitup/hierarchy/point_query.h>

namespace fitup {
namespace {

class SelfIntersectionFinder {
 public:
  SelfIntersectionFinder(const SolidModel& solid, const WorkMeter& meter)
      : solid_(solid), mesh_(solid.mesh()), query_(solid.model()), meter_(meter) {}

  std::vector<SelfIntersection> find() {
    std::vector<TriangleId> near;
    polledLoop(mesh_.triangleCount(), meter_, [&](std::size_t i) {
      const TriangleId first{static_cast<std::uint32_t>(i)};
      const Triangle t = mesh_.triangle(first);
      if (isDegenerate(t)) return;
      query_.near(t, 0, near);
      for (const TriangleId second : near)
        if (first < second) look(first, t, second);
    });
    std::vector<SelfIntersection> result;
    for (auto& [key, found] : found_) result.push_back(std::move(found));
    return result;
  }

 private:
  void look(TriangleId first, const Triangle& t, TriangleId second) {
    const Triangle s = mesh_.triangle(second);
    // Neighbours are most of the candidates, and their common corners would need exact arithmetic.
    const Sides sides = sidesOf(first, t, second, s);
    if (sides.above == 0 && sides.below == 0) {
      if (solid_.topology().componentOf(first) != solid_.topology().componentOf(second)) return;
    } else if (sides.above == 0 || sides.below == 0) {
      return;
    }
    if (isDegenerate(s) || !intersectTriangleTriangle(t, s, Touching::exclude)) return;
    add(kindOf(first, t, second, s, sides.above + sides.below == 0), first, t, second, s);
  }

  /// Number of corners of a triangle above and below the plane of another one.
  struct Sides {
    int above = 0, below = 0;
  };
  [[nodiscard]] Sides sidesOf(TriangleId first, const Triangle& t, TriangleId second,
                              const Triangle& s) const {
    const auto& topology = solid_.topology();
    const TriangleIndices &p = mesh_.triangles()[index(first)], &q = mesh_.triangles()[index(second)];
    Sides sides;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t corner = topology.welded(q[k]);
      const bool isCommon = std::any_of(
          p.begin(), p.end(), [&](std::uint32_t other) { return topology.welded(other) == corner; });
      if (isCommon) continue;
      const int side = orient3d(t.v[0], t.v[1], t.v[2], s.v[k]);
      sides.above += side < 0;
      sides.below += side > 0;
    }
    return sides;
  }

  [[nodiscard]] SelfIntersectionKind kindOf(TriangleId first, const Triangle& t, TriangleId second,
                                            const Triangle& s, bool isCoplanar) const {
    const std::uint32_t a = solid_.topology().componentOf(first), b = solid_.topology().componentOf(second);
    const Watertightness& watertightness = solid_.watertightness();
    if (a == b) {
      if (!isCoplanar) return SelfIntersectionKind::itself;
      // In one plane, so the sign of the largest component tells the sense.
      const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]), m = cross(s.v[1] - s.v[0], s.v[2] - s.v[0]);
      const bool same = (dot(n, m) > 0) == (watertightness.outward(first) == watertightness.outward(second));
      return same ? SelfIntersectionKind::itself : SelfIntersectionKind::folded;
    }
    const auto& components = watertightness.components();
    return components[a].closed() && components[b].closed() ? SelfIntersectionKind::shells
                                                            : SelfIntersectionKind::open;
  }

  void add(SelfIntersectionKind kind, TriangleId first, const Triangle& t, TriangleId second,
           const Triangle& s) {
    const SurfaceId a = mesh_.surfaceOf(first), b = mesh_.surfaceOf(second);
    SelfIntersection& found = found_[{kind, std::min(a, b), std::max(a, b)}];
    if (found.pairs++ > 0) return;
    found.kind = kind;
    found.a = std::min(a, b);
    found.b = std::max(a, b);
    found.first = a <= b ? first : second;
    found.second = a <= b ? second : first;
    const TriangleIntersection common = triangleIntersection(t, s);
    Vec3 sum;
    for (const Vec3& p : common.corners()) sum = sum + p;
    found.point = mesh_.origin() + sum * (1.0 / common.count);
  }

  const SolidModel& solid_;
  const TriangleMesh& mesh_;
  PointQuery query_;
  const WorkMeter& meter_;
  std::map<std::tuple<SelfIntersectionKind, SurfaceId, SurfaceId>, SelfIntersection> found_;
};

}  // namespace

std::string_view name(SelfIntersectionKind kind) noexcept {
  switch (kind) {
    case SelfIntersectionKind::itself:
      return "itself";
    case SelfIntersectionKind::folded:
      return "folded";
    case SelfIntersectionKind::open:
      return "open";
    case SelfIntersectionKind::shells:
      return "shells";
  }
  return "unknown";
}

std::vector<SelfIntersection> selfIntersections(const SolidModel& solid, const WorkMeter& meter) {
  if (solid.mesh().triangleCount() == 0) return {};
  return SelfIntersectionFinder(solid, meter).find();
}

}  // namespace fitup
