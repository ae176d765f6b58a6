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

/// A node of the binary tree over the bodies of a mesh: a body, or two halves.
struct BodyNode {
  Box4 box;
  const BodyNode *left = nullptr, *right = nullptr;  ///< none for a body
  BuildGroup slots;
  std::uint32_t surface = 0;  ///< as `WideNodeHead::surface`
  BuildGroups groups;         ///< of a body: what its slots are split into first; itself if it is a leaf

  /// [i]: what the wide nodes above the groups of bodies cost at least, this tree being up to i children of
  /// one wide node (wide_collapse.h); [0] is not used.
  std::array<float, 8> cost{};

  [[nodiscard]] bool isBody() const noexcept { return left == nullptr; }
};

/// Splits a mesh by its surfaces, these by their shells where that pays, and each body's triangles once. Owns
/// its nodes.
class BodyTree {
 public:
  /// Sets `items`, of which the mesh has a triangle each, by slot. Large subtrees are tasks of the calling
  /// thread's TBB arena; the tree does not depend on their number. `unit` as in `splitTriangles`. Polls
  /// `meter`. Throws CancelledError.
  BodyTree(const TriangleMesh& mesh, std::span<BuildItem> items, float unit, const WorkMeter& meter);

  /// Null for an empty mesh.
  [[nodiscard]] const BodyNode* root() const noexcept { return root_; }

 private:
  class Builder;
  std::deque<std::deque<BodyNode>> nodes_;  ///< of each task, where they stay
  const BodyNode* root_ = nullptr;
};

}  // namespace fitup::detail
