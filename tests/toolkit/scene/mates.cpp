#include <fitup/scene/mates.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include <fitup/base/error.h>
#include <fitup/mesh/recognise.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace mates_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

constexpr double degree = std::numbers::pi / 180;

struct Pair {
  Assembly assembly{"pair"};
  NodeId fixed{}, mover{};

  Pair(const MeshPtr& meshOfFixed, const Transform& fixedAt, const MeshPtr& meshOfMover,
       const Transform& moverAt) {
    fixed = assembly.addNode("fixed", fixedAt, {}, assembly.addPart(meshOfFixed));
    mover = assembly.addNode("mover", moverAt, {}, assembly.addPart(meshOfMover));
  }
  [[nodiscard]] std::vector<MateSuggestion> mates(const MateTolerances& tolerances = {}) const {
    const NodeId moved[] = {mover}, others[] = {fixed};
    return suggestMates(Scene(assembly), {}, moved, others, tolerances).suggestions;
  }
  /// Returns the pair after the snap.
  [[nodiscard]] Pair snapped(const MateSuggestion& suggestion) const {
    Pair result = *this;
    result.assembly.setPlacement(mover, suggestion.snap * assembly.worldFromNode(mover));
    return result;
  }
};

std::vector<MateSuggestion> of(MateKind kind, const std::vector<MateSuggestion>& all) {
  std::vector<MateSuggestion> result;
  for (const MateSuggestion& s : all)
    if (s.kind == kind) result.push_back(s);
  return result;
}

}  // namespace

TEST_CASE("planes and cylinders are recognised from triangles", "[mesh][mates]") {
  Random random(5);
  for (int k = 0; k < 20; ++k) {
    const Transform at = Transform::rigid(randomRotation(random), random.inCube(50));
    const MeshPtr ring = transformed(tube(6, 4, 10, 32, 2), at);
    const auto bore = recogniseSurface(*ring, SurfaceId{1}, 1e-3);
    REQUIRE(bore);
    CHECK(bore->kind == SurfaceKind::cylinder);
    CHECK(bore->radius == Approx(4).epsilon(1e-5));
    const Vec3 axis = at.applyToVector({0, 0, 1}), off = bore->point - at.t;
    CHECK(norm(cross(bore->axis, axis)) < 1e-5);
    CHECK(norm(off - dot(off, axis) * axis) < 1e-4);
    const auto top = recogniseSurface(*ring, SurfaceId{3}, 1e-3);
    REQUIRE(top);
    CHECK(top->kind == SurfaceKind::plane);
    CHECK(dot(top->axis, axis) == Approx(1).epsilon(1e-6));
  }
  CHECK(recogniseSurface(*icosphere(1, 3), SurfaceId{0}, 1e-3)->kind == SurfaceKind::sphere);
  CHECK_FALSE(recogniseSurface(*box(1, 2, 3), SurfaceId{0}, 1e-3));  // six sides in one
  CHECK_THROWS_AS(recogniseSurface(*box(1, 2, 3), SurfaceId{1}, 1e-3), InputError);
}

TEST_CASE("plates that nearly touch are suggested to meet, by the smallest motion", "[scene][mates]") {
  const MeshPtr plate = sixSidedBox(40, 30, 10), cover = sixSidedBox(20, 20, 10);
  for (const double gap : {0.0, 0.3, -0.3})
    for (const double tilt : {0.0, 1.5}) {
      INFO("gap " << gap << ", tilt " << tilt);
      const Pair pair(plate, {}, cover,
                      shift(3, -2, 10 + gap) * Transform::rotation(Vec3{1, 2, 0}, tilt * degree));
      const auto found = pair.mates();
      REQUIRE_FALSE(found.empty());
      const MateSuggestion& s = found.front();
      CHECK(s.kind == MateKind::planes);
      CHECK(s.fixedSurfaces == std::vector{SurfaceId{5}});
      CHECK(s.movedSurfaces == std::vector{SurfaceId{4}});
      CHECK(s.angle == Approx(tilt * degree).margin(1e-9));
      CHECK(s.overlapArea == Approx(400).epsilon(0.01));
      CHECK(s.snap.kind() == TransformKind::rigid);
      if (tilt == 0) {
        CHECK(s.deviation == Approx(std::abs(gap)).margin(1e-6));
        CHECK(norm(s.snap.t - Vec3{0, 0, -gap}) < 1e-6);  // only the shift
      }
      const auto after = pair.snapped(s).mates();
      REQUIRE_FALSE(after.empty());
      CHECK(after.front().deviation < 1e-6);
      CHECK(after.front().angle < 1e-6);
    }
  // Too far, too oblique, beside each other, facing away.
  CHECK(Pair(plate, {}, cover, shift(0, 0, 11.5)).mates().empty());
  CHECK(Pair(plate, {}, cover, shift(0, 0, 10.5) * Transform::rotation(Vec3{1, 0, 0}, 3 * degree))
            .mates()
            .empty());
  CHECK(Pair(plate, {}, cover, shift(60, 0, 10)).mates().empty());
  CHECK(Pair(plate, {}, cover, shift(3, -2, 0.5))
            .mates({.reach = 0.6, .angle = 0.03, .play = 0, .recognise = {}})
            .empty());
}

TEST_CASE("a peg finds its hole, and which is which", "[scene][mates]") {
  const MeshPtr ring = tube(10, 4.2, 8, 48), pin = cylinder(4, 30, 48);
  Random random(17);
  for (int k = 0; k < 10; ++k) {
    const Transform world = Transform::rigid(randomRotation(random), random.inCube(30));
    const Transform askew = shift(0.3, -0.2, 1) * Transform::rotation(Vec3{1, 1, 0}, 0.8 * degree);
    const Pair pair(ring, world, pin, world * askew);
    const auto found = of(MateKind::cylinders, pair.mates());
    REQUIRE(found.size() == 1);
    const MateSuggestion& s = found.front();
    CHECK(s.movedIsPeg);
    CHECK(s.play == Approx(0.2).margin(0.01));
    CHECK(s.angle == Approx(0.8 * degree).epsilon(1e-3));
    CHECK(s.deviation == Approx(std::hypot(0.3, 0.2)).epsilon(1e-3));
    // Nothing is turned about the axis or shifted along it except by the tilt itself.
    const auto after = of(MateKind::cylinders, pair.snapped(s).mates());
    REQUIRE(after.size() == 1);
    CHECK(after[0].deviation < 1e-4);
    CHECK(after[0].angle < 1e-4);
    // In the other order, the ring is moved.
    const Pair reversed(pin, world * askew, ring, world);
    const auto back = of(MateKind::cylinders, reversed.mates());
    REQUIRE(back.size() == 1);
    CHECK_FALSE(back[0].movedIsPeg);
  }
  const auto cylinders = [&](const MeshPtr& a, const Transform& at) {
    return of(MateKind::cylinders, Pair(ring, {}, a, at).mates());
  };
  CHECK(cylinders(cylinder(3, 30, 48), {}).empty());               // too thin
  CHECK(cylinders(pin, shift(0, 0, 25)).empty());                  // beyond its end
  CHECK(cylinders(cylinder(4.4, 30, 48), {}).front().play < 0);    // press fit
  CHECK(cylinders(tube(12, 4.1, 8, 48), shift(0, 0, 4)).empty());  // two holes
}

TEST_CASE("a peg beside or beyond its hole is suggested if the tolerances reach it", "[scene][mates]") {
  const MeshPtr ring = tube(10, 4.2, 8, 48), pin = cylinder(4, 30, 48);
  const auto cylinders = [&](const MeshPtr& mover, const Transform& at, const MateTolerances& tolerances) {
    return of(MateKind::cylinders, Pair(ring, {}, mover, at).mates(tolerances));
  };
  MateTolerances beside, beyond, loose;
  beside.radii = beyond.along = 1;
  loose.looseness = 0.3;

  CHECK(cylinders(pin, shift(3, 0, 0), {}).empty());
  REQUIRE(cylinders(pin, shift(3, 0, 0), beside).size() == 1);
  // Only shifted: the triangles say no more about the directions.
  CHECK(rotationOf(cylinders(pin, shift(3, 0, 0), beside)[0].snap) == Quaternion{});
  CHECK(norm(cylinders(pin, shift(3, 0, 0), beside)[0].snap.t - Vec3{-3, 0, 0}) < 1e-5);
  CHECK(cylinders(pin, shift(4.3, 0, 0), beside).empty());  // more than its radius

  const Transform above = shift(0.5, 0, 40);  // by 21 more than both half lengths
  CHECK(cylinders(pin, above, {}).empty());
  REQUIRE(cylinders(pin, above, beyond).size() == 1);
  CHECK(cylinders(pin, above, beyond)[0].overlapArea == 0);
  CHECK(norm(cylinders(pin, above, beyond)[0].snap.t - Vec3{-0.5, 0, 0}) < 1e-5);  // it stays above
  CHECK(cylinders(pin, above, beyond)[0].score < cylinders(pin, shift(0.5, 0, 0), beyond)[0].score);
  CHECK(cylinders(pin, shift(0.5, 0, 50), beyond).empty());  // by more than its length

  CHECK(cylinders(cylinder(3, 30, 48), {}, {}).empty());
  CHECK(cylinders(cylinder(3, 30, 48), {}, loose).size() == 1);
  CHECK(cylinders(cylinder(2.5, 30, 48), {}, loose).empty());
  CHECK(cylinders(cylinder(5, 30, 48), {}, loose).empty());  // a press fit is not looser
  loose.looseness = -1;
  CHECK_THROWS_AS(cylinders(pin, {}, loose), InputError);
}

TEST_CASE("mirrored and scaled instances keep their sides, ovals are no cylinders", "[scene][mates]") {
  const MeshPtr ring = tube(10, 4.2, 8, 48), pin = cylinder(4, 30, 48), cover = sixSidedBox(20, 20, 10);
  const Transform mirror = Transform::scaling(-1, 1, 1);
  CHECK(of(MateKind::cylinders, Pair(ring, mirror, pin, {}).mates()).front().movedIsPeg);
  CHECK(of(MateKind::cylinders, Pair(ring, {}, pin, mirror).mates()).front().movedIsPeg);
  const Pair plates(sixSidedBox(40, 30, 10), mirror, cover, shift(0, 0, 10.25) * mirror);
  REQUIRE(plates.mates().size() == 1);
  CHECK(plates.mates().front().deviation == Approx(0.25));
  // Half a pin in a half ring is as good; the length of the pin makes no difference.
  const auto scaled = [&](double x, double y, double z) {
    return of(MateKind::cylinders,
              Pair(ring, Transform::scaling(0.5, 0.5, 0.5), pin, Transform::scaling(x, y, z)).mates());
  };
  REQUIRE(scaled(0.5, 0.5, 0.5).size() == 1);
  CHECK(scaled(0.5, 0.5, 0.5)[0].play == Approx(0.1).margin(0.01));
  CHECK(scaled(0.5, 0.5, 2).size() == 1);
  CHECK(scaled(0.5, 0.55, 0.5).empty());
}

TEST_CASE("a peg in its hole down to its shoulder is one suggestion", "[scene][mates]") {
  // The pin's lower end is 0.4 above a plate without anything else; its ring lies on that plate and is joined
  // to it.
  const MeshPtr socket = joined({tube(10, 4.2, 8, 48), transformed(sixSidedBox(30, 30, 2), shift(0, 0, -5))});
  const Pair pair(socket, {}, cylinder(4, 30, 48), shift(0.2, 0, 11.4));
  const auto found = pair.mates();
  REQUIRE_FALSE(found.empty());
  const auto both = of(MateKind::planeAndCylinders, found);
  REQUIRE_FALSE(both.empty());
  CHECK(norm(both.front().snap.t - Vec3{-0.2, 0, -0.4}) < 1e-4);
  CHECK(both.front().movedSurfaces.size() == 2);
  CHECK(found.front().kind == MateKind::planeAndCylinders);
}

TEST_CASE("mates between all pairs are ranked, bad questions are refused", "[scene][mates]") {
  Assembly assembly("stack");
  const PartId plate = assembly.addPart(sixSidedBox(40, 30, 10));
  for (int i = 0; i < 3; ++i)
    assembly.addNode("plate", shift(0, 0, 10.1 * i + (i == 2 ? 0.5 : 0)), {}, plate);
  const auto found = suggestMates(Scene(assembly), {}).suggestions;
  REQUIRE(found.size() == 2);
  CHECK(found[0].deviation == Approx(0.1));
  CHECK(found[1].deviation == Approx(0.6));
  CHECK(found[0].score > found[1].score);
  const std::vector<NodeId> all = assembly.instances(), one{all[0]};
  CHECK_THROWS_AS(suggestMates(Scene(assembly), {}, one, all), InputError);
  const std::vector<NodeId> group{assembly.addNode("group", {})}, none{NodeId{99}};
  CHECK_THROWS_WITH(suggestMates(Scene(assembly), {}, group, one),
                    Catch::Contains("'group': is a subassembly"));
  CHECK_THROWS_WITH(suggestMates(Scene(assembly), {}, one, none), Catch::Contains("node 99"));
  CHECK_THROWS_AS(
      suggestMates(Scene(assembly), {}, MateTolerances{.reach = -1, .angle = 0, .play = 0, .recognise = {}}),
      InputError);
}

}  // namespace mates_tests
