#include <fitup/mesh/segmentation.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

#include <fitup/base/disjoint_sets.h>
#include <fitup/base/error.h>
#include <fitup/mesh/weld.h>

namespace fitup {
namespace {

struct EdgeUse {
  std::uint32_t low, high, triangle;
  bool forward;  ///< the triangle runs from low to high
};

}  // namespace

std::vector<std::uint32_t> segmentByDihedralAngle(const TriangleMesh& mesh, double angleDegrees) {
  if (!(angleDegrees >= 0 && angleDegrees <= 180))
    throw InputError("segmentation", "angle", "must lie between 0 and 180 degrees");
  const auto triangles = mesh.triangles();
  const std::vector<std::uint32_t> weld = weldByCoordinates(mesh.points());

  std::vector<Vec3> normals(triangles.size());
  std::vector<bool> flat(triangles.size());
  std::vector<EdgeUse> edges;
  edges.reserve(3 * triangles.size());
  for (std::uint32_t i = 0; i < triangles.size(); ++i) {
    const Triangle t = mesh.triangle(TriangleId(i));
    const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
    const double length = norm(n);
    flat[i] = !(length > 0);
    if (!flat[i]) normals[i] = n * (1.0 / length);
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = weld[triangles[i][static_cast<std::size_t>(k)]];
      const std::uint32_t b = weld[triangles[i][static_cast<std::size_t>((k + 1) % 3)]];
      if (a != b) edges.push_back({std::min(a, b), std::max(a, b), i, a < b});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const EdgeUse& a, const EdgeUse& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });

  const double cosine = std::cos(angleDegrees * std::numbers::pi / 180);
  DisjointSets patches(triangles.size());
  std::vector<bool> joined(triangles.size());
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i + 1;
    while (end < edges.size() && edges[end].low == edges[i].low && edges[end].high == edges[i].high) ++end;
    if (end - i == 2) {
      const EdgeUse &e = edges[i], &f = edges[i + 1];
      if (flat[e.triangle] || flat[f.triangle]) {
        const std::uint32_t lone = flat[e.triangle] ? e.triangle : f.triangle;
        if (!joined[lone]) patches.unite(e.triangle, f.triangle);
        joined[lone] = true;
      } else {
        const double sign =
            e.forward == f.forward ? -1 : 1;  // same direction: one of the two has the wrong winding
        if (sign * dot(normals[e.triangle], normals[f.triangle]) >= cosine)
          patches.unite(e.triangle, f.triangle);
      }
    }
    i = end;
  }

  std::vector<std::uint32_t> label(triangles.size());
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < triangles.size(); ++i) {
    const std::uint32_t root = patches.find(i);
    label[i] = root == i ? next++ : label[root];
  }
  return label;
}

}  // namespace fitup
