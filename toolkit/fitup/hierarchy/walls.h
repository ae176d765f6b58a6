#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/mesh/mesh_topology.h>
#include <fitup/mesh/watertightness.h>

namespace FITUP_EXPORT fitup {

/// Where the material of a body may be thin: pairs of boundary triangles that face away from each other with
/// material in between. The middle of a wall (verdicts, *Thin walls*) are points whose nearest boundary
/// points are seen under at least 120 degrees; two such points lie on triangles that are `opposed`, and
/// closer together than the wall is thick. In local coordinates of the mesh.
///
/// Thread-safe. Refers to the model, which must outlive it.
class Walls {
 public:
  /// Topology and watertightness are those of the model's mesh. O(n).
  Walls(const CollisionModel& model, const MeshTopology& topology, const Watertightness& watertightness);

  /// False if no point has its nearest boundary points on these two triangles and sees them under at least
  /// 120 degrees. Symmetric.
  [[nodiscard]] bool opposed(TriangleId a, TriangleId b) const noexcept;
  /// False if certainly no two opposed triangles are at most `width` apart. The first question for a width
  /// costs a look round every triangle, or until a thin wall is found; the answer is remembered for smaller
  /// and larger widths.
  [[nodiscard]] bool mayBeThinnerThan(double width) const;
  /// The same about walls that one of these triangles bounds, unless the answer for all is known.
  [[nodiscard]] bool mayBeThinnerThan(double width, std::span<const TriangleId> at) const;

  /// For each triangle, whether a wall of at most a width may lie behind it: as far as that is known.
  class Thin {
   public:
    Thin(double width, std::size_t triangles) : width_(width), known_(triangles) {}
    [[nodiscard]] double width() const noexcept { return width_; }

   private:
    friend class Walls;
    enum Answer : std::uint8_t { unknown, thick, thin };
    double width_;
    mutable std::vector<std::atomic<std::uint8_t>> known_;
  };
  /// What is remembered about that width, or one that is not much larger. Lives as long as this.
  [[nodiscard]] const Thin& thinTo(double width) const;
  /// False if no triangle that is opposed to this one is within the width. The first question about a
  /// triangle costs a look round it. `query` is that of the calling thread.
  [[nodiscard]] bool mayBeThin(TriangleId id, const Thin& known, PointQuery& query) const;

 private:
  struct Facing {
    float x = 0, y = 0, z = 0;  ///< outward unit normal; 0 for degenerate triangles
    /// Cosine of half the angle by which normals differ over the sharpest reflex edge: there, the nearest
    /// boundary point is on the edge, and seen along any direction between the two normals.
    float bend = 1;
  };
  [[nodiscard]] bool isOpposedWithin(TriangleId id, double width, PointQuery& query,
                                     std::vector<TriangleId>& near) const;
  /// True if a corner of `b` lies below the plane of `a`.
  [[nodiscard]] bool reachesBelow(TriangleId a, TriangleId b) const noexcept;

  const CollisionModel* model_;
  std::vector<Facing> facing_;
  mutable std::mutex thinMutex_;  ///< for `thin_`
  mutable std::vector<std::unique_ptr<Thin>> thin_;
  mutable std::atomic<double> thickTo_{-1};  ///< known: nothing is thinner
  mutable std::atomic<double> thinFrom_;     ///< known: something is at most this thick
};

}  // namespace fitup
