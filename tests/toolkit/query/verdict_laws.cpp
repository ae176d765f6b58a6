#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fitup/query/distance.h>
#include <fitup/query/verdict.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

// What is said about two parts depends on their sets of points only: not on how these are meshed, where they
// are, or which part comes first.
namespace verdict_laws_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

struct Parts {
  MeshPtr a, b;
  Transform atA, atB;
  double tolerance = 0.1;

  [[nodiscard]] std::pair<PosedSolid, PosedSolid> posed() const {
    return {PosedSolid{SolidModel::build(CollisionModel::build(a)), atA},
            PosedSolid{SolidModel::build(CollisionModel::build(b)), atB}};
  }
};

/// How deep two parts are, or minus how far they are apart, in units of `scale`, and by how much that may be
/// off.
struct Measured {
  Verdict verdict;
  double q = 0, bound = 0;
  bool isPierced = false;
};
Measured measure(const Parts& parts, double scale = 1) {
  const auto [a, b] = parts.posed();
  VerdictRequest request;
  request.tolerance = parts.tolerance;
  request.overlaps = true;
  const VerdictReport report = verdict(a, b, request);
  REQUIRE(report.status == ReportStatus::complete);
  Measured result{report.verdict};
  result.isPierced = !report.regions.empty() && report.regions.front().pierced;
  if (report.depth && *report.depth > 0) {
    result.q = *report.depth / scale;
    result.bound = report.depthErrorBound / scale;
  } else if (report.distance) {
    result.q = -*report.distance / scale;
    result.bound = report.depth ? report.depthErrorBound / scale : 1e-6;
  }
  return result;
}

/// A bar of 6 x 2 x 1.5 around the origin, in one piece or cut into boxes that overlap.
MeshPtr bar() { return sixSidedBox(6, 2, 1.5); }
MeshPtr barOfShells(Random& random) {
  std::vector<MeshPtr> shells;
  for (double from = -3; from < 3;) {
    const double to = std::min(3.0, from + random.between(0.8, 2.5));
    shells.push_back(boxBetween({from, -1, -0.75}, {to, 1, 0.75}));
    from = to >= 3 ? 3 : to - random.between(0.1, 0.6);
  }
  return joined(shells);
}

MeshPtr shapeOf(std::uint32_t k) {
  switch (k) {
    case 0:
      return bar();
    case 1:
      return icosphere(1.3, 2);
    case 2:
      return lShape(3, 1.2);
    case 3:
      return cylinder(0.8, 4, 16);
    case 4:
      return tube(1.6, 0.9, 2, 16);
    default:
      return sixSidedBox(4, 0.15, 3);
  }
}

/// Two parts whose boxes overlap. Bars come first in a third of the cases.
Parts seeded(Random& random) {
  Parts parts;
  const std::uint32_t first = random.below(9) < 3 ? 0 : random.below(6);
  parts.a = shapeOf(first);
  parts.b = shapeOf(random.below(6));
  parts.atA = Transform::rigid(randomRotation(random), random.inCube(1));
  parts.atB = Transform::rigid(randomRotation(random), random.inCube(1.6));
  return parts;
}

/// Requires the same verdict unless the pair is within bounds of a limit of it, and the same q within bounds.
void requireSame(const Measured& truth, const Measured& other, double t, double extra = 0) {
  const double bound = truth.bound + other.bound + extra + 1e-5;
  const bool isAtLimit = std::abs(truth.q - t) <= bound + t / 8 || std::abs(truth.q + t) <= bound;
  if (!isAtLimit) CHECK(other.verdict == truth.verdict);
  if (other.verdict != truth.verdict || truth.isPierced || other.isPierced) return;
  CHECK(std::abs(other.q - truth.q) <= bound);
}

}  // namespace

TEST_CASE("laws: verdict and depth do not depend on the meshes of the parts", "[query][verdict][laws]") {
  int clashes = 0, contacts = 0, clear = 0, pierced = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Parts parts = seeded(random);
    const Measured truth = measure(parts);
    (truth.verdict == Verdict::clash ? clashes : truth.verdict == Verdict::contact ? contacts : clear)++;
    pierced += truth.isPierced ? 1 : 0;
    const auto variant = [&](const char* what, const auto& change, double extra = 0) {
      INFO(what);
      Parts changed = parts;
      MeshPtr& mesh = seed % 2 == 0 ? changed.a : changed.b;
      mesh = change(mesh);
      requireSame(truth, measure(changed), parts.tolerance, extra);
    };
    const auto triangles = [&](const auto& change) {
      return [&](const MeshPtr& mesh) {
        std::vector<Triangle> all = trianglesOf(mesh);
        change(all);
        return fromTriangles("part", all);
      };
    };
    variant("subdivided", [](const MeshPtr& mesh) { return subdivided(mesh); });
    variant("reversed", [](const MeshPtr& mesh) { return insideOut(mesh); });
    variant("faces doubled", triangles([&](std::vector<Triangle>& all) {
              for (std::size_t i = 0, n = all.size(); i < n; ++i)
                if (random.below(3) == 0) all.push_back(random.below(2) == 0 ? all[i] : turned(all[i]));
            }));
    variant("triangles flipped", triangles([&](std::vector<Triangle>& all) {
              for (std::size_t i = 0; i < all.size(); ++i)
                if (i % 3 == 0) all[i] = turned(all[i]);
            }));
    variant("seams opened", triangles([&](std::vector<Triangle>& all) {
              for (Triangle& triangle : all)
                for (Vec3& p : triangle.v) p = p + random.inCube(1e-6);
            }),
            1e-5);
    variant("shuffled", triangles([&](std::vector<Triangle>& all) {
              for (std::size_t i = all.size(); i > 1; --i)
                std::swap(all[i - 1], all[random.below(static_cast<std::uint32_t>(i))]);
            }));
    variant("both skins", triangles([&](std::vector<Triangle>& all) {
              for (std::size_t i = 0, n = all.size(); i < n; ++i) all.push_back(turned(all[i]));
            }));
    if (parts.a->triangleCount() == 12 && seed % 2 == 0 && parts.a->bounds().halfExtent().x > 2.9)
      variant("overlapping shells", [&](const MeshPtr&) { return barOfShells(random); });
  }
  CHECK(clashes > 40);
  CHECK(contacts > 3);
  CHECK(clear > 10);
  CHECK(pierced > 0);
}

TEST_CASE("laws: verdict and depth do not depend on place, scale, hand and order", "[query][verdict][laws]") {
  for (std::uint64_t seed = 1001; seed <= 1150; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Parts parts = seeded(random);
    const Measured truth = measure(parts);
    const auto variant = [&](const char* what, const Parts& changed, double scale = 1) {
      INFO(what);
      requireSame(truth, measure(changed, scale), parts.tolerance);
    };
    const auto mapped = [&](const Transform& map) {
      Parts changed = parts;
      changed.atA = map * parts.atA;
      changed.atB = map * parts.atB;
      return changed;
    };
    variant("swapped", {parts.b, parts.a, parts.atB, parts.atA, parts.tolerance});
    variant("moved", mapped(Transform::rigid(randomRotation(random), random.inCube(1000))));
    variant("mirrored", mapped(Transform::rigid(randomRotation(random), random.inCube(10)) *
                               Transform::scaling(-1, 1, 1)));
    for (const double scale : {0.01, 250.0}) {
      Parts scaled = parts;
      const Transform map = Transform::scaling(scale, scale, scale);
      scaled.a = transformed(parts.a, map);
      scaled.b = transformed(parts.b, map);
      scaled.atA.t = parts.atA.t * scale;
      scaled.atB.t = parts.atB.t * scale;
      scaled.tolerance = parts.tolerance * scale;
      variant("scaled", scaled, scale);
    }
  }
}

namespace {

/// q at two poses differs by no more than points move.
void checkMoves(std::uint64_t firstSeed, int count) {
  for (int i = 0; i < count; ++i) {
    const std::uint64_t seed = firstSeed + static_cast<std::uint64_t>(i);
    CAPTURE(seed);
    Random random(seed);
    Parts parts = seeded(random);
    const Measured before = measure(parts);
    // The part turns about a point near to it. No point of it moves by more than the sum of both.
    const double angle = random.between(-0.05, 0.05);
    const Vec3 shift = random.inCube(0.15);
    double reach = 0;
    const Vec3 centre = parts.atB.t;
    for (std::uint32_t p = 0; p < parts.b->points().size(); ++p)
      reach = std::max(reach, norm(parts.b->pointInPart(p)));
    const double way = norm(shift) + std::abs(angle) * reach;
    const Transform turn = Transform::rotation(normalized(random.inCube(1)), angle);
    parts.atB =
        Transform::translation(centre + shift) * turn * Transform::translation(centre * -1.0) * parts.atB;
    const Measured after = measure(parts);
    if (before.isPierced || after.isPierced) continue;  // their depth is that of the wall
    CHECK(std::abs(after.q - before.q) <= way + before.bound + after.bound + 1e-6);
  }
}

}  // namespace

TEST_CASE("laws: depth changes by no more than points move", "[query][verdict][laws]") { checkMoves(1, 400); }

TEST_CASE("laws: ten thousand moves", "[.][query][verdict][laws][large]") { checkMoves(100000, 10000); }

}  // namespace verdict_laws_tests
