#include <viewer/core/motion_check.h>

#include <catch2/catch.hpp>
#include <cmath>

#include <fitup/base/error.h>

#include "row_of_cubes.h"

namespace motion_check_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// Moves the first cube along x.
std::shared_ptr<const Track> along(const Assembly& assembly, const std::vector<double>& places) {
  Track track{"along", "mm", assembly.contentHash(), {"row/cube-0"}, {}};
  for (const double x : places) track.steps.push_back({{{}, {x, 0, 0}}});
  return std::make_shared<const Track>(std::move(track));
}

}  // namespace

TEST_CASE("each step of a motion has its findings and its distance", "[viewer][motion]") {
  Session session(rowOfCubes(3), {"row.fitup"});
  const auto track = along(session.assembly(), {0, 0.25, 0.9, 1.5, 2.5, 8});
  const MotionScene scene = sceneOf(session, track);
  CHECK(scene.rest.empty());
  InterferenceOptions options;
  const std::vector<CheckedStep> steps = checkMotion(session.scene(), scene, options);
  REQUIRE(steps.size() == 6);
  const double expected[] = {1, 0.75, 0.1, 0, 0, 3};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    CAPTURE(i);
    REQUIRE(steps[i].distance);
    CHECK(*steps[i].distance == Approx(expected[i]).margin(1e-6));
    CHECK((steps[i].findings > 0) == (expected[i] == 0));
    CHECK(steps[i].milliseconds >= 0);
  }
}

TEST_CASE("with verdicts a motion's findings are what somebody has to act on", "[viewer][motion]") {
  Model model = rowOfCubes(2);  // the other cube from x = 1.5 to 2.5
  const PartId house = model.assembly.addPart(sixSidedBox(4, 4, 4));
  model.assembly.addNode("house", Transform::translation({20, 0, 0}), {}, house);
  Session session(model, {"row.fitup"});
  session.edit("Rule", [](SessionState& state) {
    state.rules.rules = {{"row/cube-0", "row/cube-1", "", RuleAction::clearance, 0.2}};
  });
  const auto check = [&](bool verdicts) {
    // Far off, too near, in contact but too near as well, overlapping, touching the house, inside it.
    const auto track = along(session.assembly(), {-3, 0.9, 1, 1.5, 17.5, 20});
    InterferenceOptions options;
    if (verdicts) options.verdict.emplace().tolerance = 0.01;
    return checkMotion(session.scene(), sceneOf(session, track), options);
  };
  const std::vector<CheckedStep> steps = check(true);
  REQUIRE(steps.size() == 6);
  const bool finds[] = {false, true, true, true, false, true};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    CAPTURE(i);
    CHECK((steps[i].findings > 0) == finds[i]);
    CHECK(steps[i].contacts == (i == 4 ? 1 : 0));
  }
  CHECK(*steps[1].distance == Approx(0.1).margin(1e-6));
  CHECK(*steps[5].distance == Approx(1.5).margin(1e-6));  // distance of the surfaces
  // Without verdicts the inside is unknown, and contact counts.
  const std::vector<CheckedStep> bare = check(false);
  const bool meets[] = {false, true, true, true, true, false};
  for (std::size_t i = 0; i < bare.size(); ++i) {
    CAPTURE(i);
    CHECK((bare[i].findings > 0) == meets[i]);
  }
}

TEST_CASE("a motion is checked among parts where they stand", "[viewer][motion]") {
  Session session(rowOfCubes(3), {"row.fitup"});
  const NodeId first = session.assembly().at("row/cube-0"), second = session.assembly().at("row/cube-1");
  const auto track = along(session.assembly(), {0, 2});
  const MotionScene before = sceneOf(session, track);
  session.move(std::vector{second}, {{}, {0, 5, 0}}, "Move");
  session.move(std::vector{first}, {{}, {0, 0, 9}}, "Move");  // belongs to the motion, so the steps place it
  const MotionScene now = sceneOf(session, track);
  CHECK_FALSE(now == before);
  CHECK(now.rest.size() == 1);
  const auto steps = checkMotion(session.scene(), now, {});
  REQUIRE(steps.size() == 2);
  CHECK(steps[1].findings == 0);
  CHECK(*steps[1].distance == Approx(1).margin(1e-6));  // to the third cube; the second one is removed
  session.undo();
  session.undo();
  CHECK(sceneOf(session, track) == before);
}

TEST_CASE("the contact map reports faces and the steps that show them", "[viewer][motion]") {
  Session session(rowOfCubes(3), {"row.fitup"});
  const auto track = along(session.assembly(), {0, 0.99, 1.5, 3.4});
  const ContactMap map = mapContacts(session.scene(), sceneOf(session, track));
  const NodeId second = session.assembly().at("row/cube-1");
  std::size_t touched = 0;
  for (const SurfaceContact& contact : map.surfaces) {
    CHECK(contactOf(map, contact.instance, contact.surface) == &contact);
    if (contact.instance == second && contact.first) {
      ++touched;
      CHECK(stepOf(contact) == contact.first->step);
      CHECK(contact.first->step >= 2);
    }
    if (!contact.first) CHECK(stepOf(contact) == contact.least.step);
  }
  CHECK(touched > 0);
  CHECK(contactOf(map, second, SurfaceId{99}) == nullptr);
}

TEST_CASE("a motion of another model, and one that is cancelled", "[viewer][motion]") {
  Session session(rowOfCubes(3), {"row.fitup"});
  Track foreign = *along(session.assembly(), {0, 1});
  foreign.modelHash = *foreign.modelHash + 1;
  CHECK_THROWS_AS(sceneOf(session, std::make_shared<const Track>(foreign)), InputError);
  std::stop_source stop;
  stop.request_stop();
  const auto steps = checkMotion(session.scene(), sceneOf(session, along(session.assembly(), {0, 1, 2})), {},
                                 Progress(stop.get_token()));
  CHECK(steps.size() < 3);
}

TEST_CASE("the distance of a motion heeds rules, and parts that move otherwise", "[viewer][motion]") {
  Session session(rowOfCubes(3), {"row.fitup"});
  const auto distances = [&](const MotionScene& scene) {
    std::vector<double> found;
    for (const CheckedStep& step : checkMotion(session.scene(), scene, {}))
      found.push_back(step.distance.value_or(-1));
    return found;
  };
  MotionScene scene = sceneOf(session, along(session.assembly(), {0, 0.75, 1.5, 3}));
  scene.rules.rules = {{"row/cube-0", "row/cube-1", "mated", RuleAction::ignore}};
  const std::vector<double> ruled = distances(scene);
  REQUIRE(ruled.size() == 4);  // to the third cube
  CHECK(ruled[0] == Approx(3));
  CHECK(ruled[1] == Approx(2.25));
  CHECK(ruled[2] == Approx(1.5));
  CHECK(ruled[3] == Approx(0).margin(1e-9));
  scene.rules.rules.push_back({"row/cube-0", "row/cube-2", "", RuleAction::ignore});
  CHECK(distances(scene) == std::vector<double>{-1, -1, -1, -1});

  // Towards each other.
  Track both{"both", "mm", session.assembly().contentHash(), {"row/cube-0", "row/cube-1"}, {}};
  for (const double x : {0.0, 0.2, 0.4}) both.steps.push_back({{{}, {x, 0, 0}}, {{}, {-x, 0, 0}}});
  const std::vector<double> nearing =
      distances(sceneOf(session, std::make_shared<const Track>(std::move(both))));
  REQUIRE(nearing.size() == 3);
  CHECK(nearing[0] == Approx(1));
  CHECK(nearing[1] == Approx(0.6));
  CHECK(nearing[2] == Approx(0.2));
}

}  // namespace motion_check_tests
