#pragma once

#include <array>
#include <cstdint>

#include <fitup/hierarchy/detail/wide_body_tree.h>

namespace fitup::detail {

// The binary tree over bodies becomes a wide one by leaving out nodes, whose children move to the node above.
// The node of a body may be left out too, and its groups then move up. Dynamic programming selects the nodes
// so that the sum of the surface areas of the remaining ones is minimal (Ylitie, Karras and Laine, "Efficient
// Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", 2017).

/// Sets the costs of a node whose halves have their costs. `unit` is as in `splitTriangles`.
void setCosts(BodyNode& node, float unit) noexcept;

/// A child of a wide node while its tree is built: a tree of bodies, or a run of triangles of one body.
struct ShapeChild {
  BuildGroup slots;
  std::uint32_t surface = 0;         ///< as `WideNodeHead::surface`
  const BodyNode* bodies = nullptr;  ///< null for triangles

  [[nodiscard]] bool isLeaf() const noexcept {
    return slots.count() <= 8 && (bodies == nullptr || bodies->isBody());
  }
};

/// The children of a wide node.
struct ShapeFamily {
  std::array<ShapeChild, 8> child;
  std::uint32_t count = 0;

  void add(const ShapeChild& c) noexcept { child[count++] = c; }
  void addTriangles(const BuildGroups& groups, std::uint32_t surface) noexcept;
};

/// Returns the children of the wide node that a tree of bodies becomes. Precondition: it is not a leaf.
ShapeFamily familyOf(const BodyNode& node) noexcept;

}  // namespace fitup::detail
