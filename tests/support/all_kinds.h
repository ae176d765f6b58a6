#pragma once

#include <string>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/query/intersect.h>
#include <fitup_field/field_kinds.h>

namespace fitup::test {

/// Builds every kind of hierarchy.
inline BuildOptions everyKind() {
  BuildOptions options;
  for (const HierarchyKind kind : field::allHierarchyKinds()) options.add(kind);
  return options;
}

/// Runs every kind in every mode and returns the difference from `scd`, or nothing. Adds to `hits` whether
/// they intersect. Precondition: both carry every kind.
inline std::string problemOfKinds(const PosedModel& a, const PosedModel& b, std::size_t& hits) {
  QueryContext context;
  const auto ask = [&](HierarchyKind kind, QueryMode mode) {
    IntersectionRequest request;
    request.hierarchy = kind;
    request.mode = mode;
    return intersect(a, b, request, context);
  };
  const IntersectionReport triangles = ask(HierarchyKind::scd, QueryMode::allTrianglePairs);
  hits += triangles.intersects();
  for (const HierarchyKind kind : field::allHierarchyKinds()) {
    const std::string who(name(kind));
    if (ask(kind, QueryMode::allTrianglePairs).trianglePairs != triangles.trianglePairs)
      return who + ": triangles";
    if (ask(kind, QueryMode::allSurfacePairs).surfacePairs != triangles.surfacePairs)
      return who + ": surfaces";
    if (ask(kind, QueryMode::firstSurfacePair).intersects() != triangles.intersects()) return who + ": first";
  }
  return {};
}

}  // namespace fitup::test
