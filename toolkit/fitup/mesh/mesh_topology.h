#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// How the triangles of a mesh hang together: edges, neighbours, connected components, orientation.
///
/// Points count as one where their stored coordinates agree; so a mesh whose surfaces were tessellated one by
/// one is connected through the points of its seams. Immutable and thread-safe; refers to nothing.
class MeshTopology {
 public:
  struct Edge {
    std::uint32_t low = 0, high = 0;  ///< welded points, low < high
    std::uint32_t firstUse = 0, useCount = 0;
  };
  /// A triangle at an edge, and whether it runs along it from low to high (as oriented by the file).
  struct Use {
    std::uint32_t triangle = 0;
    bool forward = false;
  };
  static constexpr std::uint32_t noEdge = ~0U;

  MeshTopology() = default;
  /// O(n log n). Throws CancelledError.
  explicit MeshTopology(const TriangleMesh& mesh, const WorkMeter& meter = {});

  /// The welded point of a point: the smallest index of those that count as one.
  [[nodiscard]] std::uint32_t welded(std::uint32_t point) const noexcept { return weld_[point]; }
  [[nodiscard]] std::size_t pointCount() const noexcept { return weld_.size(); }
  [[nodiscard]] std::span<const Edge> edges() const noexcept { return edges_; }
  [[nodiscard]] std::span<const Use> uses(const Edge& edge) const noexcept {
    return std::span(uses_).subspan(edge.firstUse, edge.useCount);
  }
  /// Edge k runs from corner k to the next one; `noEdge` where the two are one point.
  [[nodiscard]] const std::array<std::uint32_t, 3>& edgesOf(TriangleId triangle) const noexcept {
    return triangleEdges_[index(triangle)];
  }
  /// Triangles that share an edge are of one component; numbered by their first triangle.
  [[nodiscard]] std::uint32_t componentOf(TriangleId triangle) const noexcept {
    return component_[index(triangle)];
  }
  [[nodiscard]] std::uint32_t componentCount() const noexcept { return componentCount_; }
  /// True if the triangle has to be turned round to agree with its component, whose majority stays.
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
  std::vector<char> reversed_;  ///< empty where no triangle is
};

}  // namespace fitup
