#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <fitup/hierarchy/detail/found_surfaces.h>
#include <fitup/hierarchy/detail/pair_set.h>
#include <fitup/hierarchy/traversal.h>
#include <fitup/hierarchy/wide_bvh.h>
#include <fitup/hierarchy/wide_memory-inl.h>
#include <fitup/hierarchy/wide_traversal.h>

namespace fitup::detail {

/// A map of points between frames in 32-bit arithmetic: m p + t. `absolute` is |m|, for half extents. Fourth
/// entries are 0.
struct alignas(16) Affine3f {
  float m[3][4];
  float absolute[3][4];
  float t[4];
};

/// The relative placement of the axes of a node of A and those of a node of B.
struct WideRelative {
  Affine3f aFromB, bFromA;
};

/// Values that hold for a whole query.
///
/// Let S = |M|_F |b|_2 + |t|_2 + |a|_2 in A, where |a| and |b| are the reach of the local coordinates of the
/// meshes, and S' the same in B from the inverse. u = 2^-24.
///
/// *Boxes.* A point p of B below a box c +- h of frame F has q = F p exactly, and in frame G of A the
/// coordinates G (M p + t) up to the placement error (below 2^-49 S). The box is mapped by K = G M F^T. On
/// each axis a box lies within |b|, so |c| and |h| are at most sqrt(3) |b|.
/// - With E = F^T F - 1 (entries at most 2^-22), p = F^T q - E p, and |G M E p| <= 3 * 2^-22 |M||p|: 12 u S.
/// - K consists of 32-bit numbers: M rounded (u |M|_F) and two products with |F|_F = |G|_F = sqrt(3), each
///   off by 3 u sqrt(3)
/// M|_F: 11.4 u S. If M is orthogonal, the inverse map is K's transpose, which is off by the same and by the
/// 10^-9 that `Transform::kind` allows: 0.1 u S.
/// - K c and |K| h: three products, three sums each: 14 u |M|_F |b|, and 8 u |t| with G t.
/// - Decoded boxes of the compact layout are off by 4 u |b|, mapped 7 u S; by 4 u |a| if they are not mapped.
/// - Sums and differences of centres and half extents in a test: 12 u S. Scaled (wide_steps-inl.h): 3 u S.
///
/// The factors of |M|_F |b|, |t| and |a| are each at most 59.5 u; `slackInA` is 64 u S. Underflow loses less
/// than 2^-140, because |M|_F is at least 2^-102 (limits.h). If 32-bit numbers could overflow, the slack is
/// infinite and every comparison accepts NaN.
///
/// *Cylinders* are used if M is orthogonal, so that |M|_F = sqrt(3) and K, which is then orthogonal up to
/// 2^-21, keeps right angles. For a point q of a cylinder of B with centre c, axis n, half height h and
/// radius r, q - c = s n + w with |s| <= h, |w| <= r,
/// w . n| <= 2^-21 h. Along the axis a of a cylinder of A it reaches |a . K n| h + |a x K n| r. Both factors
/// are off by at most 36 u, because K n is off by 17 u; h and r are at most 2 |b|: 84 u S. w not exactly
/// perpendicular to n, K not exactly orthogonal: 20 u S. Centres: 46 u S as for boxes, 3 u S for the shift
/// along the axis; their difference along a: 12 u S; sums: 8 u S. Together 173 u S; `cylinderSlack` is 256 u
/// S. The same holds with A and B exchanged, because everything is measured in A.
///
/// *Corners.* A corner of B placed by 32-bit arithmetic is off by at most 8 u S + 2^-140: `cornerError`.
struct WideQuery {
  WideRelative untilted;          ///< between the models' own axes
  bool orthogonal = true;         ///< the inverse of M is its transpose
  double reachA = 0, reachB = 0;  ///< |a|, |b|
  float slackInA = 0, slackInB = 0;
  float cylinderSlack = 0;  ///< infinite if M is not orthogonal
  float cornerError = 0;
  float placedError = 0;  ///< 2^-45 S and more: that of a corner placed in double precision
  /// True for sizes at which no product of a triangle test in 32 bits overflows. Otherwise every candidate is
  /// tested exactly.
  bool vectorTriangles = true;
  float leastExtent = 0;  ///< for that test: `leastTriangleExtent`
};

/// Largest size S at which no product of a triangle test in 32 bits overflows.
inline constexpr double largestForVectors = 0x1p38;
/// Upper bound on the root of 3, which is |M|_F if M is orthogonal.
inline constexpr double rootOf3 = 1.7320509;

/// Least value that the vector triangle test assumes for the extent of a pair of triangles; `size` is S.
float leastTriangleExtent(double size) noexcept;

WideQuery prepareWideQuery(const TriangleMesh& a, const TriangleMesh& b, const PairPlacement& placement);
inline WideQuery prepareWideQuery(const TraversalTask& task) {
  return prepareWideQuery(task.a, task.b, task.placement);
}

/// Pairs of triangles that wait for their test, by row and pair: x, y, z of the first, second and third
/// corner in the local coordinates of the mesh, and the triangle's `encodeTriangleId`.
template <std::size_t size>
struct TriangleRows {
  static constexpr std::size_t width = size;
  /// With many pairs no row spans two pages, because a store across a page border takes many times as long.
  static constexpr std::size_t alignment = size > 16 ? std::bit_ceil(sizeof(float[10][size])) : 64;
  alignas(alignment) float a[10][size] = {};
  alignas(alignment) float b[10][size] = {};
};
/// The pairs that are tested at once if one intersecting pair is sufficient.
using TriangleBatch = TriangleRows<8>;
/// For queries of all pairs: 64 are tested at a time, and up to sixteen are added at once. Instead of
/// corners, it holds first corners relative to a nearby point and edges from there, both in A's own axes.
using ManyTriangles = TriangleRows<64 + 16>;

/// Orders for a call of the traversal.
struct WideOrder {
  std::size_t spreadUntil = 0;      ///< breadth first until this many pairs wait; 0 means depth first to the
                                    ///< end
  std::optional<SlotPair> witness;  ///< test these two leaves first
  bool countSteps = false;          ///< record in the history the number of steps for which rejected pairs
                                    ///< stay separated
};

/// Identifies a tree by the data from which it was built, so that the identity outlives the tree.
struct WideIdentity {
  std::uint64_t contentHash = 0;
  std::uint64_t builtFor = 0;  ///< the mesh for which the nodes were made; another one if the tree was
                               ///< refitted
  std::size_t nodeCount = 0, frameCount = 0;
  WideLayout layout = WideLayout::fast;

  static WideIdentity of(const WideBvh& tree, const TriangleMesh& mesh) noexcept {
    return {mesh.contentHash(), tree.builtFor.value_or(mesh.contentHash()), tree.nodeCount(),
            tree.frames.size(), tree.layout};
  }
  friend bool operator==(const WideIdentity&, const WideIdentity&) = default;
};

/// Decisions on pairs of triangles, as bits. A pair with neither bit is left open.
struct WideDecided {
  std::uint32_t hits, misses;
};

/// Data that a query for the first pair leaves for the next query of the same trees at a nearby placement.
struct WideHistory {
  WideIdentity treeA, treeB;
  struct Witness {
    TrianglePair triangles;
    SlotPair leaves;
    /// Number of pairs of these leaves in the batch of the scratch memory, including the witness.
    std::uint32_t inBatch = 0;
    double reachA = 0, reachB = 0;  ///< reach of the local coordinates of the meshes
  };
  std::optional<Witness> witness;
  std::optional<MotionRate> pace;  ///< set if the query is asked for steps
  SafeSteps apart;                 ///< from the last traversal
};

/// Returns `leastTriangleExtent`, or a larger value, for meshes with this reach at this placement. Returns
/// nothing if their coordinates may not suit a vector triangle test.
std::optional<float> vectorTriangleExtent(double reachA, double reachB, const Transform& aFromB) noexcept;

}  // namespace fitup::detail

namespace fitup {

struct WideScratch::Data {
  struct Workers;                               ///< workers of queries that several threads share
  detail::TriangleBatch batch;                  ///< with coherence: the batch of the last pair found
  std::unique_ptr<detail::ManyTriangles> many;  ///< allocated at the first query for all pairs
  detail::PairStack stack;
  std::vector<detail::SlotPair> shared;  ///< pairs that threads take in turn
  detail::FoundSurfaces found;
  detail::WideHistory history;
  std::shared_ptr<Workers> workers;
};

}  // namespace fitup
