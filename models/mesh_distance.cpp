#include <models/mesh_distance.h>

#include <algorithm>
#include <cmath>

#include <fitup/geometry/intersect_triangle_triangle.h>

namespace fitup::models {
namespace {

constexpr std::uint32_t leafSize = 4;

double pointTriangle(const Vec3& p, const Triangle& t) {
  // Inside the prism over the triangle the plane is nearest; elsewhere an edge is, and edges are tested on
  // their own.
  const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
  const double area = norm(n);
  if (area == 0) return 1e300;
  for (int k = 0; k < 3; ++k) {
    const Vec3 &from = t.v[k], &to = t.v[(k + 1) % 3];
    if (dot(cross(to - from, p - from), n) < 0) return 1e300;
  }
  return std::abs(dot(p - t.v[0], n)) / area;
}

double segmentSegment(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
  const Vec3 d = p1 - p0, e = q1 - q0, r = p0 - q0;
  const double dd = dot(d, d), ee = dot(e, e), de = dot(d, e), dr = dot(d, r), er = dot(e, r);
  const auto clamp = [](double x) { return std::clamp(x, 0.0, 1.0); };
  const double det = dd * ee - de * de;
  double s = det > 0 ? clamp((de * er - ee * dr) / det) : 0;
  const double t = ee > 0 ? clamp((de * s + er) / ee) : 0;
  if (dd > 0) s = clamp((de * t - dr) / dd);
  return norm(r + d * s - e * t);
}

double boxDistance(const Box& a, const Box& b) {
  Vec3 gap;
  for (int k = 0; k < 3; ++k) gap[k] = std::max({0.0, a.min[k] - b.max[k], b.min[k] - a.max[k]});
  return norm(gap);
}

double surfaceMeasure(const Box& box) {
  const Vec3 h = box.halfExtent();
  return h.x * h.y + h.y * h.z + h.z * h.x;
}

}  // namespace

double triangleDistance(const Triangle& a, const Triangle& b) {
  if (intersectTriangleTriangle(a, b)) return 0;
  double least = 1e300;
  for (int i = 0; i < 3; ++i) {
    least = std::min({least, pointTriangle(a.v[i], b), pointTriangle(b.v[i], a)});
    for (int j = 0; j < 3; ++j)
      least = std::min(least, segmentSegment(a.v[i], a.v[(i + 1) % 3], b.v[j], b.v[(j + 1) % 3]));
  }
  return least;
}

MeshDistance::MeshDistance(const TriangleMesh& meshA, const Transform& worldFromA,
                           const TriangleMesh& meshB) {
  const auto placed = [](const TriangleMesh& mesh, const Transform& transform) {
    std::vector<Triangle> triangles;
    for (const TriangleIndices& t : mesh.triangles()) {
      Triangle triangle;
      for (std::size_t k = 0; k < 3; ++k) triangle.v[k] = transform.apply(mesh.pointInPart(t[k]));
      triangles.push_back(triangle);
    }
    return triangles;
  };
  a_ = build(placed(meshA, worldFromA));
  b_ = build(placed(meshB, {}));
}

MeshDistance::Tree MeshDistance::build(std::vector<Triangle> triangles) {
  Tree tree;
  tree.triangles = std::move(triangles);
  Node root;
  root.count = static_cast<std::uint32_t>(tree.triangles.size());
  tree.nodes.push_back(root);
  split(tree, 0);
  return tree;
}

void MeshDistance::split(Tree& tree, std::uint32_t node) {
  const std::uint32_t first = tree.nodes[node].first, count = tree.nodes[node].count;
  Box box, centres;
  const auto centre = [](const Triangle& t) { return (t.v[0] + t.v[1] + t.v[2]) * (1.0 / 3.0); };
  for (std::uint32_t i = first; i < first + count; ++i) {
    for (const Vec3& p : tree.triangles[i].v) box.extend(p);
    centres.extend(centre(tree.triangles[i]));
  }
  tree.nodes[node].box = box;
  if (count <= leafSize) return;
  const Vec3 half = centres.halfExtent();
  const int axis = half.x >= half.y && half.x >= half.z ? 0 : half.y >= half.z ? 1 : 2;
  const auto begin = tree.triangles.begin() + first;
  std::nth_element(begin, begin + count / 2, begin + count,
                   [&](const Triangle& a, const Triangle& b) { return centre(a)[axis] < centre(b)[axis]; });
  const auto child = static_cast<std::uint32_t>(tree.nodes.size());
  tree.nodes[node].child = child;
  tree.nodes.resize(child + 2);
  tree.nodes[child].first = first;
  tree.nodes[child].count = count / 2;
  tree.nodes[child + 1].first = first + count / 2;
  tree.nodes[child + 1].count = count - count / 2;
  split(tree, child);
  split(tree, child + 1);
}

double MeshDistance::operator()(const Transform& worldFromB, double enough) const {
  struct Pair {
    double bound;
    std::uint32_t a, b;
  };
  const auto bound = [&](std::uint32_t a, std::uint32_t b) {
    return boxDistance(a_.nodes[a].box, placedBox(worldFromB, b_.nodes[b].box));
  };
  double least = enough;
  std::vector<Pair> open{{bound(0, 0), 0, 0}};
  while (!open.empty() && least > 0) {
    const Pair pair = open.back();
    open.pop_back();
    if (pair.bound >= least) continue;
    const Node &a = a_.nodes[pair.a], &b = b_.nodes[pair.b];
    if (a.child == 0 && b.child == 0) {
      for (std::uint32_t j = b.first; j < b.first + b.count; ++j) {
        Triangle placed;
        for (int k = 0; k < 3; ++k) placed.v[k] = worldFromB.apply(b_.triangles[j].v[k]);
        for (std::uint32_t i = a.first; i < a.first + a.count; ++i)
          least = std::min(least, triangleDistance(a_.triangles[i], placed));
      }
      continue;
    }
    const bool openA = b.child == 0 || (a.child != 0 && surfaceMeasure(a.box) > surfaceMeasure(b.box));
    Pair next[2];
    for (std::uint32_t k = 0; k < 2; ++k) {
      next[k] = openA ? Pair{0, a.child + k, pair.b} : Pair{0, pair.a, b.child + k};
      next[k].bound = bound(next[k].a, next[k].b);
    }
    if (next[0].bound < next[1].bound) std::swap(next[0], next[1]);  // the nearer one is opened first
    open.push_back(next[0]);
    open.push_back(next[1]);
  }
  return least;
}

}  // namespace fitup::models
