#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// The connectivity of a mesh: edges, neighbours, connected components, orientation.
///
/// Points with equal stored coordinates count as one, so a mesh whose surfaces were tessellated one by one is
/// connected along its seams. Immutable and thread-safe; holds no references.
class MeshTopology {
 public:
  /// An edge between two welded points; its uses are those from `firstUse` on.
  struct Edge {
    std::uint32_t low = 0, high = 0;  ///< welded points, low < high
    std::uint32_t firstUse = 0, useCount = 0;
  };
  /// A triangle at an edge, and whether its orientation in the file runs along the edge from low to high.
  struct Use {
    std::uint32_t triangle = 0;
    bool forward = false;
  };
  static constexpr std::uint32_t noEdge = ~0U;

  MeshTopology() = default;
  /// O(n log n). Throws CancelledError.
  explicit MeshTopology(const TriangleMesh& mesh, const WorkMeter& meter = {});

  /// The welded point of a point: the smallest index among points with the same coordinates.
  [[nodiscard]] std::uint32_t welded(std::uint32_t point) const noexcept { return weld_[point]; }
  [[nodiscard]] std::size_t pointCount() const noexcept { return weld_.size(); }
  [[nodiscard]] std::span<const Edge> edges() const noexcept { return edges_; }
  [[nodiscard]] std::span<const Use> uses(const Edge& edge) const noexcept {
    return std::span(uses_).subspan(edge.firstUse, edge.useCount);
  }
  /// Edge k runs from corner k to the next one; `noEdge` if the two are one point.
  [[nodiscard]] const std::array<std::uint32_t, 3>& edgesOf(TriangleId triangle) const noexcept {
    return triangleEdges_[index(triangle)];
  }
  /// The component of a triangle. Triangles that share an edge are in one component; components are numbered
  /// by their first triangle.
  [[nodiscard]] std::uint32_t componentOf(TriangleId triangle) const noexcept {
    return component_[index(triangle)];
  }
  [[nodiscard]] std::uint32_t componentCount() const noexcept { return componentCount_; }
  /// True if the triangle must be reversed to agree with the majority of its component.
  [[nodiscard]] bool reversed(TriangleId triangle) const noexcept {
    return !reversed_.empty() && reversed_[index(triangle)] != 0;
  }

 private:
  void findEdges(const TriangleMesh& mesh, const WorkMeter& meter);
  void findComponents(std::size_t triangles, const WorkMeter& meter);
  void agreeOnOrientation(std::size_t triangles, const WorkMeter& meter);

  std::vector<std::uint32_t> weld_;
  std::vector<Edge> edges_;
  std::vector<Use> uses_;
  std::vector<std::array<std::uint32_t, 3>> triangleEdges_;
  std::vector<std::uint32_t> component_;
  std::uint32_t componentCount_ = 0;
  std::vector<char> reversed_;  ///< empty if no triangle is reversed
};

}  // namespace fitup
