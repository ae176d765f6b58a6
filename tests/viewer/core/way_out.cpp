// Tests what a search for a way out asks, and what of its report is listed.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include <fitup/base/error.h>
#include <viewer/core/way_out.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"
#include "viewer/core/row_of_cubes.h"

namespace way_out_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

constexpr NodeId moved{1}, wall{2}, lid{3}, knob{4};
using Face = WayOutClue::Face;

/// A direction that is stopped by a face of `other`.
RemovalDirection stopped(const Vec3& direction, double reached, double wanted, NodeId other,
                         std::uint32_t face, bool isSwapped = false) {
  RemovalDirection d;
  d.direction = direction;
  d.reached = reached;
  d.wanted = wanted;
  d.answer = CertifyAnswer::violated;
  d.stop.emplace();
  d.stop->a = isSwapped ? other : moved;
  d.stop->b = isSwapped ? moved : other;
  const SurfaceId ofMoved{7}, ofOther{face};
  d.stop->nearest.surfaces = isSwapped ? SurfacePair{ofOther, ofMoved} : SurfacePair{ofMoved, ofOther};
  return d;
}

/// A cube in a case of six plates, whose inside is 2 wide.
Model cubeInCase() {
  Model model;
  const auto add = [&](const char* name, const Vec3& low, const Vec3& high) {
    model.assembly.addNode(name, {}, {}, model.assembly.addPart(boxBetween(low, high)));
  };
  add("cube", {-0.9, -0.9, -0.9}, {0.9, 0.9, 0.9});
  add("bottom", {-2, -2, -2}, {2, 2, -1});
  add("lid", {-2, -2, 1}, {2, 2, 2});
  add("left", {-2, -2, -1}, {-1, 2, 1});
  add("right", {1, -2, -1}, {2, 2, 1});
  add("front", {-1, -2, -1}, {1, -1, 1});
  add("back", {-1, 1, -1}, {1, 2, 1});
  return model;
}

RemovalReport find(const Session& session, const WayOutQuestion& question) {
  RemovalOptions options;
  options.rules = question.rules;
  options.tolerance = question.tolerance;
  options.maxPieces = 1;
  return findRemoval(session.scene(), question.poses, question.moved, options);
}

}  // namespace

TEST_CASE("what is in the way is listed by use: parts, faces that yield, ways, faces, holding contacts",
          "[wayout]") {
  RemovalReport report;
  report.answer = RemovalAnswer::notFound;
  report.directions = {stopped({1, 0, 0}, 1, 10, wall, 3), stopped({0, 0, 1}, 6, 8, lid, 4, true),
                       stopped({0, 1, 0}, 2, 4, knob, 5)};
  report.directions.emplace_back();  // certain up to where nothing is known
  report.directions.back().direction = {0, -1, 0};
  report.directions.back().wanted = 9;
  report.witnesses = {{1, {lid}}, {0, {wall, knob}}, {2, {lid}}};
  report.hints = {{moved, wall, {SurfaceId{7}, SurfaceId{3}}, 12},  // as the way along x
                  {moved, wall, {SurfaceId{8}, SurfaceId{3}}, 5}};
  report.freedom.isHeld = true;
  report.freedom.holding = {1, 0, 1};
  report.places.resize(2);
  report.places[0] = {moved, knob, {SurfaceId{1}, SurfaceId{2}}, {}, {}, 0, true};
  report.places[1] = {moved, lid, {SurfaceId{3}, SurfaceId{4}}, {}, {}, 0, true};

  report.reliefs = {{2, {{knob, {SurfaceId{5}}, 0.25}}, 0.01}};
  std::vector<WayOutClue> clues = cluesOf(report, {moved});
  using Kind = WayOutClue::Kind;
  REQUIRE(clues.size() == 10);
  CHECK(clues[2].kind == Kind::yields);
  CHECK(clues[2].parts == std::vector{knob});
  CHECK(clues[2].direction == Vec3{0, 1, 0});
  REQUIRE(clues[2].yielding.size() == 1);
  CHECK(clues[2].yielding[0].offset == 0.25);
  CHECK_FALSE(clues[2].faces);
  clues.erase(clues.begin() + 2);
  CHECK(clues[0].kind == Kind::without);
  CHECK(clues[0].parts == std::vector{lid});
  CHECK(clues[0].direction == Vec3{0, 0, 1});
  CHECK(clues[0].also == std::vector{Vec3{0, 1, 0}});
  CHECK_FALSE(clues[0].stop);
  CHECK(clues[1].parts == std::vector{wall, knob});
  // The farthest share comes first; the face of the moved part is the first one whatever the report's order.
  CHECK(clues[2].kind == Kind::straight);
  CHECK(clues[2].direction == Vec3{0, 0, 1});
  CHECK(clues[2].parts == std::vector{lid});
  REQUIRE(clues[2].faces);
  CHECK(clues[2].faces->first == Face{moved, SurfaceId{7}});
  CHECK(clues[2].faces->second == Face{lid, SurfaceId{4}});
  CHECK(clues[2].stop == RigidMotion{{}, {0, 0, 6}});
  CHECK(clues[3].direction == Vec3{0, 1, 0});
  CHECK(clues[4].direction == Vec3{1, 0, 0});
  CHECK(clues[5].direction == Vec3{0, -1, 0});
  CHECK_FALSE(clues[5].faces);
  CHECK(clues[6].kind == Kind::faces);
  CHECK(clues[6].count == 5);
  CHECK(clues[7].kind == Kind::holding);
  CHECK(clues[7].parts == std::vector{lid});
  CHECK(clues[8].parts == std::vector{knob});

  CHECK(cluesOf(report, {moved}, 1).size() == 8);  // the hint along x is then listed
  report.answer = RemovalAnswer::certain;
  CHECK(cluesOf(report, {moved}).empty());
}

TEST_CASE("directions along the axes of the world have their names", "[wayout]") {
  CHECK(directionText({1, 0, 0}) == "+x");
  CHECK(directionText({0, -1, 0}) == "-y");
  CHECK(directionText({1e-9, -1e-12, 1}) == "+z");
  CHECK(directionText({0.6, 0, -0.8}) == "(0.6, 0, -0.8)");
  CHECK(directionText({std::sqrt(0.5), std::sqrt(0.5), 0}) == "(0.707, 0.707, 0)");
}

TEST_CASE("an answer is stale once something else than the moved parts has changed", "[wayout]") {
  Session session(rowOfCubes(3), {"row.stl"});
  const NodeId first = session.assembly().at("row/cube-0"), second = session.assembly().at("row/cube-1"),
               third = session.assembly().at("row/cube-2");
  const WayOutQuestion question = wayOutQuestion(session, std::vector{second, first}, 0.1, false);
  CHECK(question.moved == std::vector{first, second});
  CHECK_FALSE(isStale(question, session, 0.1));
  CHECK(isStale(question, session, 0.2));
  session.move(std::vector{first}, {{}, {0, 0, 5}}, "Move");
  CHECK_FALSE(isStale(question, session, 0.1));
  session.move(std::vector{third}, {{}, {0, 0, 5}}, "Move");
  CHECK(isStale(question, session, 0.1));
  session.undo();
  CHECK_FALSE(isStale(question, session, 0.1));
  session.edit("Rules", [](SessionState& state) { state.rules.rules = {{.a = "*cube-2", .b = "*"}}; });
  CHECK(isStale(question, session, 0.1));
  session.undo();
  // What is hidden counts only for a question that leaves it out.
  session.edit("Hide", [&](SessionState& state) { state.hidden = {third}; });
  CHECK_FALSE(isStale(question, session, 0.1));
  const WayOutQuestion without = wayOutQuestion(session, std::vector{first}, 0.1, true);
  CHECK_FALSE(isStale(without, session, 0.1));
  session.undo();
  CHECK(isStale(without, session, 0.1));
}

TEST_CASE("the motion since a question is that of all its parts", "[wayout]") {
  Session session(rowOfCubes(3), {"row.stl"});
  const NodeId first = session.assembly().at("row/cube-0"), second = session.assembly().at("row/cube-1");
  const std::vector both{first, second};
  session.move(both, {{}, {1, 2, 3}}, "Move");
  const WayOutQuestion question = wayOutQuestion(session, both, {}, false);
  CHECK(motionSince(question, session) == RigidMotion{});
  const RigidMotion turn = motionAbout({5, 0, 0}, axisAngle({0, 0, 1}, 0.5), {0, 0, 4});
  session.move(both, turn, "Move");
  const RigidMotion found = motionSince(question, session);
  for (const Vec3& point : {Vec3{0, 0, 0}, Vec3{1, 2, 3}, Vec3{-4, 1, 0}})
    CHECK(norm(found.transform().apply(point) - turn.transform().apply(point)) < 1e-9);
  session.move(std::vector{second}, {{}, {0, 0, 0.1}}, "Move");
  CHECK_THROWS_WITH(motionSince(question, session),
                    Catch::Matchers::Contains("row/cube-1") && Catch::Matchers::Contains("together"));
}

TEST_CASE("guide points stay where they are, and those that ask for nothing are left out", "[wayout]") {
  Session session(cubeInCase(), {"case.stl"});
  const NodeId cube = session.assembly().at("cube");
  GuidePoints guides;
  WayOutQuestion question;
  askForGuides(question, guides, session);
  CHECK(question.guides.empty());
  session.move(std::vector{cube}, {{}, {0, 0, 0.05}}, "Move cube");
  guides.from[cube] = session.motionOf(cube);
  const RigidMotion turned{axisAngle({0, 0, 1}, 0.5), {1, 2, 3}};
  guides.poses = {{}, {{}, {0, 0, 5}}, {{}, {0, 0, 5}}, turned};
  // The first one is where the cube is, the third one where the second one is.
  askForGuides(question, guides, session);
  const std::vector<RigidMotion> asked = question.guides;
  REQUIRE(asked.size() == 2);
  CHECK(question.guidePositions == std::vector<std::size_t>{1, 3});
  CHECK(norm(asked[0].translation - Vec3{0, 0, 5}) < 1e-12);
  CHECK(norm(asked[1].translation - turned.translation) < 1e-12);
  CHECK(degreesBetween(asked[1].rotation, turned.rotation) < 1e-6);
  CHECK(placedAt(guides, 1, session.scene()).find(cube)->apply({1, 1, 1}) == Vec3{1, 1, 6.05});
  // The cube goes on: the places in the world stay.
  session.move(std::vector{cube}, {{}, {1, 0, 0}}, "Move cube");
  askForGuides(question, guides, session);
  const std::vector<RigidMotion>& now = question.guides;
  REQUIRE(now.size() == 3);
  CHECK(question.guidePositions == std::vector<std::size_t>{0, 1, 3});
  const Transform world = session.worldFromPart(cube);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t guide = question.guidePositions[i];
    for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}})
      CHECK(norm((now[i].transform() * world).apply(p) -
                 placedAt(guides, guide, session.scene()).find(cube)->apply(p)) < 1e-12);
  }
}

TEST_CASE("the guide point at which the parts are not free is known", "[wayout]") {
  WayOutQuestion question;
  question.guides.resize(2);
  question.guidePositions = {1, 3};
  RemovalReport report;
  CHECK_FALSE(blockedGuide(question, report));
  report.search.isEndFree = false;
  CHECK(blockedGuide(question, report) == std::size_t{1});
  report.search.leg = 1;
  CHECK(blockedGuide(question, report) == std::size_t{3});
  report.search.leg = 2;  // out
  CHECK_FALSE(blockedGuide(question, report));
  report.search.leg = 1;
  report.answer = RemovalAnswer::certain;
  CHECK_FALSE(blockedGuide(question, report));
}

TEST_CASE("guide points can be undone, and are nothing to save", "[wayout]") {
  Session session(cubeInCase(), {"case.stl"});
  const NodeId cube = session.assembly().at("cube");
  const auto add = [&](double z) {
    session.edit("Add a guide point", [&](SessionState& state) {
      state.guides.from[cube] = {};
      state.guides.poses.push_back({{}, {0, 0, z}});
    });
  };
  add(3);
  add(4);
  CHECK_FALSE(session.isModified());
  session.undo();
  CHECK(session.state().guides.poses.size() == 1);
  session.move(std::vector{cube}, {{}, {0, 0, 0.05}}, "Move cube");
  add(5);
  CHECK(session.isModified());
  CHECK(session.history().unsavedLabels(5) == std::vector<std::string>{"Move cube"});
  session.undo();
  session.undo();
  CHECK_FALSE(session.isModified());
}

TEST_CASE("a ray finds the nearest of copies of parts", "[wayout]") {
  Session session(cubeInCase(), {"case.stl"});
  const NodeId cube = session.assembly().at("cube"), lid = session.assembly().at("lid");
  const std::vector<Poses> copies{{{cube, shift(0, 0, 20)}},
                                  {{cube, shift(0, 0, 10)}, {lid, shift(0, 30, 10)}},
                                  {{cube, shift(0, 0, 10)}}};
  const auto down = [&](double y, std::optional<std::size_t> preferred = {}) {
    return hitCopy(session.scene(), copies, viewer::Ray{{0.1, y, 100}, {0, 0, -1}}, preferred);
  };
  REQUIRE(down(0.2));
  CHECK(down(0.2)->copy == 0);
  CHECK(norm(down(0.2)->point - Vec3{0.1, 0.2, 20.9}) < 1e-6);  // points are stored in 32 bits
  CHECK(down(0.2)->distance == Approx(79.1));
  REQUIRE(down(30));
  CHECK(down(30)->copy == 1);  // by its other part
  CHECK(down(30)->point.z == Approx(12));
  CHECK_FALSE(down(60));
  // From below, two are at the same place.
  const viewer::Ray up{{0.1, 0.2, 0}, {0, 0, 1}};
  CHECK(hitCopy(session.scene(), copies, up)->copy == 1);
  CHECK(hitCopy(session.scene(), copies, up, 2)->copy == 2);
  CHECK(hitCopy(session.scene(), copies, up, 0)->copy == 1);
}

TEST_CASE("hidden parts stop nothing if they are left out", "[wayout]") {
  Session session(cubeInCase(), {"case.stl"});
  const NodeId cube = session.assembly().at("cube"), top = session.assembly().at("lid");
  const std::vector asked{cube};
  const RemovalReport closed = find(session, wayOutQuestion(session, asked, 0.01, true));
  REQUIRE(closed.answer == RemovalAnswer::notFound);
  session.edit("Hide", [&](SessionState& state) { state.hidden = {top, cube}; });
  CHECK(find(session, wayOutQuestion(session, asked, 0.01, false)).answer == RemovalAnswer::notFound);
  const RemovalReport open = find(session, wayOutQuestion(session, asked, 0.01, true));
  REQUIRE(open.answer == RemovalAnswer::certain);
  const Vec3 end = open.way->certificate.track.steps.back().front().translation;
  CHECK(end.z > 2);
  CHECK(std::abs(end.x) + std::abs(end.y) < 0.5);

  // A part that no rule can name cannot be left out.
  Model model = rowOfCubes(1);
  model.assembly.addNode("what?", shift(0, 3, 0), {}, model.assembly.addPart(sixSidedBox(1, 1, 1)));
  Session odd(std::move(model), {"odd.stl"});
  odd.edit("Hide", [&](SessionState& state) { state.hidden = {odd.assembly().at("what?")}; });
  CHECK_THROWS_AS(wayOutQuestion(odd, std::vector{odd.assembly().at("row/cube-0")}, {}, true), InputError);
}

TEST_CASE("who watches a search sees each way that it tries, and poses that are free", "[wayout]") {
  Session session(cubeInCase(), {"case.stl"});
  const std::vector asked{session.assembly().at("cube")};
  std::vector<RemovalSight> seen;
  RemovalOptions options;
  options.tolerance = 0.01;
  options.maxPieces = 1;
  options.watch = [&](const RemovalSight& sight) { seen.push_back(sight); };
  const RemovalReport report = findRemoval(session.scene(), {}, asked, options);
  REQUIRE(seen.size() >= 6);
  for (std::size_t i = 1; i < seen.size(); ++i) CHECK(seen[i].ways >= seen[i - 1].ways);
  // The cube has 0.1 of play on every side.
  double farthest = 0;
  for (const RemovalSight& sight : seen) {
    for (const double way : {sight.pose.translation.x, sight.pose.translation.y, sight.pose.translation.z}) {
      CHECK(std::abs(way) < 0.1 + 0.02);
      farthest = std::max(farthest, std::abs(way));
    }
  }
  CHECK(farthest > 0.05);
}

}  // namespace way_out_tests
