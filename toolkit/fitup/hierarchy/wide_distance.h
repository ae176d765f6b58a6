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
  std::uint64_t boxTests = 0;            ///< lower bounds of the distance of two boxes, vector lanes included
  std::uint64_t boxUpdates = 0;          ///< boxes carried into the frame of another
  std::uint64_t triangleCandidates = 0;  ///< pairs of triangles whose boxes are near enough
  std::uint64_t triangleDistances = 0;   ///< distances of two triangles in double precision

  DistanceStats& operator+=(const DistanceStats& o) noexcept {
    boxTests += o.boxTests;
    boxUpdates += o.boxUpdates;
    triangleCandidates += o.triangleCandidates;
    triangleDistances += o.triangleDistances;
    return *this;
  }
  friend bool operator==(const DistanceStats&, const DistanceStats&) = default;
};

/// How long a vector of A's local frame is in the world.
struct WorldMetric {
  Transform worldFromLocal;  ///< origin of the local coordinates included
  /// True if every length is multiplied by `factor` (rigid and mirrored placements, to 1e-9, and those times
  /// one scale); else `factor` is a lower bound of what it is multiplied by.
  bool uniform = true;
  double factor = 1;

  static WorldMetric of(const Transform& worldFromPart, const Vec3& originInPart);
  /// Distance in the world of two triangles of A's local frame. Zero exactly when they intersect there
  /// (architecture, section 4.2). The points are for `toWorld`: in A's local frame where lengths are uniform,
  /// else turned and scaled as in the world.
  [[nodiscard]] ClosestPoints distance(const Triangle& a, const Triangle& b) const noexcept;
  [[nodiscard]] Vec3 toWorld(const Vec3& point) const noexcept {
    return uniform ? worldFromLocal.apply(point) : point + worldFromLocal.t;
  }
};

/// Two triangles, how far they are apart in the world and where.
struct WideNearest {
  TrianglePair triangles;
  ClosestPoints points;  ///< as `WorldMetric::distance` gives them
};

/// What a distance query of two wide trees is given, and where it puts its answer.
struct WideDistanceTask {
  const TriangleMesh& a;
  const TriangleMesh& b;
  const PairPlacement& placement;
  const WorldMetric& lengths;
  /// Nothing farther apart is looked for; lengths in the world.
  double atMost = std::numeric_limits<double>::infinity();
  /// Ends with the first pair that is at most `atMost` apart.
  bool any = false;
  /// The nearest triangles of each pair of surfaces instead of those of the parts.
  bool bySurface = false;
  /// Pairs of surfaces, with `bySurface`.
  std::size_t maxPairs = std::numeric_limits<std::size_t>::max();
  /// Only these two surfaces (of A and B), where set.
  std::optional<SurfacePair> only;
  VectorUse vectorUse = VectorUse::best;
  Coherence coherence = Coherence::off;

  StopCheck& stop;
  DistanceStats& stats;
  /// At most one, or one for each pair of surfaces in any order.
  std::vector<WideNearest>& found;
};

/// Scratch memory of `nearestWide`, kept by the caller between queries.
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

/// Branch and bound over two wide trees, nearest first: eight boxes against eight, bounded from below by the
/// gaps along the axes of both nodes; then triangles eight pairs at a time, bounded by a plane across their
/// shortest connection in 32 bits; what is left in double precision. No other two triangles are nearer than
/// those returned by more than the rounding of their coordinates. Neither mesh may be empty. The trees may
/// have different layouts.
void nearestWide(const WideDistanceTask& task, const WideBvh& treeOfA, const WideBvh& treeOfB,
                 WideDistanceScratch& scratch);

}  // namespace fitup
