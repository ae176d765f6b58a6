#pragma once

#include <fitup/base/shared_array.h>
#include <fitup/hierarchy/flat_rtree.h>
#include <fitup/hierarchy/refit.h>
#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// The trees of S-CD for one part: the surface R-tree (SBV) over the boxes of the surfaces, and a triangle
/// R-tree (TBV) for each surface (Figueiredo, section 3). Boxes are in the local coordinates of the mesh.
/// Immutable.
struct ScdTrees {
  RTreeOptions options;
  SharedArray<RTreeEntry> entries;  ///< entries of all trees
  RTreeRoot surfaceTree;  ///< SBV; values are surface ordinals; surfaces without triangles are left out
  /// The TBV of each surface; values are triangle ordinals in the mesh. Empty if only the surface tree was
  /// built.
  SharedArray<RTreeRoot> triangleTrees;

  /// Builds the trees. Without `withTriangleTrees` only the surface tree is built. Advances `meter` by
  /// `units`. Throws CancelledError.
  static ScdTrees build(const TriangleMesh& mesh, const RTreeOptions& options = {},
                        bool withTriangleTrees = true, const WorkMeter& meter = {});
  /// Returns about the number of units that a build counts.
  static std::uint64_t units(const TriangleMesh& mesh, bool withTriangleTrees);
  /// Returns the same trees around the triangles of `mesh`, which are those of the trees' own mesh with moved
  /// points. Every box is the smallest one again, computed once, bottom-up (van den Bergen 1998, section 4).
  /// Adds to `counts`.
  [[nodiscard]] ScdTrees refitted(const TriangleMesh& mesh, RefitCounts& counts) const;
  /// Bytes of all arrays.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return entries.size() * sizeof(RTreeEntry) + triangleTrees.size() * sizeof(RTreeRoot);
  }
  /// Returns false if the trees do not fit the mesh (a damaged file). Linear. Throws CancelledError.
  [[nodiscard]] bool isWellFormedFor(const TriangleMesh& mesh, const WorkMeter& meter = {}) const;
};

}  // namespace fitup
