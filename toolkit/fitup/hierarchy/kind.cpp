#include <fitup/hierarchy/kind.h>

#include <array>

namespace fitup {
namespace {

struct Named {
  HierarchyKind kind;
  std::string_view name;
};
constexpr Named named[] = {
    {HierarchyKind::wide, "wide"},     {HierarchyKind::scd, "scd"},
    {HierarchyKind::aabb, "aabb"},     {HierarchyKind::obb, "obb"},
    {HierarchyKind::box, "box"},       {HierarchyKind::dop, "dop"},
    {HierarchyKind::opcode, "opcode"}, {HierarchyKind::opcodeQuantized, "opcode-quantized"},
};
constexpr auto kinds = [] {
  std::array<HierarchyKind, std::size(named)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = named[i].kind;
  return all;
}();
static_assert(std::size(named) == hierarchyKindCount);

}  // namespace

std::span<const HierarchyKind> allHierarchyKinds() noexcept { return kinds; }

std::string_view name(HierarchyKind kind) noexcept {
  for (const Named& n : named)
    if (n.kind == kind) return n.name;
  return "unknown";
}

bool isRefittable(HierarchyKind kind) noexcept {
  switch (kind) {
    case HierarchyKind::wide:
    case HierarchyKind::scd:
    case HierarchyKind::aabb:
      return true;
    default:
      return false;
  }
}

std::string hierarchyKindNames() {
  std::string text;
  for (const Named& n : named) text += (text.empty() ? "" : ", ") + std::string(n.name);
  return text;
}

std::optional<HierarchyKind> hierarchyKindFromName(std::string_view text) noexcept {
  for (const Named& n : named)
    if (n.name == text) return n.kind;
  return std::nullopt;
}

}  // namespace fitup
