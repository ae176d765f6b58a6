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

/// How points of one frame are carried into another by 32-bit arithmetic: m p + t. `absolute` is |m|, for
/// half extents. Fourth entries are 0.
struct alignas(16) Affine3f {
  float m[3][4];
  float absolute[3][4];
  float t[4];
};

/// The axes of a node of A and those of a node of B, relative to each other.
struct WideRelative {
  Affine3f aFromB, bFromA;
};

/// What holds for a whole query.
///
/// Let S = |M|_F |b|_2 + |t|_2 + |a|_2 in A, with |a|, |b| the reach of the meshes' local coordinates, and
/// S' the same in B from the inverse. u = 2^-24.
///
/// *Boxes.* A point p of B below a box c +- h of frame F has q = F p exactly, and in frame G of A the
/// coordinates G (M p + t) up to the placement error (below 2^-49 S). The box is carried by K = G M F^T. On
/// each axis a box lies within |b|, so |c| and |h| are at most sqrt(3) |b|.
/// - With E = F^T F - 1 (entries at most 2^-22), p = F^T q - E p, and |G M E p| <= 3 * 2^-22 |M||p|: 12 u S.
/// - K is made of 32-bit numbers: M rounded (u |M|_F) and two products with |F|_F = |G|_F = sqrt(3), each off
///   by 3 u sqrt(3) |M|_F: 11.4 u S. Where M is orthogonal, the way back is K's transpose, which is off by
///   the same and by the 10^-9 that `Transform::kind` grants: 0.1 u S.
/// - K c and |K| h: three products, three sums each: 14 u |M|_F |b|, and 8 u |t| with G t.
/// - Boxes of the compact layout, as decoded, are off by 4 u |b|, carried 7 u S; by 4 u |a| where they stay.
/// - Sums and differences of centres and half extents in a test: 12 u S. Scaled (wide_steps-inl.h): 3 u S.
/// What multiplies |M|_F |b|, |t| and |a| is each at most 59.5 u; `slackInA` is 64 u S. Underflow loses below
/// 2^-140, as |M|_F is at least 2^-102 (limits.h); where 32-bit numbers could overflow, the slack is infinite
/// and every comparison lets what is not a number pass.
///
/// *Cylinders*, where M is orthogonal, so that |M|_F = sqrt(3) and K, which then is orthogonal up to 2^-21,
/// keeps right angles. For a point q of a cylinder of B with centre c, axis n, half height h and radius r,
/// q - c = s n + w with |s| <= h, |w| <= r, |w . n| <= 2^-21 h. Along the axis a of a cylinder of A it
/// reaches |a . K n| h + |a x K n| r. Both factors are off by at most 36 u, as K n is by 17 u; h and r are at
/// most 2 |b|: 84 u S. w not quite across n, K not quite orthogonal: 20 u S. Centres: 46 u S as for boxes, 3
/// u S for the shift along the axis; their difference along a: 12 u S; sums: 8 u S. Together 173 u S;
/// `cylinderSlack` is 256 u S. The same holds with A and B exchanged, as everything is measured in A.
///
/// *Corners.* A corner of B placed by 32-bit arithmetic is off by at most 8 u S + 2^-140: `cornerError`.
struct WideQuery {
  WideRelative untilted;          ///< between the models' own axes
  bool orthogonal = true;         ///< M's inverse is its transpose
  double reachA = 0, reachB = 0;  ///< |a|, |b|
  float slackInA = 0, slackInB = 0;
  float cylinderSlack = 0;  ///< infinite where M is not orthogonal
  float cornerError = 0;
  /// For sizes at which no product of a triangle test in 32 bits overflows; else every candidate goes to the
  /// exact test.
  bool vectorTriangles = true;
  float leastExtent = 0;  ///< of that test: `leastTriangleExtent`
};

/// Sizes S at which no product of a triangle test in 32 bits overflows.
inline constexpr double largestForVectors = 0x1p38;
/// Not less than the root of 3, |M|_F where M is orthogonal.
inline constexpr double rootOf3 = 1.7320509;

/// As what the vector triangle test counts the extent of a pair of triangles at least, where `size` is S.
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
  /// Many: no row lies on two pages, as a store across their border takes many times as long.
  static constexpr std::size_t alignment = size > 16 ? std::bit_ceil(sizeof(float[10][size])) : 64;
  alignas(alignment) float a[10][size] = {};
  alignas(alignment) float b[10][size] = {};
};
/// As many as are tested at once where one that meets is enough.
using TriangleBatch = TriangleRows<8>;
/// Where all are wanted: 64 are tested at a time, and up to sixteen come at once. Instead of corners, first
/// ones as seen from a point nearby and edges from there, of both in A's own axes.
using ManyTriangles = TriangleRows<64 + 16>;

/// What a call of the traversal is to do.
struct WideOrder {
  std::size_t spreadUntil = 0;      ///< breadth first until so many pairs wait; 0: depth first to the end
  std::optional<SlotPair> witness;  ///< look into these two leaves first
  bool countSteps = false;          ///< keep in the history for how many what is rejected stays apart
};

/// Identifies trees by what they are built from, so that it outlives them.
struct WideIdentity {
  std::uint64_t contentHash = 0;
  std::uint64_t builtFor = 0;  ///< the mesh that the nodes were made for: another one if refitted
  std::size_t nodeCount = 0, frameCount = 0;
  WideLayout layout = WideLayout::fast;

  static WideIdentity of(const WideBvh& tree, const TriangleMesh& mesh) noexcept {
    return {mesh.contentHash(), tree.builtFor.value_or(mesh.contentHash()), tree.nodeCount(),
            tree.frames.size(), tree.layout};
  }
  friend bool operator==(const WideIdentity&, const WideIdentity&) = default;
};

/// Of pairs of triangles, as bits; neither: left open.
struct WideDecided {
  std::uint32_t hits, misses;
};

/// What a query for the first pair leaves for the next one of the same trees at a place nearby.
struct WideHistory {
  WideIdentity treeA, treeB;
  struct Witness {
    TrianglePair triangles;
    SlotPair leaves;
    /// So many pairs of these leaves are in the scratch memory's batch, the witness among them.
    std::uint32_t inBatch = 0;
    double reachA = 0, reachB = 0;  ///< of the meshes' local coordinates
  };
  std::optional<Witness> witness;
  std::optional<MotionRate> pace;  ///< the query is to tell steps
  SafeSteps apart;                 ///< from the last traversal
};

/// The `leastTriangleExtent` of meshes that reach so far at this placement, or a larger one; nothing where
/// their coordinates may not suit a vector triangle test.
std::optional<float> vectorTriangleExtent(double reachA, double reachB, const Transform& aFromB) noexcept;

}  // namespace fitup::detail

namespace fitup {

struct WideScratch::Data {
  struct Workers;                               ///< of queries that several threads share
  detail::TriangleBatch batch;                  ///< with coherence: of the last pair found
  std::unique_ptr<detail::ManyTriangles> many;  ///< once a query for all pairs was asked
  detail::PairStack stack;
  std::vector<detail::SlotPair> shared;  ///< pairs that threads take in turn
  detail::FoundSurfaces found;
  detail::WideHistory history;
  std::shared_ptr<Workers> workers;
};

}  // namespace fitup
