// Fits of parts of revolution with a known clearance, at tolerances far below their chord errors, refined
// without an importer: on their closed forms, and on those that are recognised.
#include <catch2/catch.hpp>

#include <array>
#include <random>

#include <fitup/base/error.h>
#include <fitup/mesh/recognise.h>
#include <fitup/query/resolved_distance.h>

#include "support/fit_verdicts.h"
#include "support/revolved_part.h"

namespace exact_fits_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

enum class FitKind { shaft, ball, cone, groove };
constexpr std::array fitKinds{FitKind::shaft, FitKind::ball, FitKind::cone, FitKind::groove};

struct FitParts {
  RevolvedPart first, second;
  Transform worldFromFirst;
};

/// Two parts that are `clearance` apart or, if that is negative, as deep in each other.
FitParts partsOf(FitKind kind, double clearance) {
  const double c = clearance;
  switch (kind) {
    case FitKind::shaft:
      return {shaft(10, -5, 35), bushing(10 + c, 20, 0, 30), {}};
    case FitKind::ball:
      return {ball(10), shaft(30, -20, 0), Transform::translation({1, 2, 10 + c})};
    case FitKind::cone: {  // of 20 degrees
      const double slope = std::tan(std::numbers::pi / 9);
      const RevolvedPart plug{{0, 0}, {{{5, 0}}, {{5 + 20 * slope, 20}}, {{0, 20}}}};
      const RevolvedPart socket{{5 + 2 * slope, 2},
                                {{{20, 2}}, {{20, 18}}, {{5 + 18 * slope, 18}}, {{5 + 2 * slope, 2}}}};
      return {plug, socket, Transform::translation({0, 0, c / std::sin(std::numbers::pi / 9)})};
    }
    case FitKind::groove:
      break;
  }
  const ProfilePoint centre{20, 0};
  const double r = 4 + c;
  const RevolvedPart groove{
      {0, -10}, {{{30, -10}}, {{30, 0}}, {{20 + r, 0}}, {{20, -r}, centre}, {{20 - r, 0}, centre}, {{0, 0}}}};
  return {ring(20, 4), groove, {}};
}

/// What a file without exact shapes has of a part.
TriangleMesh bare(const TriangleMesh& mesh) {
  TriangleMesh::Data data = mesh.data();
  data.deflection.reset();
  for (Surface& surface : data.surfaces) {
    surface.description.reset();
    surface.chordError.reset();
  }
  return TriangleMesh(std::move(data));
}
std::shared_ptr<const SolidModel> solidOf(TriangleMesh mesh) {
  return SolidModel::build(CollisionModel::build(std::make_shared<const TriangleMesh>(std::move(mesh))));
}

void checkFits(std::mt19937& random, int count, bool recognise) {
  QueryContext context;
  for (int i = 0; i < count; ++i)
    for (const FitKind kind : fitKinds) {
      const double clearance = (static_cast<double>(random() % 401) - 200) / 1000;
      const double tolerance = std::array{0.001, 0.01, 0.1}[random() % 3];
      const double error = std::array{0.01, 0.1, 1.0}[random() % 3];
      const FitParts parts = partsOf(kind, clearance);
      CAPTURE(static_cast<int>(kind), clearance, tolerance, error, recognise);
      const auto made = [&](const RevolvedPart& part) {
        TriangleMesh mesh = part.mesh(error, static_cast<double>(random() % 1000) / 1000);
        if (!recognise) return solidOf(std::move(mesh));
        const RecognisedMesh found = withRecognisedSurfaces(bare(mesh), tolerance / 16);
        CHECK(found.recognised >= mesh.surfaces().size() - 2);  // not tori
        return solidOf(*found.mesh);
      };
      if (recognise && kind == FitKind::groove) continue;
      const PosedSolid first{made(parts.first), parts.worldFromFirst}, second{made(parts.second), {}};
      const VerdictReport report = resolvedVerdict(first, second, {.tolerance = tolerance}, {}, context);
      // A groove is near along all of its torus, which may need too many triangles.
      if (kind != FitKind::groove || !report.undecidedBecause.starts_with("it could not be refined: more than"))
        checkFit(report, clearance);
      if (i % 4 == 0)
        CHECK(resolvedVerdict(second, first, {.tolerance = tolerance}, {}, context).verdict ==
              report.verdict);
    }
}

}  // namespace

TEST_CASE("laws: fits in closed form are judged at any tolerance, whatever the tessellation",
          "[query][laws][fits]") {
  std::mt19937 random(21);
  checkFits(random, 8, false);
}

TEST_CASE("laws: fits of recognised surfaces are judged at any tolerance", "[query][laws][fits]") {
  std::mt19937 random(22);
  checkFits(random, 4, true);
}

TEST_CASE("laws: the distance of exact shapes is known as accurately as asked for", "[query][laws][fits]") {
  std::mt19937 random(24);
  QueryContext context;
  for (int i = 0; i < 4; ++i)
    for (const FitKind kind : fitKinds) {
      const double clearance = 0.01 + static_cast<double>(random() % 300) / 1000,
                   // A groove is as near everywhere, so all of it is divided.
          accuracy = kind == FitKind::groove ? 0.05 : std::array{0.001, 0.01, 0.1}[random() % 3],
                   error = std::array{0.01, 0.1, 1.0}[random() % 3];
      const FitParts parts = partsOf(kind, clearance);
      const PosedSolid first{parts.first.solid(error, 0.1 * i), parts.worldFromFirst},
          second{parts.second.solid(error), {}};
      const ResolvedDistance found = resolvedDistance(first, second, accuracy, {}, {}, {}, context);
      CAPTURE(static_cast<int>(kind), clearance, accuracy, error, found.problem);
      REQUIRE(found.nearest);
      CHECK(found.problem.empty());
      CHECK(*found.error.chordError <= accuracy);
      CHECK(std::abs(found.nearest->distance - clearance) <= found.error.bound() + 1e-5);
      // What is farther than asked for is not found, and nothing else is lost.
      if (clearance > 4 * accuracy)
        CHECK_FALSE(resolvedDistance(first, second, accuracy, clearance / 2, {}, {}, context).nearest);
      CHECK(resolvedDistance(second, first, accuracy, clearance, {}, {}, context).nearest);
    }
  const FitParts parts = partsOf(FitKind::ball, 0.1);
  const PosedSolid first{parts.first.solid(0.1), parts.worldFromFirst}, second{parts.second.solid(0.1), {}};
  CHECK_THROWS_AS(resolvedDistance(first, second, 0, {}, {}, {}, context), InputError);
  const ResolvedDistance open = resolvedDistance(first, second, 0.001, {}, {.isAllowed = false}, {}, context);
  CHECK(*open.error.chordError > 0.05);
  CHECK_FALSE(open.problem.empty());
  CHECK(std::abs(open.nearest->distance - 0.1) <= open.error.bound() + 1e-5);
}

TEST_CASE("many fits in closed form are judged at any tolerance", "[.][large][query][fits]") {
  std::mt19937 random(23);
  checkFits(random, 100, false);
  checkFits(random, 40, true);
}

TEST_CASE("meshes that may not be refined leave what chord errors may change undecided", "[query][fits]") {
  QueryContext context;
  const FitParts parts = partsOf(FitKind::shaft, 0.05);
  const PosedSolid first{parts.first.solid(0.1), {}}, second{parts.second.solid(0.1), {}};
  const VerdictReport report =
      resolvedVerdict(first, second, {.tolerance = 0.01}, {.isAllowed = false}, context);
  CHECK(report.verdict == Verdict::undecided);
  CHECK_THAT(report.undecidedBecause, Catch::Contains("at this tessellation"));
  JudgedSolids judged;
  CHECK(resolvedVerdict(first, second, {.tolerance = 0.01}, {}, context, &judged).verdict == Verdict::clear);
  CHECK(judged.first.solid->mesh().triangleCount() > first.solid->mesh().triangleCount());
}

TEST_CASE("points off their surfaces are said to be what leaves a verdict open", "[query][fits]") {
  QueryContext context;
  const FitParts parts = partsOf(FitKind::shaft, 0.02);
  TriangleMesh::Data data = parts.first.mesh(0.1).data();
  for (Surface& surface : data.surfaces)
    if (surface.description->kind == SurfaceKind::cylinder) surface.description->radius += 0.015;
  const PosedSolid first{solidOf(TriangleMesh(std::move(data))), {}}, second{parts.second.solid(0.1), {}};
  const VerdictReport report = resolvedVerdict(first, second, {.tolerance = 0.01}, {}, context);
  CHECK(report.verdict == Verdict::undecided);
  CHECK_THAT(report.undecidedBecause, Catch::Contains("off the surfaces"));
}

}  // namespace exact_fits_tests
