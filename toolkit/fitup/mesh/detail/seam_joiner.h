#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/mesh/mesh_topology.h>

namespace fitup::detail {

/// Finds joins across the open edges of a mesh, as `boundaryMesh` describes them: points that become one, and
/// points that are inserted into edges. An edge is open if an odd number of kept triangles use it. Holds
/// indices and distances only.
class SeamJoiner {
 public:
  /// `kept`: one flag for each triangle, or empty for all. `topology` is that of `mesh`; it must outlive this
  /// object. Throws CancelledError.
  SeamJoiner(const TriangleMesh& mesh, const MeshTopology& topology, std::span<const char> kept,
             const WorkMeter& meter);

  /// The point that takes the place of a welded point.
  [[nodiscard]] std::uint32_t joined(std::uint32_t welded) const noexcept {
    return joined_.empty() ? welded : joined_[welded];
  }
  /// The points to insert into an edge of the topology, from its low to its high end.
  [[nodiscard]] std::span<const std::uint32_t> insertedInto(std::uint32_t edge) const noexcept;
  [[nodiscard]] std::uint32_t joinedPoints() const noexcept { return joinedPoints_; }
  [[nodiscard]] std::uint32_t insertedPoints() const noexcept {
    return static_cast<std::uint32_t>(inserted_.size());
  }
  [[nodiscard]] double joinedWithin() const noexcept { return joinedWithin_; }

 private:
  /// An end of an open edge.
  struct End {
    std::uint32_t point = 0;
    Vec3 position;
    double reach = 0;          ///< nothing farther away is joined to it
    std::uint32_t joined = 0;  ///< the end that takes its place
  };
  /// Points to be inserted into an open edge: those from `first` on in `inserted_`.
  struct Insertion {
    std::uint32_t edge = 0;
    std::uint32_t first = 0, count = 0;
  };
  /// A piece of an open edge, between joined and inserted points.
  struct Piece {
    std::uint32_t low = 0, high = 0;  ///< points
    std::uint32_t edge = 0;           ///< of the topology
  };
  class Grid;

  void findEnds(const TriangleMesh& mesh, const MeshTopology& topology, std::span<const char> kept,
                const WorkMeter& meter);
  bool joinEnds(const WorkMeter& meter);
  bool findInsertions(const MeshTopology& topology, const WorkMeter& meter);
  /// One piece of each that would be used an odd number of times.
  [[nodiscard]] std::vector<Piece> openPieces(const MeshTopology& topology, const WorkMeter& meter) const;
  [[nodiscard]] std::uint32_t endAt(std::uint32_t welded) const noexcept;
  void forget();

  std::vector<std::uint32_t> open_;  ///< edges of the topology, ascending
  std::vector<End> ends_;            ///< by point
  std::vector<std::uint32_t> joined_;
  std::vector<Insertion> insertions_;  ///< by edge
  std::vector<std::uint32_t> inserted_;
  std::uint32_t joinedPoints_ = 0;
  double widest_ = 0;  ///< the largest reach
  double joinedWithin_ = 0;
};

}  // namespace fitup::detail
