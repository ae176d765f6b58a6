#pragma once

#include <string_view>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

struct BuildOptions;

/// What the toolkit has to know of a kind of hierarchy: one constant for each, beside its tree.
struct TreeKind {
  std::string_view name;  ///< as the command line and reports use it
  /// Whether `CollisionModel::refit` can fit a tree of this kind around moved points. Trees whose boxes are
  /// turned, or are cut out of their parents', have to be built anew.
  bool refittable = false;
  /// Makes the options ask for it, with its usual options unless it is asked for already.
  void (*request)(BuildOptions& options) = nullptr;
};

namespace detail {
extern const TreeKind wideKind, scdKind;
}  // namespace detail

/// A kind of hierarchy that a model may carry: one of the toolkit's two, or one that a library brings along
/// (<fitup_field/field_kinds.h>). Kinds are the same if they are one constant.
class HierarchyKind {
 public:
  static const HierarchyKind wide;  ///< eight boxes a node, tested at once: the fast default
  static const HierarchyKind scd;   ///< surface R-tree and triangle R-trees (Figueiredo)

  constexpr HierarchyKind() noexcept : kind_(&detail::wideKind) {}
  /// Keeps a reference: `kind` is a constant of static storage.
  constexpr explicit HierarchyKind(const TreeKind& kind) noexcept : kind_(&kind) {}

  [[nodiscard]] constexpr const TreeKind& operator*() const noexcept { return *kind_; }
  friend constexpr bool operator==(HierarchyKind, HierarchyKind) noexcept = default;

 private:
  const TreeKind* kind_;
};
inline constexpr HierarchyKind HierarchyKind::wide{detail::wideKind};
inline constexpr HierarchyKind HierarchyKind::scd{detail::scdKind};

inline std::string_view name(HierarchyKind kind) noexcept { return (*kind).name; }
inline bool isRefittable(HierarchyKind kind) noexcept { return (*kind).refittable; }

}  // namespace fitup
