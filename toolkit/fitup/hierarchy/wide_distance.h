#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <fitup/geometry/closest_points.h>
#include <fitup/geometry/pair_placement.h>
#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/query_mode.h>
#include <fitup/hierarchy/query_stats.h>
#include <fitup/hierarchy/traversal.h>
#include <fitup/hierarchy/wide_bvh.h>
#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// Operation counts of a distance query.
struct DistanceStats {
  std::uint64_t boxTests = 0;            ///< lower bounds on distances of two boxes; each vector
                                         ///< lane counts as one
  std::uint64_t boxUpdates = 0;          ///< boxes mapped to the frame of another box
  std::uint64_t triangleCandidates = 0;  ///< pairs of triangles whose boxes are near enough
  std::uint64_t triangleDistances = 0;   ///< distances of two triangles computed in double precision

  DistanceStats& operator+=(const DistanceStats& o) noexcept {
    boxTests += o.boxTests;
    boxUpdates += o.boxUpdates;
    triangleCandidates += o.triangleCandidates;
    triangleDistances += o.triangleDistances;
    return *this;
  }
  friend bool operator==(const DistanceStats&, const DistanceStats&) = default;
};

/// The lengths in the world of vectors in A's local frame.
struct WorldMetric {
  Transform worldFromLocal;  ///< includes the origin of the local coordinates
  /// True if every length is multiplied by `factor`: for rigid and mirrored placements, to 1e-9, and for
  /// those times one scale. Otherwise `factor` is a lower bound on the multiplier.
  bool uniform = true;
  double factor = 1;

  /// Lengths in the local frame of a mesh with this origin in its part frame.
  static WorldMetric of(const Transform& worldFromPart, const Vec3& originInPart);
  /// Returns the distance in the world of two triangles of A's local frame. It is zero if and only if they
  /// intersect there. Pass the points to `toWorld`: they are in A's local frame if lengths are uniform, and
  /// otherwise already mapped without the translation.
  [[nodiscard]] ClosestPoints distance(const Triangle& a, const Triangle& b) const noexcept;
  /// Maps a point that `distance` returned to the world.
  [[nodiscard]] Vec3 toWorld(const Vec3& point) const noexcept {
    return uniform ? worldFromLocal.apply(point) : point + worldFromLocal.t;
  }
};

/// Two triangles, their distance in the world, and their closest points.
struct WideNearest {
  TrianglePair triangles;
  ClosestPoints points;  ///< as `WorldMetric::distance` returns them
};

/// Input of a distance query of two wide trees, and references to its output.
struct WideDistanceTask {
  const TriangleMesh& a;
  const TriangleMesh& b;
  const PairPlacement& placement;
  const WorldMetric& lengths;
  /// Largest distance of interest, in the world.
  double atMost = std::numeric_limits<double>::infinity();
  /// Ends with the first pair that is at most `atMost` apart.
  bool any = false;
  /// Finds the nearest triangles of each pair of surfaces instead of those of the parts.
  bool bySurface = false;
  /// Limit on pairs of surfaces, with `bySurface`.
  std::size_t maxPairs = std::numeric_limits<std::size_t>::max();
  /// If set, only these two surfaces (of A and B) are used.
  std::optional<SurfacePair> only;
  VectorUse vectorUse = VectorUse::best;
  Coherence coherence = Coherence::off;

  StopCheck& stop;
  DistanceStats& stats;
  /// At most one pair, or one for each pair of surfaces in any order.
  std::vector<WideNearest>& found;
};

/// Scratch memory of `nearestWide`, which the caller keeps between queries.
class WideDistanceScratch {
 public:
  WideDistanceScratch();
  ~WideDistanceScratch();
  WideDistanceScratch(WideDistanceScratch&&) noexcept;
  WideDistanceScratch& operator=(WideDistanceScratch&&) noexcept;

  struct Data;
  [[nodiscard]] Data& data() noexcept { return *data_; }

 private:
  std::unique_ptr<Data> data_;
};

/// Finds nearest triangles by branch and bound over two wide trees, nearest first. Eight boxes against eight
/// are bounded from below by the gaps along the axes of both nodes. Then triangles, eight pairs at a time,
/// are bounded in 32 bits by a plane perpendicular to their shortest connection. The rest is measured in
/// double precision. No two other triangles are nearer than those returned by more than the rounding of their
/// coordinates. Neither mesh may be empty. The trees may have different layouts.
void nearestWide(const WideDistanceTask& task, const WideBvh& treeOfA, const WideBvh& treeOfB,
                 WideDistanceScratch& scratch);

}  // namespace fitup
