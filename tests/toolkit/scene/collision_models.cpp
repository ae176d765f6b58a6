#include <catch2/catch.hpp>

#include <stop_token>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/hierarchy/kind.h>
#include <fitup/io/model_file.h>
#include <fitup/scene/interference.h>
#include <fitup_field/field_kinds.h>
#include <models/torus.h>

#include "support/interference_checks.h"
#include "support/random_assembly.h"
#include "support/tiny_meshes.h"

namespace collision_models_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("one model for each part, parts of one mesh share it", "[scene]") {
  Assembly assembly;
  const MeshPtr shared = box(1, 1, 1);
  const PartId first = assembly.addPart(shared), other = assembly.addPart(cylinder(1, 1, 8)),
               second = assembly.addPart(shared), empty = assembly.addPart(emptyMesh());
  for (unsigned threads : {0U, 1U, 2U, 4U}) {
    const CollisionModels models = buildCollisionModels(assembly, {}, {}, threads);
    REQUIRE(models.size() == 4);
    CHECK(models[index(first)] == models[index(second)]);
    CHECK(models[index(first)] != models[index(other)]);
    for (PartId part : {first, other, second, empty})
      CHECK(models[index(part)]->sharedMesh() == assembly.sharedPart(part));
  }
}

TEST_CASE("an assembly without parts has no models", "[scene]") {
  CHECK(buildCollisionModels(Assembly()).empty());
}

TEST_CASE("models do not depend on the number of threads", "[scene]") {
  const Assembly assembly = randomAssembly(3, 20);
  const CollisionModels one = buildCollisionModels(assembly, {}, {}, 1);
  const InterferenceReport expected = checkAllPairs(Scene(assembly, one));
  for (unsigned threads : {2U, 4U}) {
    const CollisionModels models = buildCollisionModels(assembly, {}, {}, threads);
    const InterferenceReport report = checkAllPairs(Scene(assembly, models));
    CHECK(difference(report, expected) == "");
    CHECK(report.stats == expected.stats);  // the same trees, so the same visits
  }
}

TEST_CASE("one part is built on several threads, with the same trees", "[scene]") {
  Assembly assembly;
  const PartId part =
      assembly.addPart(std::make_shared<const TriangleMesh>(models::makeTorus(models::largeTorus())));
  assembly.addNode("torus", {}, std::nullopt, part);
  Model one;
  one.assembly = assembly;
  one.collisionModels = buildCollisionModels(assembly, {}, {}, 1);
  const std::string expected = modelFileBytes(one);
  for (const unsigned threads : {2U, 5U}) {
    Model several = one;
    several.collisionModels = buildCollisionModels(assembly, {}, {}, threads);
    CHECK((modelFileBytes(several) == expected));
  }
}

TEST_CASE("a cancelled build ends with an error", "[scene]") {
  const Assembly assembly = randomAssembly(3, 5);
  std::stop_source source;
  SECTION("before the start") {
    source.request_stop();
    CHECK_THROWS_AS(buildCollisionModels(assembly, {}, Progress(source.get_token()), 2), CancelledError);
  }
  SECTION("on the way") {
    int reports = 0;
    const Progress progress(source.get_token(), [&](std::string_view, double) {
      ++reports;
      source.request_stop();
    });
    CHECK_THROWS_AS(buildCollisionModels(assembly, {}, progress, 1), CancelledError);
    CHECK(reports == 1);
  }
}

TEST_CASE("progress of a build ends at one", "[scene]") {
  const Assembly assembly = randomAssembly(3, 5);
  double last = 0;
  const Progress progress({}, [&](std::string_view, double fraction) {
    CHECK(fraction > last);
    last = fraction;
  });
  (void)buildCollisionModels(assembly, {}, progress, 1);
  CHECK(last == 1);
}

TEST_CASE("the build of a single part says how far it is and can be cancelled at any point", "[scene]") {
  models::TorusOptions options;
  options.patchesAround = options.patchesAcross = GENERATE(1, 10);
  Assembly assembly;
  assembly.addPart(std::make_shared<const TriangleMesh>(models::makeTorus(options)));
  BuildOptions build;
  if (GENERATE(false, true))
    for (const HierarchyKind kind : field::allHierarchyKinds()) build.add(kind);
  if (GENERATE(false, true)) build.rtree.build = RTreeBuild::guttman;

  std::vector<double> reported;
  const Progress progress({}, [&](std::string_view, double fraction) { reported.push_back(fraction); });
  const CollisionModels expected = buildCollisionModels(assembly, build, progress, 1);
  REQUIRE(expected.size() == 1);
  // Work for more than a tenth of the whole never passes without a check for cancellation.
  double before = 0;
  for (const double fraction : reported) {
    CHECK(fraction > before);
    CHECK(fraction - before < 0.1);
    before = fraction;
  }
  CHECK(before == 1);

  for (std::size_t stopAt = 1; stopAt < reported.size(); stopAt += 1 + reported.size() / 6) {
    std::stop_source stop;
    std::size_t reports = 0;
    const Progress cancelling(stop.get_token(), [&](std::string_view, double) {
      if (++reports == stopAt) stop.request_stop();
    });
    CHECK_THROWS_AS(buildCollisionModels(assembly, build, cancelling, 1), CancelledError);
    CHECK(reports == stopAt);
  }
}

TEST_CASE("a cancelled build of solids ends with an error, and the next one makes them", "[scene]") {
  const Assembly assembly = randomAssembly(3, 5);
  const Scene scene(assembly);
  std::vector<PartId> parts;
  for (std::uint32_t i = 0; i < assembly.partCount(); ++i) parts.push_back(PartId{i});
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(scene.prepareSolids(parts, Progress(stop.get_token()), 2), CancelledError);
  scene.prepareSolids(parts, {}, 2);
  for (const PartId part : parts) CHECK(scene.solid(part)->sharedModel() == scene.collisionModel(part));
  CHECK_THROWS_AS(SolidModel::build(scene.collisionModel(PartId{0}), WorkMeter(Progress(stop.get_token()))),
                  CancelledError);
}

}  // namespace collision_models_tests
