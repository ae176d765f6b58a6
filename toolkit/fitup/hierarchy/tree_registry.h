#pragma once

#include <memory>
#include <span>

#include <fitup/hierarchy/collision_model.h>

namespace FITUP_EXPORT fitup {

/// How a kind of the field's systems is built: one line for each in tree_registry.cpp.
struct TreeKind {
  HierarchyKind kind;
  bool (*isRequested)(const BuildOptions& options);
  /// Null where the options do not ask for it. Advances `meter` by `detail::binaryUnits` a triangle.
  std::shared_ptr<const HierarchyTree> (*build)(const TriangleMesh& mesh, const BuildOptions& options,
                                                const WorkMeter& meter);
  /// Makes the options ask for it.
  void (*request)(BuildOptions& options);
};

std::span<const TreeKind> treeKinds() noexcept;

}  // namespace fitup
