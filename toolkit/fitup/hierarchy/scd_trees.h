#pragma once

#include <fitup/base/shared_array.h>
#include <fitup/hierarchy/flat_rtree.h>
#include <fitup/hierarchy/refit.h>
#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// The trees of S-CD for one part: the surface R-tree (SBV) over the surfaces' boxes, and a triangle R-tree
/// (TBV) for each surface. Figueiredo, section 3. Boxes in the mesh's local coordinates. Immutable.
struct ScdTrees {
  RTreeOptions options;
  SharedArray<RTreeEntry> entries;  ///< of all trees
  RTreeRoot surfaceTree;  ///< SBV; values are surface ordinals; surfaces without triangles are left out
  /// TBV per surface; values are triangle ordinals in the mesh. Empty in a lean build.
  SharedArray<RTreeRoot> triangleTrees;

  /// Without `withTriangleTrees` only the surface tree is built. Advances `meter` by `units`. Throws
  /// CancelledError.
  static ScdTrees build(const TriangleMesh& mesh, const RTreeOptions& options = {},
                        bool withTriangleTrees = true, const WorkMeter& meter = {});
  /// About what a build counts.
  static std::uint64_t units(const TriangleMesh& mesh, bool withTriangleTrees);
  /// The same trees around the triangles of `mesh`, which are those that these were built for with points
  /// elsewhere: every box is the smallest one again, bottom-up, each once (van den Bergen 1998, section 4).
  /// Adds to `counts`.
  [[nodiscard]] ScdTrees refitted(const TriangleMesh& mesh, RefitCounts& counts) const;
  /// Bytes of all arrays.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return entries.size() * sizeof(RTreeEntry) + triangleTrees.size() * sizeof(RTreeRoot);
  }
  /// False where the trees do not fit the mesh (a damaged file). Linear. Throws CancelledError.
  [[nodiscard]] bool isWellFormedFor(const TriangleMesh& mesh, const WorkMeter& meter = {}) const;
};

}  // namespace fitup
