// Verdicts at a tolerance that is far below the chord error: fits of which the clearance is known.
#include <catch2/catch.hpp>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <stop_token>
#include <thread>

#include <fitup/base/error.h>
#include <fitup/io/shape_refiner.h>
#include <fitup/scene/clearance.h>
#include <fitup/scene/interference.h>

#include "support/fit_verdicts.h"
#include "support/import_checks.h"
#include "support/temporary_folder.h"

namespace fits_tests {

using namespace fitup;
using namespace fitup::test;

#if defined(FITUP_WRITE_TEST_STEP)
namespace {

/// A fit of support/write_test_step.cpp.
struct Fit {
  const char* kind;
  double clearance, turn = 0;
};

Model importFit(const TemporaryFolder& folder, const Fit& fit, double deflection) {
  const auto file = folder / "fit.step";
  const std::string command = std::string(FITUP_WRITE_TEST_STEP) + " " + file.string() + " FIT " + fit.kind +
                              " " + std::to_string(fit.clearance) + " " + std::to_string(fit.turn) + " >" +
                              (folder / "fit.txt").string();
  REQUIRE(std::system(command.c_str()) == 0);
  ReadOptions options;
  options.linearDeflection = deflection;
  options.relativeDeflection = 0;
  return import(file, options);
}

std::shared_ptr<ShapeRefiner> refinerOf(const Model& model) {
  ReadOptions read;
  read.importerFolder = cadImporter()->parent_path();
  return std::make_shared<ShapeRefiner>(model, read);
}

/// The verdict on the exact shapes of the two parts.
VerdictReport judged(const Model& model, double tolerance, bool refine = true) {
  InterferenceOptions options;
  options.verdict = VerdictOptions{.tolerance = tolerance, .clearPairs = true, .exactShapes = true};
  options.verdict->refine = refine;
  if (refine) options.verdict->refinement = std::make_shared<Refinement>(refinerOf(model));
  const InterferenceReport report = checkAllPairs(sceneOf(model), {}, options);
  if (!report.pairs.empty()) return *report.pairs.front().verdict;
  VerdictReport apart;  // by their boxes
  apart.tolerance = tolerance;
  return apart;
}

}  // namespace

TEST_CASE("fits are judged at the tolerance asked for, whatever the tessellation", "[importers][fits]") {
  const TemporaryFolder folder;
  std::mt19937 random(1);
  const auto pick = [&](auto... values) {
    const std::array all{values...};
    return all[random() % all.size()];
  };
  for (const auto& [kind, least] : {std::pair{"shaft", 0.001},
                                    {"plates", 0.001},
                                    {"shaft-nurbs", 0.001},
                                    {"ball", 0.01},
                                    {"cone", 0.05}}) {
    const double micrometres = static_cast<double>(random() % 401) - 200;
    const Fit fit{kind, micrometres / 1000, static_cast<double>(random() % 1000) / 1000};
    const Model model = importFit(folder, fit, pick(0.01, 0.1, 1.0));
    CAPTURE(kind, fit.turn, model.assembly.part(PartId(0)).deflection()->linear);
    for (const double tolerance : {0.001, 0.01, 0.05, 0.1})
      if (tolerance >= least) checkFit(judged(model, tolerance), fit.clearance);
  }
}

TEST_CASE("many fits are judged at the tolerance asked for", "[.][large][importers][fits]") {
  const TemporaryFolder folder;
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    const char* const kinds[] = {"shaft", "plates", "shaft-nurbs", "ball", "ball-nurbs", "cone", "ring"};
    const char* const kind = kinds[random() % std::size(kinds)];
    const Fit fit{kind, (static_cast<double>(random() % 401) - 200) / 1000,
                  static_cast<double>(random() % 1000) / 1000};
    const double deflections[] = {0.01, 0.1, 1};
    const Model model = importFit(folder, fit, deflections[random() % 3]);
    CAPTURE(kind, fit.turn, model.assembly.part(PartId(0)).deflection()->linear);
    for (const double tolerance : {0.001, 0.01, 0.1}) {
      const VerdictReport found = judged(model, tolerance);
      if (!found.undecidedBecause.starts_with("it could not be refined"))  // curved in both directions
        checkFit(found, fit.clearance);
    }
  }
}

TEST_CASE("a fit that needs too many triangles is undecided and says so", "[importers][fits]") {
  const TemporaryFolder folder;
  const VerdictReport found = judged(importFit(folder, {"ring", 0.0005}, 0.1), 0.0002);
  CHECK(found.verdict == Verdict::undecided);
  CHECK_THAT(found.undecidedBecause, Catch::Contains("triangles would be needed"));
}

TEST_CASE("a fit that the tessellation leaves open is undecided without refinement", "[importers][fits]") {
  const TemporaryFolder folder;
  const Model model = importFit(folder, {"shaft", 0.05}, 0.1);
  const VerdictReport found = judged(model, 0.01, false);
  CHECK(found.verdict == Verdict::undecided);
  CHECK_THAT(found.undecidedBecause, Catch::Contains("at this tessellation"));
  checkFit(judged(model, 0.01), 0.05);
  // What the chord errors cannot change is decided anyway.
  CHECK(judged(importFit(folder, {"plates", 0.05}, 0.1), 0.01, false).verdict == Verdict::clear);
  CHECK(judged(importFit(folder, {"plates", -0.05}, 0.1), 0.01, false).verdict == Verdict::clash);
}

TEST_CASE("distances of CAD parts come with what chord errors may change", "[importers][fits]") {
  const TemporaryFolder folder;
  const auto measured = [&](const Fit& fit, double deflection, ClearanceDetail detail) {
    const Model model = importFit(folder, fit, deflection);
    const ClearanceReport report = pairsWithin(sceneOf(model), {}, 1, detail);
    REQUIRE_FALSE(report.pairs.empty());
    return report.pairs.front();
  };
  for (const double deflection : {0.01, 0.1, 1.0}) {
    for (const char* kind : {"shaft", "shaft-nurbs", "ball"}) {
      const InstanceDistance found = measured({kind, 0.3, 0.2}, deflection, ClearanceDetail::instances);
      CAPTURE(kind, deflection, found.nearest.distance);
      REQUIRE(found.chordError);
      CHECK(*found.chordError > 0);
      CHECK(std::abs(found.nearest.distance - 0.3) <= *found.chordError + 1e-5);
    }
    const InstanceDistance plates = measured({"plates", 0.3}, deflection, ClearanceDetail::surfaces);
    CHECK(plates.nearest.distance == Approx(0.3).margin(1e-5));
    CHECK(plates.chordError.value() < 1e-6);
  }
}

TEST_CASE("splines that are planes or cylinders are described as such", "[importers][fits]") {
  const TemporaryFolder folder;
  const Model model = importFit(folder, {"shaft-nurbs", 0.05, 0.3}, 0.1);
  for (std::uint32_t p = 0; p < model.assembly.partCount(); ++p) {
    const TriangleMesh& mesh = model.assembly.part(PartId(p));
    int planes = 0, round = 0;
    for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
      REQUIRE(mesh.surfaces()[s].description);
      const SurfaceDescription& found = *mesh.surfaces()[s].description;
      planes += found.kind == SurfaceKind::plane;
      round += found.kind == SurfaceKind::cylinder;
      if (found.kind == SurfaceKind::cylinder) CHECK(std::abs(found.radius - 10) < 0.05 + 1e-5);
      // The chord error is that of the form, not what the mesher promised.
      CHECK(*mesh.chordErrorOf(SurfaceId(s)) < 0.1);
    }
    CHECK(round == 1);
    CHECK(planes == static_cast<int>(mesh.surfaces().size()) - 1);
  }
  // Others remain what they are.
  const Model blend = importFit(folder, {"blend", 0.3, 0.3}, 0.1);
  CHECK(std::ranges::any_of(blend.assembly.part(PartId(0)).surfaces(), [](const Surface& surface) {
    return surface.description->kind == SurfaceKind::freeform;
  }));
}

TEST_CASE("spline faces are measured as Open CASCADE's extrema do", "[importers][fits]") {
  const TemporaryFolder folder;
  for (const double deflection : {0.1, 0.5}) {
    const Model model = importFit(folder, {"blend", 0.3, 0.4}, deflection);
    double reference = 0;
    REQUIRE(std::ifstream(folder / "fit.txt") >> reference);
    REQUIRE(reference == Approx(0.3).margin(0.01));
    const Scene scene = sceneOf(model);
    const ExactDistances exact{0.05, std::make_shared<Refinement>(refinerOf(model))};
    const std::vector<NodeId> all(scene.instances().begin(), scene.instances().end());
    REQUIRE(all.size() == 2);
    const ClearanceReport report =
        minimumDistance(scene, {}, std::span(all).first(1), std::span(all).last(1), {}, {}, exact);
    REQUIRE(report.pairs.size() == 1);
    const InstanceDistance& found = report.pairs[0];
    CAPTURE(deflection, reference, found.problem, found.nearest.distance);
    CHECK(found.problem.empty());
    CHECK(*found.chordError <= 0.05);
    CHECK(std::abs(found.nearest.distance - reference) <= *found.chordError + 1e-5);
    CHECK(judged(model, reference - 0.1).verdict == Verdict::clear);
    CHECK(judged(model, reference + 0.1).verdict == Verdict::contact);
  }
}

TEST_CASE("refined meshes keep their surfaces and get the chord errors asked for", "[importers][fits]") {
  const TemporaryFolder folder;
  const Model model = importFit(folder, {"shaft", 0.05}, 1);
  const auto shapes = refinerOf(model);
  ShapeRefiner& refiner = *shapes;
  const PartId part{0};
  REQUIRE(refiner.canRefine(part));
  const TriangleMesh& coarse = model.assembly.part(part);
  std::vector<SurfaceId> round;
  for (std::uint32_t i = 0; i < coarse.surfaces().size(); ++i)
    if (coarse.surfaces()[i].description->kind == SurfaceKind::cylinder) round.push_back(SurfaceId(i));
  REQUIRE(round.size() == 1);
  const auto fine = refiner.refine(part, round, 1e-3, {});
  REQUIRE(fine->surfaces().size() == coarse.surfaces().size());
  CHECK(fine->name() == coarse.name());
  CHECK(*fine->chordErrorOf(round[0]) <= 1e-3);
  CHECK(*fine->chordErrorOf(round[0]) > 1e-5);
  CHECK(*coarse.chordErrorOf(round[0]) > 1e-2);
  // Shared edges keep the mesh closed, and what it returns does not depend on earlier requests.
  CHECK(SolidModel::build(CollisionModel::build(fine))->watertightness().closed());
  (void)refiner.refine(part, round, 1e-4, {});
  CHECK(refiner.refine(part, round, 1e-3, {})->contentHash() == fine->contentHash());
  // A shape that is not that of the mesh is refused.
  Model other = model;
  std::swap(other.exactShapes[0], other.exactShapes[1]);
  CHECK_THROWS_AS(refinerOf(other)->refine(part, round, 1e-3, {}), ImportError);
  Model damaged = model;
  damaged.exactShapes[0] = ExactShape(std::vector<std::byte>(100, std::byte{7}));
  CHECK_THROWS_AS(refinerOf(damaged)->refine(part, round, 1e-3, {}), ImportError);
}

TEST_CASE("refining ends when it is cancelled, and works again afterwards", "[importers][fits]") {
  const TemporaryFolder folder;
  const Model model = importFit(folder, {"ball", 0.05}, 0.1);
  const auto shapes = refinerOf(model);
  ShapeRefiner& refiner = *shapes;
  const auto refine = [&](double chordError, const Progress& progress) {
    const TriangleMesh& coarse = model.assembly.part(PartId(0));
    std::vector<SurfaceId> faces;
    for (std::uint32_t i = 0; i < coarse.surfaces().size(); ++i) faces.push_back(SurfaceId(i));
    return refiner.refine(PartId(0), faces, chordError, progress);
  };
  constexpr double slow = 1e-3, quick = 0.01;
  for (const auto& after : {std::chrono::milliseconds(0), std::chrono::milliseconds(20)}) {
    std::stop_source source;
    const std::jthread cancel([&] {
      std::this_thread::sleep_for(after);
      source.request_stop();
    });
    CHECK_THROWS_AS(refine(slow, Progress(source.get_token())), CancelledError);
    CHECK(refine(quick, {})->triangleCount() > 0);
  }
}
#endif

}  // namespace fits_tests
