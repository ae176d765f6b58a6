#include <catch2/catch.hpp>

#include <filesystem>

#include <fitup/base/error.h>
#include <fitup/io/read_assembly.h>
#include <fitup/scene/interference.h>
#include <fitup_field/field_kinds.h>

#include "support/all_kinds.h"
#include "support/import_checks.h"
#include "support/placements.h"
#include "support/test_data.h"

namespace all_kinds_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Moves every instance a little, so that mated parts overlap or separate.
void checkFile(const std::filesystem::path& file, std::size_t& hits) {
  std::optional<Model> read;
  try {
    read = import(file);
  } catch (const Error& error) {
    WARN("skipped: " << file.filename().string() << ": " << error.what());
    return;
  }
  Model model = std::move(*read);
  Random random(11);
  Assembly& assembly = model.assembly;
  for (const NodeId node : assembly.instances()) {
    if (assembly.meshOf(node).triangleCount() == 0) continue;
    const double size = norm(assembly.worldBounds(node).max - assembly.worldBounds(node).min);
    const Transform nudge =
        Transform::rigid(axisAngle(random.inCube(1) + Vec3{0, 0, 1.5}, random.between(-0.02, 0.02)),
                         random.inCube(0.02 * size));
    assembly.setPlacement(node, assembly.node(node).parentFromNode * nudge);
  }
  const CollisionModels models = buildCollisionModels(assembly, everyKind(), {}, 0);
  for (const QueryMode mode : {QueryMode::allTrianglePairs, QueryMode::allSurfacePairs}) {
    std::optional<InterferenceReport> first;
    for (const HierarchyKind kind : field::allHierarchyKinds()) {
      InterferenceOptions options;
      options.request.mode = mode;
      options.request.hierarchy = kind;
      const InterferenceReport report = checkAllPairs(Scene(assembly, models), {}, options);
      INFO(file.filename().string() << ", " << name(mode) << ", " << name(kind));
      if (!first) {
        first = report;
        hits += report.pairs.size();
        continue;
      }
      REQUIRE(report.pairs.size() == first->pairs.size());
      for (std::size_t i = 0; i < report.pairs.size(); ++i) {
        REQUIRE(report.pairs[i].a == first->pairs[i].a);
        REQUIRE(report.pairs[i].b == first->pairs[i].b);
        REQUIRE(report.pairs[i].report.surfacePairs == first->pairs[i].report.surfacePairs);
        if (mode == QueryMode::allTrianglePairs)
          REQUIRE(report.pairs[i].report.trianglePairs == first->pairs[i].report.trianglePairs);
      }
    }
  }
}

void checkFolder(std::uintmax_t largest) {
  const auto folder = sharedData("step");
  if (!cadImporter() || !folder) {
    WARN("skipped: the STEP files or the importer are absent");
    return;
  }
  std::size_t hits = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder)) {
    const std::string extension = entry.path().extension().string();
    if ((extension == ".step" || extension == ".stp") && entry.file_size() <= largest)
      checkFile(entry.path(), hits);
  }
  CHECK(hits > 10);
}

}  // namespace

TEST_CASE("all kinds of hierarchy report the same on small STEP assemblies, parts nudged",
          "[importers][trees]") {
  checkFolder(450'000);
}
TEST_CASE("all kinds of hierarchy report the same on every STEP assembly, parts nudged",
          "[.][importers][trees][large]") {
  checkFolder(~std::uintmax_t{0});
}

}  // namespace all_kinds_tests
