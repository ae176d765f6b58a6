#pragma once

#include <string_view>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

struct BuildOptions;

/// Description of a kind of hierarchy. Each kind has one constant, next to its tree.
struct TreeKind {
  std::string_view name;  ///< name on the command line and in reports
  /// True if `CollisionModel::refit` can fit a tree of this kind around moved points. Trees whose boxes are
  /// rotated or cut out of their parents' boxes must be built again.
  bool refittable = false;
  /// Adds the kind to the options with its default options, unless it is already present.
  void (*request)(BuildOptions& options) = nullptr;
};

namespace detail {
extern const TreeKind wideKind, scdKind;
}  // namespace detail

/// A kind of hierarchy of a model: one of the two kinds of the toolkit, or a kind from another library
/// (`<fitup_field/field_kinds.h>`). Kinds are equal if they refer to the same constant.
class HierarchyKind {
 public:
  static const HierarchyKind wide;  ///< eight boxes in each node, tested at once: the fast default
  static const HierarchyKind scd;   ///< surface R-tree and triangle R-trees (Figueiredo)

  constexpr HierarchyKind() noexcept : kind_(&detail::wideKind) {}
  /// Keeps a reference: `kind` must be a constant of static storage.
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
