#include <catch2/catch.hpp>

#include <limits>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/motion/replay.h>

#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace resolve_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

bool contains(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

/// root / { arm / { hand, tool }, base }, and a track that moves `arm` and `base` in two steps.
struct Robot {
  Assembly assembly{"robot"};
  PartId part = assembly.addPart(box(1, 1, 1));
  NodeId root = assembly.addNode("root", {});
  NodeId arm = assembly.addNode("arm", {}, root);
  NodeId hand = assembly.addNode("hand", {}, arm, part);
  NodeId tool = assembly.addNode("tool", {}, arm, part);
  NodeId base = assembly.addNode("base", {}, root, part);
  Track track{.name = "wave", .moved = {"root/arm", "root/base"}, .steps = {{{}, {}}, {{}, {}}}};

  [[nodiscard]] std::string problem(bool force = false) const {
    return messageOf<InputError>([&] { (void)resolve(track, assembly, force); });
  }
};

}  // namespace

TEST_CASE("moved paths become groups of instances", "[motion][resolve]") {
  const Robot r;
  const std::vector<MovedGroup> groups = resolve(r.track, r.assembly);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].node == r.arm);
  CHECK(groups[0].instances == std::vector{r.hand, r.tool});
  CHECK(groups[1].node == r.base);
  CHECK(groups[1].instances == std::vector{r.base});
}

TEST_CASE("an unknown path is named, with near ones", "[motion][resolve]") {
  Robot r;
  r.track.moved[0] = "root/legs/hand";
  const std::string message = r.problem();
  INFO(message);
  CHECK(contains(message, "'root/legs/hand'"));
  CHECK(contains(message, "root/arm/hand"));
}

TEST_CASE("moved paths may not hold each other", "[motion][resolve]") {
  for (const char* other : {"root/arm/hand", "root", "root/arm"}) {
    Robot r;
    r.track.moved[1] = other;
    INFO(other);
    CHECK(contains(r.problem(), "is part of another moved path"));
    CHECK(contains(r.problem(), "'wave'"));
  }
}

TEST_CASE("a track of another model is refused unless forced", "[motion][resolve]") {
  Robot r;
  r.track.modelHash = r.assembly.contentHash();
  CHECK(resolve(r.track, r.assembly).size() == 2);
  r.track.modelHash = *r.track.modelHash + 1;
  const std::string message = r.problem();
  INFO(message);
  CHECK(contains(message, hashText(*r.track.modelHash)));
  CHECK(contains(message, hashText(r.assembly.contentHash())));
  CHECK(resolve(r.track, r.assembly, true).size() == 2);
  CollisionModels models = buildCollisionModels(r.assembly);
  CHECK_THROWS_AS(replay(Scene(r.assembly, models), {}, r.track, {}), InputError);
  CHECK(replay(Scene(r.assembly, models), {}, r.track, {.interference = {}, .force = true}).steps.size() ==
        2);
}

TEST_CASE("a track in another unit is refused, forced or not", "[motion][resolve]") {
  Robot r;
  r.track.unit = "m";
  CHECK(contains(r.problem(), "'m', the model's is 'mm'"));
  CHECK(contains(r.problem(true), "'m', the model's is 'mm'"));
}

TEST_CASE("every step has a rigid motion for every path", "[motion][resolve]") {
  Robot r;
  SECTION("a pose too few") {
    r.track.steps[1].pop_back();
    CHECK(contains(r.problem(), "step 1: 1 poses for 2 moved paths"));
  }
  SECTION("a pose too many") {
    r.track.steps[0].emplace_back();
    CHECK(contains(r.problem(), "step 0: 3 poses for 2 moved paths"));
  }
  SECTION("not rigid") {
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();
    for (const RigidMotion& bad : {RigidMotion{{0, 0, 0, 1.01}, {}}, RigidMotion{{0, 0, 0, 0}, {}},
                                   RigidMotion{{nan, 0, 0, 1}, {}}, RigidMotion{{infinity, 0, 0, 1}, {}},
                                   RigidMotion{{}, {nan, 0, 0}}, RigidMotion{{}, {0, 0, -infinity}}}) {
      r.track.steps[1][1] = bad;
      CHECK(contains(r.problem(), "step 1, 'root/base'"));
      CHECK(contains(r.problem(true), "not a rigid motion"));
    }
  }
}

TEST_CASE("a track must move something", "[motion][resolve]") {
  Robot r;
  r.track.moved.clear();
  r.track.steps.clear();
  CHECK(contains(r.problem(), "names no instance"));
}

}  // namespace resolve_tests
