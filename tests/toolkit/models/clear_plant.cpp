// The variant of the process plant whose spool comes out.

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/motion/first_contact.h>
#include <fitup/motion/motion_clearance.h>
#include <fitup/query/distance.h>
#include <models/model_list.h>
#include <models/process_plant.h>
#include <catch2/catch.hpp>

namespace clear_plant_tests {

using namespace fitup;

namespace {

struct ClearPlant {
  explicit ClearPlant(double clearance)
      : assembly(models::makeProcessPlant({.clearance = clearance})),
        track(models::makeSpoolTrack(assembly, {.clearance = clearance})),
        scene(assembly, buildCollisionModels(assembly, {}, {}, 1)) {}

  Assembly assembly;
  Track track;
  Scene scene;

  [[nodiscard]] Transform spoolAt(std::size_t step) const {
    return track.steps[step][0].transform() * assembly.worldFromNode(assembly.at(models::spoolPath));
  }
  /// Least distance of the spool from a part, at the steps from `first` to `last`.
  [[nodiscard]] double leastAtSteps(const char* part, std::size_t first, std::size_t last) const {
    const NodeId spool = assembly.at(models::spoolPath), other = assembly.at(part);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t step = first; step <= last; ++step)
      least = std::min(least, distance({borrowed(scene.modelOf(spool)), spoolAt(step)},
                                       {borrowed(scene.modelOf(other)), assembly.worldFromNode(other)})
                                  .distance());
    return least;
  }
};

}  // namespace

TEST_CASE("the spool of the clear plant keeps its clearance all the way out", "[models]") {
  const double clearance = GENERATE(0.05, 0.5, 1.0, 2.0, 5.0, 10.0);
  const double gap = models::flangeGap(clearance);
  const ClearPlant plant(clearance);
  MotionClearanceOptions options;
  options.resolution = (gap - clearance) / 2;
  const MotionClearanceReport report = motionClearance(plant.scene, {}, plant.track, options);
  CAPTURE(clearance);
  REQUIRE(report.status == ReportStatus::complete);
  CHECK(report.consideredPairs == 7);
  REQUIRE(report.parts.size() == 1);
  CHECK(report.parts[0].atLeast >= clearance);
  // Nothing is narrower than the way out between the flanges, and there the gap is as said.
  CHECK(report.parts[0].pair.nearest.distance == Approx(gap).epsilon(0).margin(1e-9));
  CHECK(report.parts[0].time < 11);
  CHECK(gap < 1.04 * clearance + 0.001);

  // Another method says the same.
  FirstContactOptions contact;
  contact.clearance = clearance;
  contact.resolution = *options.resolution;
  const FirstContactReport first = firstContact(plant.scene, {}, plant.track, contact);
  CHECK(first.status == ReportStatus::complete);
  CHECK_FALSE(first.contact.has_value());
}

TEST_CASE("the spool of the clear plant sits between its flanges, a gap from both", "[models]") {
  const double clearance = GENERATE(0.000001, 0.3, 0.5, 10.0);
  const ClearPlant plant(clearance);
  const double gap = models::flangeGap(clearance);
  CAPTURE(clearance);
  CHECK(gap >= clearance);
  for (const char* part : {"process-plant/equipment/pump", "process-plant/piping/suction-line"})
    CHECK(plant.leastAtSteps(part, 0, 0) == Approx(gap).epsilon(0).margin(1e-9));
}

TEST_CASE("the clear plant's motion passes close to frame, tray, pipes and tank", "[models]") {
  const double clearance = GENERATE(0.5, 2.0, 5.0, 10.0);
  const ClearPlant plant(clearance);
  struct Place {
    const char* part;
    std::size_t first, last;
  };
  for (const auto& [part, first, last] : {Place{"process-plant/structure/drip-tray", 17, 25},
                                          {"process-plant/piping/suction-line", 23, 37},   // flange
                                          {"process-plant/structure/frame", 44, 53},       // middle column
                                          {"process-plant/piping/suction-line", 44, 53},   // below the bend
                                          {"process-plant/piping/suction-line", 61, 69},   // beside the bend
                                          {"process-plant/piping/suction-line", 85, 100},  // above the bend
                                          {"process-plant/equipment/tank", 134, 141},   // leg, manway, shell
                                          {"process-plant/equipment/tank", 160, 166},   // the other leg
                                          {"process-plant/structure/frame", 177, 185},  // brace
                                          {"process-plant/structure/frame", 193, 205}}) {  // corner column
    CAPTURE(clearance, part, first);
    CHECK(plant.leastAtSteps(part, first, last) < 2 * clearance + 3);
  }
}

TEST_CASE("the clear plant's track has 218 continuous steps and ends outside the frame", "[models]") {
  const ClearPlant plant(GENERATE(0.01, 0.5, 10.0));
  const Track& track = plant.track;
  REQUIRE(track.steps.size() == 218);
  CHECK(track.moved == std::vector<std::string>{models::spoolPath});
  CHECK(track.modelHash == plant.assembly.contentHash());
  CHECK(track.steps[0][0] == RigidMotion{});
  const Vec3 centre = plant.assembly.worldFromNode(plant.assembly.at(models::spoolPath)).t;
  for (std::size_t i = 1; i < track.steps.size(); ++i) {
    const RigidMotion &a = track.steps[i - 1][0], &b = track.steps[i][0];
    CHECK(norm(b.transform().apply(centre) - a.transform().apply(centre)) < 35);
    CHECK(degreesBetween(a.rotation, b.rotation) < 3.3);
  }
  // In front of everything else: y runs from the front to the back.
  Box others, spool;
  for (const NodeId node : plant.assembly.instances())
    if (node != plant.assembly.at(models::spoolPath)) others.extend(plant.assembly.worldBounds(node));
  const TriangleMesh& mesh = plant.assembly.meshOf(plant.assembly.at(models::spoolPath));
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i)
    spool.extend(plant.spoolAt(217).apply(mesh.pointInPart(i)));
  CHECK(spool.max.y < others.min.y);
}

TEST_CASE("only the spool of the clear plant differs", "[models]") {
  const Assembly plant = models::makeProcessPlant(), clear = models::makeProcessPlant({.clearance = 0.5});
  const std::vector<NodeId> nodes = plant.instances();
  REQUIRE(clear.instances().size() == nodes.size());
  for (const NodeId node : nodes) {
    const std::string path = plant.path(node);
    INFO(path);
    const NodeId same = clear.at(path);
    CHECK(plant.worldFromNode(node) == clear.worldFromNode(same));
    const TriangleMesh &a = plant.meshOf(node), &b = clear.meshOf(same);
    CHECK((a.contentHash() == b.contentHash()) == (path != models::spoolPath));
    CHECK(a.surfaces().size() == b.surfaces().size());
    CHECK(a.triangleCount() == b.triangleCount());
  }
}

TEST_CASE("the clear plant is the same on every machine", "[models]") {
  for (const double clearance : {0.5, 2.0, 5.0}) {
    const models::GenerateOptions options{.clearance = clearance};
    const Assembly once = models::generate("plant", options), again = models::generate("plant", options);
    CHECK(once.contentHash() == again.contentHash());
    CHECK(models::recordedTrack("plant", once, options)->steps ==
          models::recordedTrack("plant", again, options)->steps);
  }
  CHECK(models::makeProcessPlant({.clearance = 0.5}).contentHash() == 0x833562f8ec4c5704ULL);
}

TEST_CASE("the clear plant refuses clearances that it cannot have", "[models]") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Assembly plant = models::makeProcessPlant();
  for (const double clearance :
       {0.0, -0.5, 10.001, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    CAPTURE(clearance);
    CHECK_THROWS_AS(models::flangeGap(clearance), InputError);
    CHECK_THROWS_AS(models::makeProcessPlant({.clearance = clearance}), InputError);
    CHECK_THROWS_AS(models::makeSpoolTrack(plant, {.clearance = clearance}), InputError);
  }
  CHECK_THROWS_WITH(models::makeProcessPlant({.clearance = 12}),
                    Catch::Contains("12") && Catch::Contains("at most 10 mm"));
}

}  // namespace clear_plant_tests
