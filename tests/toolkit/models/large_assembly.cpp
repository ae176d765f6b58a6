#include <models/large_assembly.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include <fitup/base/error.h>
#include <fitup/motion/replay.h>
#include <models/hall/parts.h>

#include "support/closed_mesh.h"

namespace large_assembly_tests {

using namespace fitup;

namespace {

constexpr models::LargeAssemblyOptions small{50, 100'000};

}  // namespace

TEST_CASE("the parts of the hall are distinct, closed and of all sizes", "[models][large]") {
  const Assembly hall = models::makeLargeAssembly(small);
  REQUIRE(hall.partCount() == 51);
  CHECK(hall.instances().size() == 51);
  std::set<std::uint64_t> contents;
  std::vector<std::size_t> counts;
  std::size_t total = 0;
  for (std::uint32_t i = 0; i < hall.partCount(); ++i) {
    const TriangleMesh& part = hall.part(PartId{i});
    INFO(part.name());
    contents.insert(part.contentHash());
    counts.push_back(part.triangleCount());
    total += part.triangleCount();
    CHECK(part.validation().degenerateTriangles == 0);
    CHECK(test::closed(part));
    CHECK(part.surfaces().size() > 1);
  }
  CHECK(contents.size() == hall.partCount());
  CHECK(total == Approx(100'000).epsilon(0.1));
  CHECK(*std::min_element(counts.begin(), counts.end()) < 60);
  CHECK(*std::max_element(counts.begin(), counts.end()) > 10'000);
}

TEST_CASE("the hall is drawn from its seed", "[models][large]") {
  const Assembly hall = models::makeLargeAssembly(small);
  CHECK(hall.contentHash() == models::makeLargeAssembly(small).contentHash());
  models::LargeAssemblyOptions other = small;
  other.seed = 2;
  CHECK(hall.contentHash() != models::makeLargeAssembly(other).contentHash());
  // Frozen: published results refer to this model. A change here is a new model.
  CHECK(hall.contentHash() == 0xa62b383b9cad7fdaULL);
  for (const models::LargeAssemblyOptions& bad :
       {models::LargeAssemblyOptions{0, 1000}, {10, 499}, {10, 500'001}})
    CHECK_THROWS_AS(models::makeLargeAssembly(bad), InputError);
}

TEST_CASE("parts of every kind come close to the wanted count", "[models][large]") {
  for (int k = 0; k < models::hall::partKinds; ++k)
    for (const std::size_t wanted : {60U, 200U, 1500U, 6000U, 40000U}) {
      const auto kind = static_cast<models::hall::PartKind>(k);
      if (!models::hall::suits(kind, wanted)) continue;
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const TriangleMesh part = models::hall::makePart(kind, "part", wanted, seed);
        INFO(models::hall::name(kind) << " of " << wanted << ", seed " << seed);
        CHECK(part.triangleCount() > wanted / 3);
        CHECK(part.triangleCount() < 2 * wanted + 100);
        CHECK(test::closed(part));
      }
    }
}

TEST_CASE("neighbours in the hall seldom interpenetrate", "[models][large]") {
  const Assembly hall = models::makeLargeAssembly({200, 100'000});
  const InterferenceReport report = checkAllPairs(Scene(hall, buildCollisionModels(hall)), {}, {});
  CHECK(report.pairs.size() < hall.partCount() / 20);
  CHECK(report.narrowPairs > 0);
}

TEST_CASE("the spool meets parts of the hall at some steps and not at others", "[models][large]") {
  const Assembly hall = models::makeLargeAssembly(small);
  const Track track = models::makeLargeTrack(hall);
  REQUIRE(track.steps.size() == 400);
  CHECK(track.modelHash == hall.contentHash());
  CHECK(track.steps.front().front() == RigidMotion{});
  const ReplayReport report = replay(Scene(hall, buildCollisionModels(hall)), {}, track, {});
  const auto hits = std::count_if(report.steps.begin(), report.steps.end(),
                                  [](const ReplayStep& s) { return s.interference.intersects(); });
  CHECK(hits > 20);
  CHECK(hits < 380);
  CHECK_FALSE(report.steps.front().interference.intersects());
  CHECK_FALSE(report.steps.back().interference.intersects());
}

}  // namespace large_assembly_tests
