#include <fitup/hierarchy/kind.h>

namespace fitup {

std::string_view name(HierarchyKind kind) noexcept {
  switch (kind) {
    case HierarchyKind::scd:
      return "scd";
  }
  return "unknown";
}

std::optional<HierarchyKind> hierarchyKindFromName(std::string_view text) noexcept {
  for (HierarchyKind kind : {HierarchyKind::scd})
    if (name(kind) == text) return kind;
  return std::nullopt;
}

}  // namespace fitup
