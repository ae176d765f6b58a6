#pragma once

#include <array>
#include <cstdint>

#include <fitup/hierarchy/detail/wide_body_tree.h>

namespace fitup::detail {

// The binary tree over bodies becomes a wide one by leaving out nodes, whose children then are those of the
// node above; likewise the node of a body, whose groups they then are. Which ones, dynamic programming says:
// the sum of the surface areas of the nodes that stay is the least possible (Ylitie, Karras and Laine,
// "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", 2017).

/// Sets the costs of a node, for which its halves have theirs. `unit` as in `splitTriangles`.
void setCosts(BodyNode& node, float unit) noexcept;

/// A child of a wide node while its tree is built: a tree of bodies, or a run of triangles of one body.
struct ShapeChild {
  BuildGroup slots;
  std::uint32_t surface = 0;         ///< as `WideNodeHead::surface`
  const BodyNode* bodies = nullptr;  ///< none for triangles

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

/// Those of the wide node that a tree of bodies becomes. Precondition: it is no leaf.
ShapeFamily familyOf(const BodyNode& node) noexcept;

}  // namespace fitup::detail
