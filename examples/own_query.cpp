// Asks questions of your own to the trees of parts: which triangles of two parts face each other across a
// narrow gap, and what does a ray hit?
#include <algorithm>
#include <cmath>
#include <iostream>

#include <fitup/geometry/distance_triangle_triangle.h>
#include <fitup/hierarchy/tree_queries.h>

using namespace fitup;

namespace {

/// A wavy sheet of 10 by 10, in cells of 0.1.
std::shared_ptr<const CollisionModel> wavedSheet(double amplitude) {
  constexpr std::uint32_t n = 100;
  std::vector<Vec3> points;
  std::vector<TriangleIndices> triangles;
  for (std::uint32_t y = 0; y <= n; ++y)
    for (std::uint32_t x = 0; x <= n; ++x)
      points.push_back({0.1 * x, 0.1 * y, amplitude * std::sin(0.1 * x)});
  for (std::uint32_t y = 0; y < n; ++y)
    for (std::uint32_t x = 0; x < n; ++x) {
      const std::uint32_t a = y * (n + 1) + x, b = a + 1, c = a + n + 1, d = c + 1;
      triangles.push_back({a, b, d});
      triangles.push_back({a, d, c});
    }
  return CollisionModel::build(std::make_shared<TriangleMesh>(TriangleMesh::from(points, triangles)));
}

Vec3 unitNormal(const Triangle& t) { return normalized(cross(t.v[1] - t.v[0], t.v[2] - t.v[0])); }

/// Collects the pairs of triangles at most `gap` apart whose normals are within 10 degrees of opposite.
struct FacingPairs final : PairVisitor {
  FacingPairs(const PlacedTree& first, const PlacedTree& second, double largest)
      : a(first), b(second), gap(largest) {
    limit = std::nextafter(gap, 2 * gap);  // includes boxes at exactly that distance
  }
  double bound(const NodeBox& inA, const NodeBox& inB) override { return minimumDistance(inA, inB); }
  void visit(std::span<const TriangleId> ofA, std::span<const TriangleId> ofB) override {
    for (const TriangleId i : ofA)
      for (const TriangleId j : ofB) {
        ++tested;
        const Triangle t = a.triangle(i), u = b.triangle(j);
        if (dot(unitNormal(t), unitNormal(u)) < -std::cos(0.1745) &&
            distanceTriangleTriangle(t, u).distance <= gap)
          found.push_back({i, j});
      }
  }
  const PlacedTree &a, &b;
  double gap;
  std::size_t tested = 0;
  std::vector<TrianglePair> found;
};

}  // namespace

int main() {
  // The second sheet lies upside down above the first, turned about the x axis.
  const Transform upsideDown = Transform::rigid(axisAngle({1, 0, 0}, 3.14159265358979), {0, 10, 1.25});
  const PlacedTree below = PlacedTree::inWorld(wavedSheet(0.5)),
                   above = PlacedTree::inWorld(wavedSheet(0.6), upsideDown);

  FacingPairs facing(below, above, 0.2);
  visitPairs(below, above, facing);
  std::cout << facing.found.size() << " pairs of triangles face each other across at most " << facing.gap
            << "; " << facing.tested << " of " << 20000ULL * 20000 << " were looked at\n";

  const Ray down{{4.71, 5.03, 10}, {0, 0, -1}};
  for (const PlacedTree* tree : {&above, &below})
    if (const auto hit = tree->castRay(down))
      std::cout << "the ray meets the " << (hit->side == HitSide::front ? "front" : "back") << " of triangle "
                << index(hit->triangle) << " at z = " << down.at(hit->at).z << "\n";
  return facing.found.empty() ? 1 : 0;
}
