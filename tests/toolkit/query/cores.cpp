#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/query/verdict.h>
#include <fitup/query/verify.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace core_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// A prism along z whose outline is a polygon that is seen as a whole from the axis.
MeshPtr prism(const std::vector<Vec3>& outline, double height) {
  std::vector<Triangle> triangles;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec3 a = outline[i], b = outline[(i + 1) % outline.size()], up{0, 0, height};
    triangles.push_back({{a, b, b + up}});
    triangles.push_back({{a, b + up, a + up}});
    triangles.push_back({{Vec3{}, b, a}});
    triangles.push_back({{up, a + up, b + up}});
  }
  return fromTriangles("prism", triangles);
}

/// A shaft with grooves of triangular section: its core is bounded by the bottoms of the grooves alone, if
/// the teeth in between are thin.
MeshPtr splinedShaft(int teeth, double bottom, double tip, double height) {
  std::vector<Vec3> outline;
  for (int i = 0; i < 2 * teeth; ++i) {
    const double angle = std::numbers::pi * i / teeth, r = i % 2 == 0 ? bottom : tip;
    outline.push_back({r * std::cos(angle), r * std::sin(angle), 0});
  }
  return prism(outline, height);
}

/// A cube about the origin with a pit in the middle of each face, whose tip is at this distance from the
/// middle: spikes from all sides.
MeshPtr pittedCube(double half, double width, double tip) {
  std::vector<Triangle> triangles;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) {
      Vec3 out, u, v;
      out[axis] = sign;
      u[(axis + 1) % 3] = 1;
      v = cross(out, u);
      const Vec3 corners[4] = {u + v, v - u, u * -1.0 - v, u - v};
      for (int k = 0; k < 4; ++k) {
        const Vec3 a = half * (out + corners[k]), b = half * (out + corners[(k + 1) % 4]);
        const Vec3 c = half * out + width * corners[k], d = half * out + width * corners[(k + 1) % 4];
        triangles.push_back({{a, b, d}});
        triangles.push_back({{a, d, c}});
        triangles.push_back({{c, d, tip * out}});
      }
    }
  return fromTriangles("pitted", triangles);
}

double distanceTo(const TriangleMesh& mesh, const Vec3& p) {
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i)
    least = std::min(least, distancePointTriangle(p, mesh.triangle(TriangleId{i})).distance);
  return least;
}

/// The depth of two bodies by brute force: the deepest point of a lattice, with winding numbers and distances
/// from all triangles. The true depth is at least this, and at most the way between points times the root of
/// three half larger where the common part is wider than that way.
struct LatticeDepth {
  double depth = 0, step = 0;
};
LatticeDepth latticeDepth(const MeshPtr& a, const BodyPtr& bodyA, const MeshPtr& b, const BodyPtr& bodyB,
                          const Transform& bAt, int steps) {
  Box box;
  for (const Triangle& t : trianglesOf(a))
    for (const Vec3& p : t.v) box.extend(p);
  LatticeDepth result;
  const Vec3 size = box.max - box.min;
  result.step = std::max({size.x, size.y, size.z}) / steps;
  const Transform toB = bAt.inverse();
  for (double x = box.min.x + result.step / 2; x < box.max.x; x += result.step)
    for (double y = box.min.y + result.step / 2; y < box.max.y; y += result.step)
      for (double z = box.min.z + result.step / 2; z < box.max.z; z += result.step) {
        const Vec3 inA = Vec3{x, y, z} - a->origin(), inB = toB.apply({x, y, z}) - b->origin();
        if (!(windingNumber(*a, bodyA->watertightness(), inA) > 0.5)) continue;
        if (!(windingNumber(*b, bodyB->watertightness(), inB) > 0.5)) continue;
        result.depth = std::max({result.depth, distanceTo(*a, inA), distanceTo(*b, inB)});
      }
  return result;
}

}  // namespace

TEST_CASE("the depth of cubes is that of the deepest point inside both", "[query][penetration][core]") {
  const BodyPtr cube = bodyOf(boxBetween({0, 0, 0}, {10, 10, 10}));
  for (const Transform& both : {Transform{}, shift(900, -500, 70) * Transform::rotation({1, 2, 3}, 1)})
    for (double s = 0; s < 10; s += 0.5) {
      CAPTURE(s);
      const double depth = std::min(5.0, 10 - s);
      const PosedSolid a{cube, both}, b{cube, both * shift(s, 0, 0)};
      const PenetrationReport report = penetration(a, b, {.deeperThan = 0.1});
      REQUIRE(report.regions.size() == 1);
      CHECK(report.depth() <= depth + 1e-5);
      CHECK(report.depth() >= depth * (1 - 1.0 / 64));
      CHECK(report.depth() + report.regions[0].errorBound >= depth - 1e-5);
      CHECK(report.regions[0].errorBound <= depth / 64 + 1e-5);
      CHECK(penetration(b, a, {.deeperThan = 0.1}).depth() == report.depth());
      const VerdictRequest request{.tolerance = 0.1};
      VerdictReport answer = verdict(a, b, request);
      CHECK(answer.depth == report.depth());
      CHECK_FALSE(verifyVerdict(a, b, request, answer).discrepancy);
      if (s > 5) continue;
      // A planted fault.
      answer.depthErrorBound = 0;
      answer.depth = answer.regions[0].depth = 2.5;
      CHECK(verifyVerdict(a, b, request, answer).discrepancy);
    }
}

TEST_CASE("the depth of balls is that of the deepest point inside both", "[query][penetration][core]") {
  const BodyPtr large = bodyOf(icosphere(3, 4)), small = bodyOf(icosphere(2, 4));
  for (double c = 0; c < 4.8; c += 0.3) {
    CAPTURE(c);
    // In the large ball as far as the small one reaches, and the other way round.
    const double depth = std::max(3 - std::max(0.0, c - 2), 2 - std::max(0.0, c - 3));
    const PenetrationReport report =
        penetration({large, {}}, {small, shift(0.6 * c, 0, 0.8 * c)}, {.deeperThan = 0.05});
    REQUIRE_FALSE(report.regions.empty());
    const double facets = 0.015;  // how far facets are inside the balls, both
    CHECK(report.depth() <= depth + 1e-4);
    CHECK(report.depth() + report.regions[0].errorBound >= depth - facets);
    CHECK(report.regions[0].errorBound <= depth / 50);
  }
}

TEST_CASE("a core is found whatever bounds it", "[query][verdict][core]") {
  const auto judge = [](const MeshPtr& a, const MeshPtr& b, double t) {
    const PosedSolid first{bodyOf(a), {}}, second{bodyOf(b), {}};
    const VerdictRequest request{.tolerance = t};
    const VerdictReport report = verdict(first, second, request);
    CHECK(report.status == ReportStatus::complete);
    CHECK(verdict(second, first, request).verdict == report.verdict);
    CHECK_FALSE(verifyVerdict(first, second, request, report).discrepancy);
    return report;
  };
  // Faces: one of two balls on a bar as thin as the tolerance.
  const MeshPtr dumbbell = joined({icosphere(2, 3), boxBetween({0, -0.2, -0.2}, {10, 0.2, 0.2}),
                                   transformed(icosphere(2, 3), shift(10, 0, 0))});
  const MeshPtr house = boxBetween({-3, -3, -3}, {5, 3, 3});
  const VerdictReport inHouse = judge(dumbbell, house, 0.5);
  CHECK(inHouse.verdict == Verdict::clash);
  CHECK(*inHouse.depth > 2);
  // Reflex edges: the teeth are thinner than twice the tolerance.
  const MeshPtr shaft = splinedShaft(24, 3, 5, 20),
                sleeve = transformed(cylinder(3.4, 12, 48), shift(0, 0, 10));
  for (const double t : {0.35, 0.5, 0.8, 1.5, 2.5}) {
    CAPTURE(t);
    const VerdictReport report = judge(shaft, sleeve, t);
    CHECK(report.verdict == Verdict::clash);
    CHECK(*report.depth + report.depthErrorBound >= 3 - 0.03);
  }
  // Corners: pits from all sides whose tips are near the middle.
  const MeshPtr pitted = pittedCube(10, 9.9, 1.5), core = icosphere(1.4, 3);
  const VerdictReport inPits = judge(pitted, core, 1.2);
  CHECK(inPits.verdict == Verdict::clash);
  CHECK(*inPits.depth + inPits.depthErrorBound >= 1.5 - 1e-5);
}

TEST_CASE("depths are those of a lattice of points", "[query][penetration][core][laws]") {
  Random random(20261128);
  const std::vector<MeshPtr> shapes{
      splinedShaft(5, 1.5, 4, 5),          splinedShaft(9, 2, 3, 4), pittedCube(3, 2.5, 1), lShape(6, 3),
      boxBetween({-2, -2, -2}, {2, 2, 2}), tube(3, 1.5, 4, 12),      icosphere(3, 1)};
  int deeperInside = 0;
  for (int i = 0; i < 40; ++i) {
    const MeshPtr a = shapes[random.below(static_cast<std::uint32_t>(shapes.size()))],
                  b = shapes[random.below(static_cast<std::uint32_t>(shapes.size()))];
    const BodyPtr bodyA = bodyOf(a), bodyB = bodyOf(b);
    const Transform at = Transform::rigid(axisAngle(random.inCube(1) + Vec3{0, 0, 1.1}, random.between(0, 3)),
                                          random.inCube(2));
    const LatticeDepth truth = latticeDepth(a, bodyA, b, bodyB, at, 24);
    const PenetrationReport report = penetration({bodyA, {}}, {bodyB, at}, {.deeperThan = 0.02});
    CAPTURE(i, a->name(), b->name(), truth.depth, report.depth());
    CHECK(report.status == ReportStatus::complete);
    CHECK(report.depth() <= truth.depth + 0.9 * truth.step);
    if (truth.depth <= 0.03) continue;
    REQUIRE_FALSE(report.regions.empty());
    CHECK(report.depth() + report.regions[0].errorBound >= truth.depth - 1e-6);
    CHECK(report.regions[0].errorBound <= report.depth() / 32 + 0.001);
    if (report.regions[0].coincident) ++deeperInside;
  }
  CHECK(deeperInside > 5);
}

TEST_CASE("walls that enclose each other's middle clash, whatever their thickness", "[laws]") {
  Random random(52);
  const double t = 0.2;
  int clashes = 0, contacts = 0;
  for (int i = 0; i < 120; ++i) {
    // Sheets in each other, or tubes about one axis; both thinner than 2 t.
    const bool areTubes = i % 3 == 0;
    const double a = random.between(0.04, 0.38), b = random.between(0.04, 0.38),
                 off = random.between(-1, 1) * (a + b) / 2, limit = std::min(a, b) / 2;
    // The middle of a tube is one of chords, and boundary points are equally near up to a sixteenth.
    if (std::abs(std::abs(off) - limit) < std::max(a, b) / 16 + 0.005) continue;
    CAPTURE(i, a, b, off);
    const auto bend = [&](double thickness, double radius, double length) {
      return tube(radius + thickness / 2, radius - thickness / 2, length, 96);
    };
    const BodyPtr inner = bodyOf(areTubes ? bend(a, 5 + off, 6) : sixSidedBox(8, 7, a, 1 + random.below(3))),
                  outer = bodyOf(areTubes ? bend(b, 5, 10) : sixSidedBox(12, 10, b, 1 + random.below(3)));
    const Transform both = Transform::rigid(randomRotation(random), random.inCube(30)),
                    at = areTubes ? Transform{} : shift(0.3, -0.2, off);
    const PosedSolid first{inner, both * at}, second{outer, both};
    const VerdictReport report = verdict(first, second, {.tolerance = t});
    const bool isClash = std::abs(off) < limit;
    CHECK(report.verdict == (isClash ? Verdict::clash : Verdict::contact));
    CHECK(verdict(second, first, {.tolerance = t}).verdict == report.verdict);
    CHECK_FALSE(verifyVerdict(first, second, {.tolerance = t}, report, {}, 200).discrepancy);
    if (isClash && report.verdict == Verdict::clash) {
      CHECK(report.regions.at(0).pierced);
      VerdictReport wrong = report;  // a planted fault: a point beside the middle
      wrong.point = wrong.regions[0].point = *report.point + 0.3 * *report.depth * *report.direction;
      CHECK(verifyVerdict(first, second, {.tolerance = t}, wrong, {}, 200).discrepancy);
    }
    ++(isClash ? clashes : contacts);
  }
  CHECK(clashes > 30);
  CHECK(contacts > 30);
}

}  // namespace core_tests
