#pragma once

#include <memory>
#include <vector>

#include <fitup/geometry/aabb.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup::models {

/// Distance of two triangles in one frame, 0 where they intersect; exact up to the rounding of double
/// arithmetic.
double triangleDistance(const Triangle& a, const Triangle& b);

/// Distance of two meshes by branch and bound over two trees of boxes. Serves the pose generators, not the
/// toolkit: plain and dependable rather than fast. Const members are thread-safe.
class MeshDistance {
 public:
  /// Keeps copies of the triangles; A stays in the world, B's coordinates are its part's.
  MeshDistance(const TriangleMesh& meshA, const Transform& worldFromA, const TriangleMesh& meshB);

  /// Distance with B placed by worldFromB; the answer is exact or, if above `enough`, at least `enough`.
  [[nodiscard]] double operator()(const Transform& worldFromB, double enough = 1e300) const;

  [[nodiscard]] Box boxA() const { return a_.nodes.front().box; }
  [[nodiscard]] Box boxB() const { return b_.nodes.front().box; }

 private:
  struct Node {
    Box box;
    std::uint32_t first = 0, count = 0;  ///< triangles of a leaf
    std::uint32_t child = 0;             ///< the children are child and child + 1; 0 for a leaf
  };
  struct Tree {
    std::vector<Triangle> triangles;
    std::vector<Node> nodes;
  };
  static Tree build(std::vector<Triangle> triangles);
  static void split(Tree& tree, std::uint32_t node);

  Tree a_, b_;
};

}  // namespace fitup::models
