#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>

#include <fitup/base/work_meter.h>
#include <fitup/geometry/vectors-inl.h>
#include <fitup/hierarchy/detail/wide_split.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup::detail {

/// A node of the binary tree over the bodies of a mesh: a body or two halves.
struct BodyNode {
  Box4 box;
  const BodyNode *left = nullptr, *right = nullptr;  ///< null for a body
  BuildGroup slots;
  std::uint32_t surface = 0;  ///< as `WideNodeHead::surface`
  BuildGroups groups;         ///< for a body: the groups into which its slots are split first; the body
                              ///< itself if it is a leaf

  /// [i] is the least cost of the wide nodes above the groups of bodies if this tree takes up to i children
  /// of one wide node (wide_collapse.h). [0] is not used.
  std::array<float, 8> cost{};

  [[nodiscard]] bool isBody() const noexcept { return left == nullptr; }
};

/// Splits a mesh by its surfaces, these by their shells if that pays off, and each body's triangles once.
/// Owns its nodes.
class BodyTree {
 public:
  /// Writes `items`, one for each triangle of the mesh, in the order of slots. Large subtrees are tasks of
  /// the calling thread's TBB arena; the tree does not depend on the number of threads. `unit` is as in
  /// `splitTriangles`. Polls `meter`. Throws CancelledError.
  BodyTree(const TriangleMesh& mesh, std::span<BuildItem> items, float unit, const WorkMeter& meter);

  /// Null for an empty mesh.
  [[nodiscard]] const BodyNode* root() const noexcept { return root_; }

 private:
  class Builder;
  std::deque<std::deque<BodyNode>> nodes_;  ///< nodes of each task; their addresses stay valid
  const BodyNode* root_ = nullptr;
};

}  // namespace fitup::detail
