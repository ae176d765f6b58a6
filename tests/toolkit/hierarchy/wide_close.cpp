// Scenes in which boxes of the parts' axes, or with a slack of the parts' size, tell nothing apart: answers
// equal those of the sweep with CGAL, and counts of tests hold what makes them quick.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include <fitup/query/distance.h>
#include <fitup/query/intersect.h>
#include <fitup/query/sort_and_sweep.h>
#include <models/pins.h>
#include <models/placements.h>
#include <models/plate.h>
#include <models/rod_bundle.h>
#include <models/torus.h>

#include "support/placements.h"
#include "support/report_checks.h"
#include "support/sweep_oracle.h"
#include "support/tiny_meshes.h"

namespace wide_close_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

MeshPtr shared(TriangleMesh mesh) { return std::make_shared<const TriangleMesh>(std::move(mesh)); }

std::string problem(const PosedModel& first, const PosedModel& second) {
  return problemInAnySetting(first, second, Touching::include, sweepOracle(first, second), false);
}

QueryStats countsOf(const PosedModel& first, const PosedModel& second,
                    QueryMode mode = QueryMode::allTrianglePairs) {
  IntersectionRequest request;
  request.mode = mode;
  QueryContext context;
  return intersect(first, second, request, context).stats;
}

/// Two plates of about 1,000 triangles, the upper one above the lower one.
struct Plates {
  explicit Plates(bool inclined, bool sheets = false) {
    lower.along = lower.across = 16;
    upper.along = 18;
    upper.across = 14;
    lower.inclined = upper.inclined = inclined;
    lower.sheet = upper.sheet = sheets;
    lower.jitter = upper.jitter = 0.2;
    if (sheets) lower.size.z = upper.size.z = 0;
    a = modelOf(shared(models::makePlate(lower)));
    b = modelOf(shared(models::makePlate(upper)));
  }
  [[nodiscard]] Transform gap(double share) const {
    const Vec3 at{150, -100, lower.size.z + share * lower.size.x};
    return Transform::translation(lower.inclined ? models::inclinedPoint(at) : at);
  }
  models::PlateOptions lower, upper;
  ModelPtr a, b;
};

}  // namespace

TEST_CASE("laws: plates at any gap", "[hierarchy][wide][oracle][laws]") {
  Random random(611);
  for (const bool inclined : {false, true})
    for (const bool sheets : {false, true}) {
      const Plates plates(inclined, sheets);
      for (const double share : {0.0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3, -1e-9, -1e-7, -1e-5})
        for (const bool anywhere : {false, true}) {
          const Transform both =
              anywhere ? randomPlacement(PlacementClass::rigid, random, 3000) : Transform();
          INFO("inclined " << inclined << ", sheets " << sheets << ", gap " << share << ", anywhere "
                           << anywhere);
          CHECK(problem({plates.a, both}, {plates.b, both * plates.gap(share)}) == "");
        }
    }
}

TEST_CASE("plates apart by a hundred-thousandth of their size need no triangles", "[hierarchy][wide]") {
  Random random(612);
  for (const bool inclined : {false, true})
    for (const bool sheets : {false, true}) {
      const Plates plates(inclined, sheets);
      for (const double share : {1e-5, 1e-4, 1e-3}) {
        INFO("inclined " << inclined << ", sheets " << sheets << ", gap " << share);
        for (const QueryMode mode : {QueryMode::firstSurfacePair, QueryMode::allTrianglePairs}) {
          const QueryStats counts = countsOf({plates.a, {}}, {plates.b, plates.gap(share)}, mode);
          // Where coarse faces lie along no axis, the axes of some boxes are not quite those of the faces.
          CHECK(counts.triangleTests < (inclined ? 2000U : 1U));
          CHECK(counts.boxTests < (inclined ? 20'000U : 100U));
        }
      }
      if (!inclined) CHECK(countsOf({plates.a, {}}, {plates.b, plates.gap(1e-6)}).triangleTests == 0);
    }
}

TEST_CASE("faces apart by little are told apart inside of larger parts", "[hierarchy][wide]") {
  // Both parts also have a distant plate, so that their boxes overlap deeply.
  const Plates plates(false);
  const auto withAnother = [](const ModelPtr& model, const Vec3& at) {
    TriangleMeshBuilder builder("with another");
    for (const Vec3& shift : {Vec3{}, at}) {
      const auto first = static_cast<std::uint32_t>(builder.pointCount());
      const TriangleMesh& mesh = model->mesh();
      for (std::uint32_t i = 0; i < mesh.points().size(); ++i) builder.addPoint(mesh.pointInPart(i) + shift);
      for (const Surface& surface : mesh.surfaces()) {
        builder.beginSurface();
        for (std::uint32_t k = 0; k < surface.triangleCount; ++k) {
          const TriangleIndices& t = mesh.triangles()[surface.firstTriangle + k];
          builder.addTriangle(first + t[0], first + t[1], first + t[2]);
        }
      }
    }
    return modelOf(shared(builder.build()));
  };
  const ModelPtr a = withAnother(plates.a, {0, 3000, 500}), b = withAnother(plates.b, {3000, 0, -500});
  for (const double share : {1e-6, 1e-5}) {
    const PosedModel first{a, {}}, second{b, plates.gap(share)};
    CHECK(countsOf(first, second).triangleTests == 0);
    CHECK(countsOf(first, second).boxTests < 2000);
    CHECK(problem(first, second) == "");
  }
}

TEST_CASE("tips of pins at a plate forty times their size", "[hierarchy][wide][oracle]") {
  const ModelPtr pins = modelOf(shared(models::makePins()));
  const ModelPtr plate = modelOf(shared(models::makeGradedPlate({.sectors = 48})));
  for (const double gap : {1e-4, 1e-3, 0.01, 0.0, -0.01})
    for (const double turns : {0.0, 0.13}) {
      const Transform pose = Transform::rigid(models::rotationByTurns({0, 0, 1}, turns), {0.3, 0.2, gap});
      const PosedModel first{plate, {}}, second{pins, pose};
      INFO("gap " << gap << ", turned by " << turns);
      CHECK(problem(first, second) == "");
      if (gap >= 0.001) CHECK(countsOf(first, second).triangleTests < 100);
    }
}

TEST_CASE("bundles of rods that are askew are told apart along their edges", "[hierarchy][wide][oracle]") {
  models::RodBundleOptions options{.perLayer = 12, .layers = 6, .sides = 4, .length = 1000, .radius = 4};
  const ModelPtr rods = modelOf(shared(models::makeRodBundle(options)));
  // The second bundle is turned about a direction across its rods that is no axis of either; its layers lie
  // between those of the first.
  const Vec3 across{0, 1 / std::numbers::sqrt2, 1 / std::numbers::sqrt2};
  const double between = options.pitch / std::numbers::sqrt2 / 2;
  for (const double degrees : {4.0, 8.0})
    for (const double share : {1.0, 0.4}) {
      const PosedModel first{rods, {}},
          second{rods, Transform::rigid(models::rotationByTurns(across, degrees / 360),
                                        across * (between * share))};
      INFO(degrees << " degrees, " << share);
      CHECK(problem(first, second) == "");
      const auto pairs = options.triangleCount() * options.triangleCount();
      if (share == 1.0) CHECK(countsOf(first, second).triangleTests < pairs / 8);
    }
}

TEST_CASE("surfaces that are strips or rings share nodes, others do not", "[hierarchy][wide][oracle]") {
  const auto torus = [](int along, int across) {
    return modelOf(shared(
        models::makeTorus({.around = 80, .across = 60, .patchesAround = along, .patchesAcross = across})));
  };
  const ModelPtr whole = torus(1, 1);
  const auto poses = models::randomPlacements(12, 3.8, 7);
  const auto boxTests = [&](const ModelPtr& model) {
    QueryStats counts;
    for (const Transform& pose : poses) counts += countsOf({model, {}}, {model, pose});
    return static_cast<double>(counts.boxTests);
  };
  for (const auto& [along, across] : {std::pair{80, 1}, {1, 60}}) {
    const ModelPtr strips = torus(along, across);
    INFO(along << " x " << across);
    // Split by surfaces first, it would be 3.6 and 6.2 times.
    CHECK(boxTests(strips) < (along > 1 ? 3.2 : 2) * boxTests(whole));
    CHECK_FALSE(strips->wide().problemFor(strips->mesh(), true));
    for (const Transform& pose : {poses[0], poses[3]}) CHECK(problem({strips, {}}, {strips, pose}) == "");
  }
  // Patches of common shape keep subtrees of their own.
  const ModelPtr patches = torus(5, 4);
  std::size_t pure = 0;
  for (const WideNode& node : patches->wide().nodes.span()) pure += node.head.surface != WideNodeHead::mixed;
  CHECK(pure > patches->wide().nodes.size() / 2);
}

TEST_CASE("distances of parallel faces need few pairs", "[hierarchy][wide][distance][oracle]") {
  for (const bool sheets : {false, true})
    for (const double share : {1e-6, 1e-5, 1e-3, 0.05}) {
      const Plates plates(false, sheets);
      const PosedModel first{plates.a, {}}, second{plates.b, plates.gap(share)};
      const DistanceReport found = distance(first, second), expected = sweepDistance(first, second);
      INFO("sheets " << sheets << ", gap " << share);
      REQUIRE(found.nearest);
      CHECK(found.distance() == Approx(share * 1000).epsilon(1e-6));
      CHECK(std::abs(found.distance() - expected.distance()) <= 1e-12 * 1000);
      CHECK(found.stats.triangleDistances < 30);
      CHECK(found.stats.boxTests < 20'000);
    }
  // Where faces lie along no axis, their boxes are rounded; triangles are told apart all the same.
  Random random(613);
  for (const bool anywhere : {false, true}) {
    const Plates plates(true);
    const Transform both = anywhere ? randomPlacement(PlacementClass::rigid, random, 3000) : Transform();
    for (const double share : {1e-6, 1e-4, 0.05}) {
      const PosedModel first{plates.a, both}, second{plates.b, both * plates.gap(share)};
      const DistanceReport found = distance(first, second), expected = sweepDistance(first, second);
      CHECK(std::abs(found.distance() - expected.distance()) <= 1e-9);
      CHECK(found.stats.triangleDistances < 4000);  // of a million
    }
  }
}

}  // namespace wide_close_tests
