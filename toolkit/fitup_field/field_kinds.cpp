#include <fitup_field/field_kinds.h>

#include <fitup_field/detail/binary_tree.h>
#include <fitup_field/trees/aabb_tree.h>
#include <fitup_field/trees/box_tree.h>
#include <fitup_field/trees/compact_aabb_tree.h>
#include <fitup_field/trees/dop_tree.h>
#include <fitup_field/trees/obb_tree.h>

namespace fitup::field {
namespace {

template <const HierarchyKind& kind>
void request(BuildOptions& build) {
  if (!build.asksFor(kind)) add(build, kind);
}
template <typename Tree, auto... more>
std::shared_ptr<const HierarchyTree> make(const TriangleMesh& mesh, const ResearchOptions& options,
                                          const WorkMeter& meter) {
  return Tree::build(mesh, options, more..., meter);
}

constexpr HierarchyKind kinds[] = {HierarchyKind::wide, HierarchyKind::scd, aabb, obb, box, dop, opcode,
                                   opcodeQuantized};

}  // namespace

constinit const FieldKind detail::aabbKind{{"aabb", true, request<aabb>}, make<AabbTree>};
constinit const FieldKind detail::obbKind{{"obb", false, request<obb>}, make<ObbTree>};
constinit const FieldKind detail::boxKind{{"box", false, request<box>}, make<BoxTree>};
constinit const FieldKind detail::dopKind{{"dop", false, request<dop>}, make<DopTree>};
constinit const FieldKind detail::opcodeKind{{"opcode", false, request<opcode>},
                                             make<CompactAabbTree, false>};
constinit const FieldKind detail::opcodeQuantizedKind{{"opcode-quantized", false, request<opcodeQuantized>},
                                                      make<CompactAabbTree, true>};

std::span<const HierarchyKind> allHierarchyKinds() noexcept { return kinds; }

std::string hierarchyKindNames() {
  std::string text;
  for (const HierarchyKind kind : kinds) text += (text.empty() ? "" : ", ") + std::string(name(kind));
  return text;
}

std::optional<HierarchyKind> hierarchyKindFromName(std::string_view text) noexcept {
  for (const HierarchyKind kind : kinds)
    if (name(kind) == text) return kind;
  return std::nullopt;
}

void add(BuildOptions& build, HierarchyKind kind, const ResearchOptions& options) {
  if (kind == HierarchyKind::wide || kind == HierarchyKind::scd) return build.add(kind);
  std::erase_if(build.more, [&](const TreeRequest& r) { return r.kind == kind; });
  build.more.push_back(
      {kind, fitup::detail::binaryUnits,
       [make = static_cast<const FieldKind&>(*kind).build, options](
           const TriangleMesh& mesh, const WorkMeter& meter) { return make(mesh, options, meter); }});
}

}  // namespace fitup::field

std::string_view fitup::name(BoxTest test) noexcept {
  constexpr std::string_view names[] = {"usual", "full", "lite", "aligned"};
  return names[static_cast<std::size_t>(test)];
}
