#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include <fitup/motion/drag_guard.h>
#include <fitup/motion/first_contact.h>
#include <fitup/query/verdict.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

// First contact, stop at contact and verdicts follow one rule about parts that are in contact at the start
// (docs/explanation/verdicts.md, Along a motion).
namespace one_rule_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

constexpr double t = 0.1;

/// Two parts of which the first one moves; placed so that they just touch.
struct Touching {
  Assembly assembly{"touching"};
  NodeId moved{}, rest{};
  Scene scene;
  RigidMotion start;
  bool isThin = false;

  explicit Touching(Random& random) {
    const MeshPtr shapes[] = {lShape(2, 1),         icosphere(1, 1),        sixSidedBox(3, 2, 1),
                              cylinder(0.4, 4, 10), sixSidedBox(3, 0.1, 2), sixSidedBox(0.15, 3, 3)};
    const std::uint32_t first = random.below(6), second = random.below(6);
    isThin = first >= 4 && second >= 4;
    const auto add = [&](const char* name, const MeshPtr& mesh, const Transform& at) {
      return assembly.addNode(name, at, {}, assembly.addPart(mesh));
    };
    moved = add("moved", shapes[first], Transform::rigid(randomRotation(random), {20, 0, 0}));
    rest = add("rest", shapes[second], Transform::rigid(randomRotation(random), {}));
    scene = Scene(assembly);
    FirstContactOptions options;
    options.resolution = 1e-6;
    FirstContactReport met;
    while (!met.contact)
      met = firstContact(scene, {}, moved, {}, {{}, random.inCube(0.5) - Vec3{20, 0, 0}}, options);
    start = met.contact->poses.front();
  }
  [[nodiscard]] Verdict verdictAt(const RigidMotion& pose, double tolerance = t) const {
    return verdict({scene.solid(assembly.partOf(moved)), pose.transform() * assembly.worldFromNode(moved)},
                   scene.posedSolid(rest), {.tolerance = tolerance, .regions = false})
        .verdict;
  }
};

void checkSeeded(std::uint64_t firstSeed, int count) {
  int ended = 0, free = 0, early = 0;
  for (int i = 0; i < count; ++i) {
    Random random(firstSeed + static_cast<std::uint64_t>(i));
    INFO("seed " << firstSeed + static_cast<std::uint64_t>(i));
    const Touching pair(random);
    const Vec3 centre = [&] {
      Box box;
      box.extend(pair.assembly.worldBounds(pair.moved));
      return box.centre();
    }();
    const Vec3 at = pair.start.transform().apply(centre);
    const Quaternion turn = axisAngle(random.inCube(1), random.between(-0.5, 0.5));
    const RigidMotion goal = motionAbout(at, turn, random.inCube(1)) * pair.start;

    FirstContactOptions options;
    options.initialContacts = InitialContacts::keepLimits;
    options.tolerance = t;
    const FirstContactReport found = firstContact(pair.scene, {}, pair.moved, pair.start, goal, options);
    REQUIRE(found.status == ReportStatus::complete);
    REQUIRE(found.initialContacts.size() == 1);
    REQUIRE(found.unknownContacts.empty());
    const double end = found.contact ? found.contact->time : 1;
    (found.contact ? ended : free)++;

    DragOptions dragging;
    dragging.tolerance = t;
    dragging.reference.emplace();
    dragging.reference->set(pair.moved, pair.start.transform() * pair.scene.designPlacement(pair.moved));
    const NodeId nodes[] = {pair.moved};
    DragGuard guard(pair.scene, {}, nodes, pair.start, dragging);
    const DragUpdate update = guard.update(goal);
    REQUIRE(update.status == ReportStatus::complete);
    // Up to the end, a check of every pose says that it is no clash at the limit of the pair.
    const double limit = found.contact ? found.contact->depthLimit : 1.51 * t;
    for (int k = 0; k < 8; ++k) {
      const double s = k == 0 ? end : end * random.unit();
      CHECK(pair.verdictAt(interpolate(pair.start, goal, centre, s), limit) != Verdict::clash);
      const double f = k == 0 ? update.fraction : update.fraction * random.unit();
      CHECK(pair.verdictAt(interpolate(pair.start, goal, centre, f), 1.51 * t) != Verdict::clash);
    }
    // Parts that cannot pierce each other are stopped at their depth, within the resolution of t / 4 and half
    // of it. Where the drag stops and first contact goes on, they come as near to the limit and pass it by.
    if (!pair.isThin && found.contact)
      CHECK(pair.verdictAt(found.contact->poses.front(), limit - 0.5 * t) == Verdict::clash);
    // Seldom the search for depth leaves open whether a pose is fine, and the drag stops earlier.
    if (!pair.isThin && update.stop && pair.verdictAt(update.pose, 0.5 * t) != Verdict::clash) ++early;
  }
  CHECK(early <= count / 2000);
  CHECK(ended > count / 5);
  CHECK(free > count / 20);
}

}  // namespace

TEST_CASE("first contact, stop at contact and verdicts agree about seeded motions", "[motion][one-rule]") {
  checkSeeded(1, 300);
}

TEST_CASE("they agree about 10,000 seeded motions", "[.][motion][one-rule][large]") {
  checkSeeded(1000, 10000);
}

}  // namespace one_rule_tests
