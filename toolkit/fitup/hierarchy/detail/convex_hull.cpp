#include <fitup/hierarchy/detail/convex_hull.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include <fitup/base/error.h>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace fitup::detail {

struct ConvexHull::State {
  std::FILE* nowhere = std::fopen("/dev/null", "w");  ///< for Qhull's messages about points that it rejects
  std::vector<double> coordinates;
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> corners;
  double slack = 0;
  ~State() {
    if (nowhere != nullptr) std::fclose(nowhere);
  }
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

ConvexHull::ConvexHull() : state_(std::make_unique<State>()) {}
ConvexHull::~ConvexHull() = default;
const std::vector<std::uint32_t>& ConvexHull::corners() const noexcept { return state_->corners; }
double ConvexHull::slack() const noexcept { return state_->slack; }

const std::vector<Triangle>& ConvexHull::of(std::span<const Vec3> points) {
  if (points.size() > mostPoints) throw RangeError("convex hull: too many points");
  State& s = *state_;
  s.triangles.clear();
  s.corners.clear();
  s.slack = std::numeric_limits<double>::infinity();
  if (points.size() < 4) return s.triangles;
  s.coordinates.clear();
  for (const Vec3& p : points) s.coordinates.insert(s.coordinates.end(), {p.x, p.y, p.z});
  qhT context;
  qhT* qh = &context;
  qh_zero(qh, s.nowhere);
  char command[] = "qhull Qt Pp";
  const int failed = qh_new_qhull(qh, 3, static_cast<int>(points.size()), s.coordinates.data(), False,
                                  command, nullptr, s.nowhere);
  if (failed == 0) {
    facetT* facet;
    vertexT *vertex, **vertexp;
    FORALLvertices {
      if (const int point = qh_pointid(qh, vertex->point); point >= 0)
        s.corners.push_back(static_cast<std::uint32_t>(point));
    }
    FORALLfacets {
      Triangle t;
      int corner = 0;
      FOREACHvertex_(facet->vertices) if (corner < 3) {
        const int point = qh_pointid(qh, vertex->point);
        if (point < 0) continue;
        t.v[corner++] = points[static_cast<std::size_t>(point)];
      }
      if (corner == 3) s.triangles.push_back(t);
    }
    Vec3 inside;
    double reach = 0, inner = std::numeric_limits<double>::infinity();
    for (const Triangle& t : s.triangles)
      for (const Vec3& v : t.v) inside = inside + v * (1.0 / (3.0 * static_cast<double>(s.triangles.size())));
    for (const Triangle& t : s.triangles)
      for (const Vec3& v : t.v) reach = std::max(reach, norm(v - inside));
    FORALLfacets {
      const Vec3 normal{facet->normal[0], facet->normal[1], facet->normal[2]};
      inner = std::min(inner, -(dot(normal, inside) + facet->offset));
    }
    // Qhull keeps both while its command asks for no output. Its own distances are off by DISTround.
    const double thickness = qh->max_outside - qh->min_vertex + 4 * qh->DISTround;
    if (inner > thickness) s.slack = thickness * reach / (inner - thickness);
  }
  qh_freeqhull(qh, !qh_ALL);
  int longBlocks = 0, longBytes = 0;
  qh_memfreeshort(qh, &longBlocks, &longBytes);
  return s.triangles;
}

}  // namespace fitup::detail
