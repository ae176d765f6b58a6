#include <viewer/core/finding_place.h>

#include <catch2/catch.hpp>

#include <fitup/scene/interference.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace finding_place_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// A pin of 2 x 2 x 6 that reaches by 0.5 into a plate of 20 x 20 x 2, whose upper side is at z = 1.
struct Pin {
  Assembly assembly{"pin"};
  NodeId plate{}, pin{};
  InterferenceReport report;
  Pin() {
    plate = assembly.addNode("plate", {}, {}, assembly.addPart(sixSidedBox(20, 20, 2)));
    pin = assembly.addNode("pin", shift(6, 2, 3.5), {}, assembly.addPart(sixSidedBox(2, 2, 6)));
    InterferenceOptions options;
    options.request.mode = QueryMode::allSurfacePairs;
    options.verdict = VerdictOptions{.tolerance = 0.1};
    report = checkAllPairs(scene(), {}, options);
  }
  [[nodiscard]] Scene scene() const { return Scene(assembly, buildCollisionModels(assembly)); }
  [[nodiscard]] std::vector<Finding> findings() const { return listFindings(assembly, report); }
};

bool isIn(const Box& box, const Vec3& point, double margin = 1e-9) {
  for (int i = 0; i < 3; ++i)
    if (point[i] < box.min[i] - margin || point[i] > box.max[i] + margin) return false;
  return true;
}

}  // namespace

TEST_CASE("the place of a finding is where two faces meet, with what is around", "[viewer][place]") {
  const Pin model;
  const std::vector<Finding> findings = model.findings();
  REQUIRE_FALSE(findings.empty());
  const Box ofPin = model.assembly.worldBounds(model.pin);
  for (const Finding& finding : findings) {
    const FindingPlace place = placeOf(model.scene(), {}, finding, pairOf(model.report, finding));
    CHECK(isIn(ofPin, place.point));
    CHECK(isIn(place.around, place.point));
    // At least about a third of the pin, not all of the plate.
    CHECK(norm(place.around.halfExtent()) > norm(ofPin.halfExtent()) / 3);
    CHECK(norm(place.around.halfExtent()) < norm(model.assembly.worldBounds(model.plate).halfExtent()));
    CHECK_FALSE(place.seen.empty());
    for (const Vec3& point : place.seen) CHECK(isIn(place.around, point));
  }
}

TEST_CASE("a depth goes from the deepest point to the other surface", "[viewer][place]") {
  const Pin model;
  std::size_t known = 0;
  for (const Finding& finding : model.findings()) {
    const PairInterference* pair = pairOf(model.report, finding);
    REQUIRE(pair != nullptr);
    const auto place = depthPlaceOf(finding, *pair);
    CHECK(place.has_value() == (finding.found.verdict == Verdict::clash));
    if (!place) continue;
    ++known;
    CHECK(norm(place->to - place->from) == Approx(0.5).epsilon(0.02));
    CHECK(std::max(place->from.z, place->to.z) == Approx(1).margin(0.02));
  }
  CHECK(known > 0);
  // While the depth is open there is nothing to show.
  InterferenceReport open = model.report;
  open.pairs.front().verdict->hasRegions = false;
  open.pairs.front().verdict->regions.clear();
  CHECK_FALSE(depthPlaceOf(model.findings().front(), open.pairs.front()));
  Finding other = model.findings().front();
  other.b = NodeId{99};
  CHECK(pairOf(model.report, other) == nullptr);
}

TEST_CASE("the direction of sight stays unless the parts hide the place", "[viewer][place]") {
  // Between two walls, a place is not seen through them.
  Assembly assembly("hole");
  const PartId wall = assembly.addPart(sixSidedBox(1, 6, 20));
  const NodeId left = assembly.addNode("left", shift(-3, 0, 0), {}, wall),
               right = assembly.addNode("right", shift(3, 0, 0), {}, wall);
  const Scene scene(assembly, buildCollisionModels(assembly));
  const Vec3 points[] = {{0, 0, 0}, {0, 0.5, 0}};
  const auto sightFrom = [&](const Vec3& present) {
    return clearSight(scene, {}, left, right, points, present);
  };
  const Vec3 along = normalized(Vec3{0.01, 1, 0.02});
  CHECK(sightFrom(along) == along);
  // It turns no farther than must be.
  const Vec3 across = normalized(Vec3{1, 0.2, 0});
  const Vec3 turned = sightFrom(across);
  CHECK(norm(turned - across) > 0.1);
  CHECK(std::abs(turned.x) < 0.97);
  CHECK(std::abs(turned.x) > 0.1);
  CHECK(turned.y > 0);
  CHECK(sightFrom(across) == turned);
  // Nowhere seen: it stays.
  const Vec3 inside[] = {{3, 0, 0}};
  CHECK(clearSight(scene, {}, left, right, inside, along) == along);
}

}  // namespace finding_place_tests
