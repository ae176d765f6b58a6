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

/// A tree of a kind that the toolkit itself does not build.
struct TreeRequest {
  HierarchyKind kind;
  std::uint64_t unitsPerTriangle = 0;  ///< by how much a build advances its meter
  std::function<std::shared_ptr<const HierarchyTree>(const TriangleMesh& mesh, const WorkMeter& meter)> build;
};

/// What `CollisionModel::build` makes. The surface R-tree (SBV) is always there.
struct BuildOptions {
  /// Fan-out and packing of the R-trees.
  RTreeOptions rtree;
  /// The triangle R-trees (TBV), which `scd` needs; they take as much time and memory as the wide tree.
  bool triangleTrees = false;
  /// The default hierarchy; unset: none is built, and queries have to ask for another kind.
  std::optional<WideBvhOptions> wide = WideBvhOptions{};
  /// One for each kind at most.
  std::vector<TreeRequest> more{};

  /// Asks for a kind, with its usual options unless some are there already.
  void add(HierarchyKind kind) { (*kind).request(*this); }
  [[nodiscard]] bool asksFor(HierarchyKind kind) const noexcept {
    if (kind == HierarchyKind::wide) return wide.has_value();
    if (kind == HierarchyKind::scd) return triangleTrees;
    return std::any_of(more.begin(), more.end(), [&](const TreeRequest& r) { return r.kind == kind; });
  }
};

}  // namespace fitup
