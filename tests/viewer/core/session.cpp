#include <viewer/core/session.h>

#include <limits>

#include <catch2/catch.hpp>

#include <fitup/base/error.h>
#include <viewer/core/motion_check.h>

#include "row_of_cubes.h"
#include "support/placements.h"
#include "support/random_assembly.h"
#include "support/temporary_folder.h"

namespace session_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

double differenceOf(const Transform& a, const Transform& b) {
  double largest = norm(a.t - b.t);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) largest = std::max(largest, std::abs(a.m[i][j] - b.m[i][j]));
  return largest;
}

RigidMotion randomMotion(Random& random) {
  return {normalized(Quaternion{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), 0.3}),
          random.inCube(5)};
}

}  // namespace

TEST_CASE("moves are undoable and do not pile up errors", "[viewer][session]") {
  Session session(rowOfCubes(4), {"row.fitup"});
  const std::vector<NodeId> cubes = session.assembly().instances();
  const std::vector<NodeId> two{cubes[0], cubes[2]};
  const Transform before = session.worldFromPart(cubes[2]);
  int notified = 0;
  session.setListener([&](const SessionState&) { ++notified; });
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const RigidMotion by = randomMotion(random);
    const Transform expected = by.transform() * session.worldFromPart(cubes[2]);
    session.move(two, by, "Move");
    CHECK(differenceOf(session.worldFromPart(cubes[2]), expected) < 1e-9);
    session.move(two, inverse(by), "Back");
  }
  CHECK(notified == 400);
  CHECK(differenceOf(session.worldFromPart(cubes[2]), before) < 1e-10);
  CHECK(session.worldFromPart(cubes[1]) == session.assembly().worldFromNode(cubes[1]));
  while (session.history().canUndo()) session.undo();
  CHECK(session.worldFromPart(cubes[2]) == before);
  CHECK(session.poses().empty());
  CHECK_FALSE(session.isModified());
}

TEST_CASE("an edit that fails changes nothing", "[viewer][session]") {
  Session session(rowOfCubes(4), {"row.fitup"});
  const NodeId group = session.assembly().at("row");
  const std::vector<NodeId> nodes{session.assembly().instances()[0], group};
  CHECK_THROWS_AS(session.move(nodes, {{}, {1, 0, 0}}, "Move"), InputError);
  CHECK(session.state().motions.empty());
  CHECK_FALSE(session.history().canUndo());
}

TEST_CASE("what changes nothing is no change, and nothing is put too far away", "[viewer][session]") {
  Session session(rowOfCubes(4), {"row.fitup"});
  const std::vector<NodeId> cubes = session.assembly().instances();
  const std::vector<NodeId> one{cubes[1]};
  session.edit("Show all", [](SessionState& s) { s.hidden.clear(); });
  session.reset(one);
  CHECK_FALSE(session.history().canUndo());
  CHECK_FALSE(session.isModified());
  session.move(one, {{}, {1, 0, 0}}, "Move");
  session.edit("Tolerance", [](SessionState& s) { s.tolerance = 0.5; });
  session.edit("Tolerance", [](SessionState& s) { s.tolerance = 0.5; });
  session.undo();
  CHECK_FALSE(session.state().tolerance);

  for (const double far : {1.1e9, 1e20, 1e300, std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_AS(session.move(one, {{}, {0, far, 0}}, "Move"), InputError);
    CHECK(session.motionOf(cubes[1]).translation == Vec3{1, 0, 0});
  }
  session.move(one, {{}, {0, 0, 9e8}}, "Move");
  Project project = session.project();
  project.moved[0].motion.translation = {0, 1e300, 0};
  Session again(rowOfCubes(4), {"row.fitup"});
  const std::vector<std::string> problems = again.apply(project);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].find("'row/cube-1' would be more than 1e9 mm") != std::string::npos);
  CHECK(again.state().motions.empty());
}

TEST_CASE("a session is what its project says", "[viewer][session][project]") {
  const TemporaryFolder folder;
  Session session(rowOfCubes(4), {folder / "row.fitup"});
  const std::vector<NodeId> cubes = session.assembly().instances();
  session.move({&cubes[1], 1}, {axisAngle({0, 0, 1}, 0.3), {0.5, 0, 0}}, "Move");
  session.edit("Hide", [&](SessionState& s) { s.hidden.insert(cubes[3]); });
  session.edit("Colour", [&](SessionState& s) {
    setLook(s, cubes[0], {0x1020f0U, 0});
    setLook(s, cubes[2], {{}, 35});
    setLook(s, cubes[3], {});
  });
  session.edit("Review", [](SessionState& s) {
    s.reviews["0123456789abcdef"] = {ReviewStatus::approved, "fine"};
  });
  session.edit("Rule", [](SessionState& s) { s.rules.rules.push_back({"row/cube-0", "*"}); });
  session.edit("Record", [&](SessionState& s) {
    s.tracks.push_back(
        std::make_shared<const Track>(Track{"out", "mm", {}, {"row/cube-1"}, {{RigidMotion{}}}}));
  });
  writeProject(folder / "work.fitup-project", session.project());
  session.setSaved();
  CHECK_FALSE(session.isModified());

  Session again(rowOfCubes(4), {folder / "row.fitup"});
  CHECK(again.apply(readProject(folder / "work.fitup-project")).empty());
  CHECK_FALSE(again.isModified());
  CHECK_FALSE(again.history().canUndo());
  CHECK(again.state().motions == session.state().motions);
  CHECK(again.state().hidden == session.state().hidden);
  CHECK(again.state().looks == session.state().looks);
  CHECK(again.state().looks.size() == 2);
  CHECK(again.state().reviews == session.state().reviews);
  CHECK(again.state().rules.rules.size() == 1);
  REQUIRE(again.state().tracks.size() == 1);
  CHECK(again.state().tracks[0]->steps == session.state().tracks[0]->steps);
}

TEST_CASE("a project of another model is taken as far as it goes, and said", "[viewer][session][project]") {
  Session session(rowOfCubes(4), {"row.fitup"});
  Project project = session.project();
  project.modelHash = *project.modelHash + 1;
  project.moved = {{"row/cube-1", {{}, {1, 0, 0}}}, {"row/gone", {{}, {1, 0, 0}}}};
  project.hidden = {"row/none"};
  project.looks = {{"row/cube-2", {{}, 20}}, {"row/plain", {0xff0000U, 0}}};
  project.tracks = {Track{.name = "away", .moved = {"row/lost"}, .steps = {{{}}}}};
  session.edit("Something", [](SessionState& s) { s.tolerance = 0.5; });
  const std::vector<std::string> problems = session.apply(project);
  REQUIRE(problems.size() == 5);
  CHECK(problems[0].find("changed") != std::string::npos);
  CHECK(problems[1].find("'row/gone'") != std::string::npos);
  CHECK(problems[2].find("row/lost") != std::string::npos);
  CHECK(problems[3].find("'row/none'") != std::string::npos);
  CHECK(problems[4].find("'row/plain'") != std::string::npos);
  CHECK(session.state().motions.size() == 1);
  // Saving keeps what could not be applied.
  const Project saved = session.project();
  CHECK(saved.moved == project.moved);
  CHECK(saved.hidden == project.hidden);
  CHECK(saved.looks == project.looks);
  session.undo();
  CHECK(session.state().tolerance == 0.5);
  CHECK(session.state().motions.empty());
}

TEST_CASE("what a project says of a product that was one part holds for all that is below it now",
          "[viewer][session][project]") {
  Session session(rowOfCubes(4), {"row.fitup"});
  Project project = session.project();
  project.hidden = {"row"};
  project.moved = {{"row", {{}, {1, 0, 0}}}};
  CHECK(session.apply(project).empty());
  CHECK(session.state().hidden.size() == 4);
  CHECK(session.state().motions.size() == 4);
}

TEST_CASE("a motion can be checked on a model that has changed since", "[viewer][session][motion]") {
  Session session(rowOfCubes(4), {"row.fitup"});
  const std::uint64_t hash = session.assembly().contentHash();
  const Track recorded{"out", "mm", hash + 1, {"row/cube-1"}, {{RigidMotion{}}, {{{}, {0, 0, 1}}}}};
  Track track = recorded;
  CHECK(adopt(track, session.assembly()));
  CHECK_FALSE(adopt(track, session.assembly()));
  Track lost = recorded;
  lost.moved = {"row/gone"};
  CHECK_THROWS_AS(adopt(lost, session.assembly()), InputError);
  CHECK(lost.modelHash == recorded.modelHash);

  Project project = session.project();
  project.tracks = {recorded};
  std::vector<std::string> problems = session.apply(project);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0] == "the motion 'out' was recorded on another model");
  // Reported once, for all.
  project.modelHash = hash + 1;
  problems = session.apply(project);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].find("changed") != std::string::npos);
  const MotionScene scene = sceneOf(session, session.state().tracks.at(0));
  const Model& model = session.model();
  CHECK(checkMotion(session.scene(), scene, {}, {}).size() == 2);
  CHECK(motionsAt(*scene.track, model.assembly, 1).size() == 1);
}

TEST_CASE("instances below instances stand where they are put, in any order", "[viewer][session]") {
  Random random(9);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Assembly assembly = randomAssembly(seed, 12);
    // Instances below instances.
    const std::vector<NodeId> given = assembly.instances();
    for (std::size_t i = 0; i < 4; ++i)
      assembly.addNode("below", Transform::translation({1, 2, 3}), given[i],
                       assembly.node(given[i + 1]).part);
    const std::vector<NodeId> all = assembly.instances();
    const fitup::Scene scene(assembly);
    Poses poses;
    for (int step = 0; step < 60; ++step) {
      const NodeId node = all[random.below(static_cast<std::uint32_t>(all.size()))];
      if (step % 3 == 0)
        poses.reset(node);
      else
        poses.set(node, randomMotion(random).transform() * assembly.worldFromNode(node));
      const Assembly posed = scene.posedAssembly(poses);
      for (const NodeId n : all) {
        const Transform* found = poses.find(n);
        const Transform wanted = found != nullptr ? *found : assembly.worldFromNode(n);
        CHECK(differenceOf(posed.worldFromNode(n), wanted) < 1e-9);
        CHECK(scene.worldFromPart(n, poses) == wanted);
      }
    }
    CHECK(scene.posedAssembly({}).contentHash() == assembly.contentHash());
  }
}

}  // namespace session_tests
