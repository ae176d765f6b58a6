#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/flat_rtree.h>
#include <fitup/hierarchy/hierarchy_tree.h>
#include <fitup/hierarchy/kind.h>
#include <fitup/hierarchy/wide_bvh.h>

namespace FITUP_EXPORT fitup {

/// A tree of a kind that a library outside the toolkit builds.
struct TreeRequest {
  HierarchyKind kind;
  std::uint64_t unitsPerTriangle = 0;  ///< units by which a build advances its meter, for each triangle
  std::function<std::shared_ptr<const HierarchyTree>(const TriangleMesh& mesh, const WorkMeter& meter)> build;
};

/// Options of `CollisionModel::build`. The surface R-tree (SBV) is always built.
struct BuildOptions {
  /// Fan-out and packing of the R-trees.
  RTreeOptions rtree;
  /// Builds the triangle R-trees (TBV), which `scd` needs. They take as much time and memory as the wide
  /// tree.
  bool triangleTrees = false;
  /// The default hierarchy. If unset, it is not built, and queries must ask for a different kind.
  std::optional<WideBvhOptions> wide = WideBvhOptions{};
  /// Trees of other kinds, at most one for each kind.
  std::vector<TreeRequest> more{};

  /// Adds a kind with its default options, unless it is already present.
  void add(HierarchyKind kind) { (*kind).request(*this); }
  [[nodiscard]] bool asksFor(HierarchyKind kind) const noexcept {
    if (kind == HierarchyKind::wide) return wide.has_value();
    if (kind == HierarchyKind::scd) return triangleTrees;
    return std::any_of(more.begin(), more.end(), [&](const TreeRequest& r) { return r.kind == kind; });
  }
};

}  // namespace fitup
