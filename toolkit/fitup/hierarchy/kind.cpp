#include <fitup/hierarchy/kind.h>

namespace fitup {

std::string_view name(HierarchyKind kind) noexcept {
  switch (kind) {
    case HierarchyKind::wide:
      return "wide";
    case HierarchyKind::scd:
      return "scd";
  }
  return "unknown";
}

bool isRefittable(HierarchyKind kind) noexcept {
  switch (kind) {
    case HierarchyKind::wide:
    case HierarchyKind::scd:
      return true;
  }
  return false;
}

std::optional<HierarchyKind> hierarchyKindFromName(std::string_view text) noexcept {
  for (HierarchyKind kind : {HierarchyKind::wide, HierarchyKind::scd})
    if (name(kind) == text) return kind;
  return std::nullopt;
}

}  // namespace fitup
