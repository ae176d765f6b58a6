#include <catch2/catch.hpp>

#include <algorithm>

#include <fitup/io/read_assembly.h>
#include <fitup/scene/mates.h>

#include "support/import_checks.h"
#include "support/test_data.h"

namespace mates_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("bolts of as1 belong in the holes, though the file has them as freeform faces",
          "[importers][mates]") {
  const auto file = sharedData("step/as1-oc-214.stp");
  if (!cadImporter() || !file) {
    WARN("skipped: as1-oc-214.stp or the importer is absent");
    return;
  }
  const Model model = import(*file);
  Assembly assembly = model.assembly;
  const NodeId bracket = assembly.at("as1/l-bracket-assembly_1/l-bracket_1"),
               plate = assembly.at("as1/plate_1"),
               bolt = assembly.at("as1/l-bracket-assembly_1/nut-bolt-assembly_1/bolt_1");
  const NodeId plates[] = {plate}, brackets[] = {bracket}, bolts[] = {bolt};

  const auto standing = suggestMates(Scene(assembly), {}, brackets, plates).suggestions;
  REQUIRE_FALSE(standing.empty());
  CHECK(standing.front().kind == MateKind::planes);
  CHECK(standing.front().deviation < 1e-3);

  const auto has = [](const std::vector<MateSuggestion>& all, MateKind kind) {
    return std::any_of(all.begin(), all.end(), [&](const auto& s) { return s.kind == kind; });
  };
  CHECK(has(suggestMates(Scene(assembly), {}, bolts, plates).suggestions, MateKind::cylinders));
  CHECK(has(suggestMates(Scene(assembly), {}, bolts, brackets).suggestions, MateKind::planeAndCylinders));
  // Only described faces: the bores are freeform in the file.
  MateTolerances described;
  described.recognise = 0;
  CHECK_FALSE(
      has(suggestMates(Scene(assembly), {}, bolts, plates, described).suggestions, MateKind::cylinders));

  // After a displacement by 0.4 mm and 1 degree, the bolt snaps back to its place.
  const Transform design = assembly.worldFromNode(bolt);
  const Vec3 middle = assembly.worldBounds(bolt).centre();
  const Transform off = Transform::translation(middle + Vec3{0.2, 0.3, -0.2}) *
                        Transform::rotation(Vec3{1, 1, 0}, 0.017453292519943295) *
                        Transform::translation(-middle);
  const auto& parent = assembly.node(bolt).parent;
  const Transform worldFromParent = parent ? assembly.worldFromNode(*parent) : Transform{};
  assembly.setPlacement(bolt, worldFromParent.inverse() * off * design);
  const auto found = suggestMates(Scene(assembly), {}, bolts, brackets).suggestions;
  const auto both = std::find_if(found.begin(), found.end(), [](const MateSuggestion& s) {
    return s.kind == MateKind::planeAndCylinders;
  });
  REQUIRE(both != found.end());
  const Transform back = both->snap * assembly.worldFromNode(bolt);
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{10, 0, 0}, Vec3{0, 10, 0}, Vec3{0, 0, 10}}) {
    // A turn about its own axis is not undone; this small tilt contains almost none.
    CHECK(norm(back.apply(p) - design.apply(p)) < 0.02);
  }
}

}  // namespace mates_tests
