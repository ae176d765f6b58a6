#include <catch2/catch.hpp>

#include <cmath>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/query/verdict.h>
#include <fitup/query/verify.h>
#include <fitup/scene/interference.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace verdict_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

VerdictReport judge(const MeshPtr& a, const MeshPtr& b, const Transform& bAt, double tolerance) {
  const BodyPtr bodyA = bodyOf(a), bodyB = bodyOf(b);
  return verdict({bodyA, {}}, {bodyB, bAt}, {.tolerance = tolerance});
}

/// A box of side 10 without its face +x, so that nothing is enclosed clearly near the hole.
MeshPtr boxWithoutFace() {
  const MeshPtr whole = sixSidedBox(10, 10, 10);
  std::vector<Triangle> five;
  for (std::uint32_t i = 0; i < whole->triangleCount(); ++i)
    if (whole->surfaceOf(TriangleId{i}) != SurfaceId{1}) five.push_back(whole->triangle(TriangleId{i}));
  return fromTriangles("bowl", five);
}

}  // namespace

TEST_CASE("a mated box: 1 mm into the face is a clash, back in place contact, 1 mm out clear at 1 mm") {
  const MeshPtr base = sixSidedBox(40, 30, 10, 2), cover = sixSidedBox(20, 20, 10);
  const auto at = [&](double z) { return judge(base, cover, shift(3, -2, 10 + z), 0.2); };
  const VerdictReport mated = at(0), in = at(-1), out = at(1);
  CHECK(mated.verdict == Verdict::contact);
  CHECK(mated.distance == 0);
  CHECK_FALSE(mated.depth);
  CHECK(in.verdict == Verdict::clash);
  REQUIRE(in.depth);
  CHECK(*in.depth <= 1 + 1e-6);
  CHECK(*in.depth + in.depthErrorBound >= 1 - 1e-6);
  REQUIRE(in.direction);
  CHECK(std::abs(in.direction->z) == Approx(1));
  CHECK_FALSE(in.distance);
  CHECK(in.regions.size() == 1);
  CHECK(out.verdict == Verdict::clear);
  REQUIRE(out.distance);
  CHECK(*out.distance == Approx(1).margin(1e-6));
  CHECK(out.direction->z == Approx(1));
  // Within the tolerance, overlapping or separated, it is contact.
  CHECK(at(-0.15).verdict == Verdict::contact);
  CHECK(at(0.15).verdict == Verdict::contact);
  CHECK(at(-0.25).verdict == Verdict::clash);
  CHECK(at(0.25).verdict == Verdict::clear);
}

TEST_CASE("a part that stands twice in one place is a clash") {
  const MeshPtr cube = sixSidedBox(10, 10, 10, 3), ball = icosphere(5, 3);
  for (const Transform& both :
       {Transform{}, Transform::translation({900, -500, 70}) * Transform::rotation({1, 2, 3}, 1),
        Transform::scaling(-1, 1, 1)})
    for (const MeshPtr& mesh : {cube, ball}) {
      const BodyPtr body = bodyOf(mesh);
      for (const double off : {0.0, 0.05}) {
        const VerdictReport report =
            verdict({body, both}, {body, both * shift(off, 0, 0)}, {.tolerance = 0.1});
        CHECK(report.verdict == Verdict::clash);
        CHECK_FALSE(verifyVerdict({body, both}, {body, both * shift(off, 0, 0)}, {.tolerance = 0.1}, report)
                        .discrepancy);
        REQUIRE(report.depth);
        CHECK(*report.depth > 1);
        CHECK(*report.depth <= 5);
        CHECK(*report.depth + report.depthErrorBound >= 5 - 0.2);
        CHECK_FALSE(report.distance);
      }
    }
  // Neighbours of one size share a face and no volume.
  CHECK(judge(cube, cube, shift(10, 0, 0), 0.1).verdict == Verdict::contact);
  // Too thin for a point deeper than the tolerance: each has the middle of the other.
  CHECK(judge(sixSidedBox(10, 10, 0.15), sixSidedBox(10, 10, 0.15), {}, 0.1).verdict == Verdict::clash);
}

TEST_CASE("bodies that coincide clash whatever their order, tessellation and scale") {
  const MeshPtr plate = sixSidedBox(100, 100, 1);
  const MeshPtr fine = sixSidedBox(100, 100, 1, 2);
  const BodyPtr a = bodyOf(plate), b = bodyOf(fine);
  for (const Transform& both : {Transform{}, Transform::scaling(2, 2, 2), Transform::scaling(-2, 1, 1)}) {
    const VerdictReport there = verdict({a, both}, {b, both}, {.tolerance = 0.2}),
                        back = verdict({b, both}, {a, both}, {.tolerance = 0.2});
    CHECK(there.verdict == Verdict::clash);
    CHECK(back.verdict == Verdict::clash);
    CHECK(there.depth == back.depth);
    CHECK(there.depthErrorBound == back.depthErrorBound);
    CHECK(there.point == back.point);
  }
}

TEST_CASE("scaled and mirrored parts are judged as the same parts made so") {
  const MeshPtr hollow = joined({box(16, 16, 16), insideOut(box(14, 14, 14))});
  const MeshPtr overlapping =
      joined({box(10, 10, 10), transformed(box(10, 8, 8), Transform::translation({5, 0, 0}))});
  const BodyPtr shell = bodyOf(hollow), solids = bodyOf(overlapping), small = bodyOf(box(2, 2, 2));
  for (const Transform& placed : {Transform{}, Transform::scaling(2, 2, 2), Transform::scaling(-2, 2, 2),
                                  Transform::scaling(-1, 1, 1), Transform::scaling(-2, -2, 1)}) {
    CHECK(verdict({shell, placed}, {small, {}}, {.tolerance = 0.1}).verdict == Verdict::clear);
    const VerdictReport inside =
        verdict({solids, placed}, {small, placed * shift(2, 0, 0)}, {.tolerance = 0.1});
    CHECK(inside.verdict == Verdict::clash);
  }
}

TEST_CASE("the tolerance from the tessellation is scaled as the part is") {
  const auto toleranceAt = [](const Transform& placed) {
    TriangleMeshBuilder builder("cube");
    const MeshPtr cube = box(10, 10, 10);
    for (std::uint32_t i = 0; i < cube->points().size(); ++i) builder.addPoint(cube->pointInPart(i));
    for (const TriangleIndices& t : cube->triangles()) builder.addTriangle(t[0], t[1], t[2]);
    builder.setDeflection({.linear = 0.1, .angular = 0.5});
    const BodyPtr body = bodyOf(std::make_shared<const TriangleMesh>(builder.build()));
    return defaultTolerance({body, placed}, {body, placed});
  };
  const Transform turned = Transform::rotation({1, 2, 3}, 1);
  CHECK(toleranceAt(turned) == Approx(0.2));
  CHECK(toleranceAt(turned * Transform::scaling(0.5, 0.5, 0.5) * turned) == Approx(0.1));
  CHECK(toleranceAt(turned * Transform::scaling(-2, 2, 2)) == Approx(0.4));
  CHECK(toleranceAt(turned * Transform::scaling(1, 3, 1) * turned) == Approx(0.6));
}

TEST_CASE("depth is distinguished from contact to an eighth of a small tolerance") {
  const MeshPtr large = sixSidedBox(100, 100, 100);
  CHECK(judge(large, large, shift(0, 0, 100 - 0.001), 0.0002).verdict == Verdict::clash);
  CHECK(judge(large, large, shift(0, 0, 100 - 0.0001), 0.0002).verdict == Verdict::contact);
}

TEST_CASE("a tolerance of 0 is raised to what can be measured, and says so without a limit") {
  const MeshPtr cube = sixSidedBox(10, 10, 10), small = sixSidedBox(2, 3, 4);
  const Transform turned = Transform::translation({30, -7, 5}) * Transform::rotation({1, 2, 3}, 0.7);
  for (const Transform& both : {Transform{}, turned})
    for (const double tolerance : {0.0, 1e-18, 1e-13}) {
      const BodyPtr a = bodyOf(cube), b = bodyOf(small);
      const auto at = [&](double z) {
        const VerdictReport r = verdict({a, both}, {b, both * shift(1, -2, z)}, {.tolerance = tolerance});
        CHECK(r.status == ReportStatus::complete);
        CHECK(r.tolerance > 0);
        CHECK(r.tolerance < 1e-6);
        CHECK(r.tolerance == effectiveTolerance(tolerance, {a, both}, {b, both * shift(1, -2, z)}));
        return r.verdict;
      };
      CHECK(at(7) == Verdict::contact);
      CHECK(at(7 - 1e-3) == Verdict::clash);
      CHECK(at(7 + 1e-3) == Verdict::clear);
    }
}

TEST_CASE("lengths of a verdict that make no sense are refused") {
  const BodyPtr cube = bodyOf(box(1, 1, 1));
  for (const VerdictRequest& request :
       {VerdictRequest{.tolerance = -1}, VerdictRequest{.tolerance = HUGE_VAL},
        VerdictRequest{.tolerance = 0.01, .ignoreBeyond = -1}})
    CHECK_THROWS_AS(verdict({cube, {}}, {cube, shift(4, 0, 0)}, request), InputError);
}

TEST_CASE("verdict sees a part inside another one, which surfaces do not") {
  const BodyPtr tank = bodyOf(sixSidedBox(10, 10, 10)), tool = bodyOf(icosphere(1, 2));
  const PosedSolid a{tank, {}}, b{tool, shift(1, 1, 1)};
  CHECK_FALSE(intersect(a.posed(), b.posed()).intersects());
  const VerdictReport report = verdict(a, b, {.tolerance = 0.1});
  CHECK(report.verdict == Verdict::clash);
  CHECK(report.regions.at(0).contained);
  // In a hollow tank it is clear: 4 - 1 - 1 from the walls at x = 4, and so on.
  const BodyPtr hollow = bodyOf(joined({sixSidedBox(10, 10, 10), insideOut(sixSidedBox(8, 8, 8))}));
  const VerdictReport clear = verdict({hollow, {}}, b, {.tolerance = 0.1});
  CHECK(clear.verdict == Verdict::clear);
  CHECK(*clear.distance == Approx(2).margin(0.02));
}

TEST_CASE("a part whose core another one encloses clashes, though no surface is deep") {
  Random random(52);
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    // A sheet runs through the middle of a plate 3 t thick, and is wider than it. Its faces are at most t
    // deep in the plate, and the plate's rim is less deep in the sheet.
    const double t = random.between(0.2, 2), width = random.between(10, 100) * t;
    const MeshPtr plate = i % 2 == 0 ? sixSidedBox(width, width, 3 * t) : cylinder(width / 2, 3 * t, 24);
    const MeshPtr sheet = sixSidedBox(2 * width, 2 * width, 1.1 * t, 1 + static_cast<std::uint32_t>(i % 3));
    const Transform world = Transform::rigid(randomRotation(random), random.inCube(10));
    const PosedSolid a{bodyOf(plate), world},
        b{bodyOf(sheet), world * Transform::translation({random.between(-t, t), random.between(-t, t), 0})};
    const VerdictRequest request{.tolerance = t};
    for (const bool swapped : {false, true}) {
      const PosedSolid &first = swapped ? b : a, &second = swapped ? a : b;
      const VerdictReport report = verdict(first, second, request);
      REQUIRE(report.verdict == Verdict::clash);
      CHECK(report.regions.front().coincident);
      CHECK(*report.depth > t);
      CHECK(*report.depth <= 1.5 * t * (1 + 1e-6));
      CHECK_FALSE(verifyVerdict(first, second, request, report).discrepancy);
      VerdictReport wrong;
      wrong.verdict = Verdict::contact;
      wrong.tolerance = report.tolerance;
      wrong.distance = 0;
      CHECK(verifyVerdict(first, second, request, wrong).discrepancy);
    }
  }
}

TEST_CASE("verdict sees a part inside a host whose mesh has faults") {
  // A ball in the middle of a host of 10 mm, whose triangles are given as files have them.
  const BodyPtr ball = bodyOf(icosphere(1, 2));
  const MeshPtr sound = sixSidedBox(10, 10, 10, 2);
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i < sound->triangleCount(); ++i)
    triangles.push_back(sound->triangle(TriangleId{i}));
  const auto turned = [](const Triangle& t) { return Triangle{{t.v[0], t.v[2], t.v[1]}}; };
  std::map<std::string, std::vector<Triangle>> hosts;
  hosts["sound"] = triangles;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    if (i != 5) hosts["one triangle is missing"].push_back(triangles[i]);
    hosts["some are reversed"].push_back(i % 3 == 0 ? turned(triangles[i]) : triangles[i]);
    hosts["all are there in both senses"].push_back(triangles[i]);
    hosts["all are there in both senses"].push_back(turned(triangles[i]));
    hosts["some are there twice"].push_back(triangles[i]);
    if (i % 4 == 0) hosts["some are there twice"].push_back(triangles[i]);
    Triangle moved = triangles[i];
    if (index(sound->surfaceOf(TriangleId{static_cast<std::uint32_t>(i)})) == 5)
      for (Vec3& p : moved.v) p.z += 3e-6;
    hosts["a seam is 3e-6 wide"].push_back(moved);
    if (i == 7) {
      const Vec3 middle = 0.5 * (triangles[i].v[0] + triangles[i].v[1]);
      hosts["an edge has a T-junction"].push_back({{triangles[i].v[0], middle, triangles[i].v[2]}});
      hosts["an edge has a T-junction"].push_back({{middle, triangles[i].v[1], triangles[i].v[2]}});
    } else {
      hosts["an edge has a T-junction"].push_back(triangles[i]);
    }
  }
  for (const auto& [name, host] : hosts) {
    INFO(name);
    const BodyPtr body = bodyOf(fromTriangles(name, host));
    CHECK(body->watertightness().closed() == (name != "one triangle is missing"));
    for (const bool swapped : {false, true}) {
      const PosedSolid a{body, {}}, b{ball, shift(0.5, 0, 0)};
      const VerdictReport report =
          swapped ? verdict(b, a, {.tolerance = 0.1}) : verdict(a, b, {.tolerance = 0.1});
      CHECK(report.verdict == Verdict::clash);
      CHECK(report.regions.at(0).contained);
      CHECK(*report.depth == Approx(5).margin(0.6));
      CHECK_FALSE(verifyVerdict(swapped ? b : a, swapped ? a : b, {.tolerance = 0.1}, report).discrepancy);
    }
    // Beside the host it is clear.
    CHECK(verdict({body, {}}, {ball, shift(7, 0, 0)}, {.tolerance = 0.1}).verdict == Verdict::clear);
  }
  // What stands in a cavity is clear, whichever way the cavity's shell points.
  for (const bool outward : {false, true}) {
    const MeshPtr shell = sixSidedBox(8, 8, 8);
    const BodyPtr hollow = bodyOf(joined({sixSidedBox(10, 10, 10), outward ? shell : insideOut(shell)}));
    CHECK(verdict({hollow, {}}, {ball, {}}, {.tolerance = 0.1}).verdict == Verdict::clear);
    CHECK(verdict({hollow, {}}, {ball, shift(3.5, 0, 0)}, {.tolerance = 0.1}).verdict == Verdict::clash);
  }
}

TEST_CASE("plates that pierce each other clash, however thin they are and at any tolerance") {
  for (const double thickness : {0.05, 0.1, 0.3, 1.0})
    for (const double t : {0.01, 0.049, 0.051, 0.2, 0.6, 3.0})
      for (const std::uint32_t cells : {1U, 7U})
        for (const double angle : {1.5707963267948966, 1.0, 0.5}) {
          INFO(thickness << " thick, t = " << t << ", " << cells << " cells, angle " << angle);
          const BodyPtr plate = bodyOf(sixSidedBox(20, 20, thickness, cells)),
                        other = bodyOf(sixSidedBox(16, 12, thickness, 2 * cells - 1));
          // Off the symmetry planes.
          const PosedSolid a{plate, {}},
              b{other, Transform::rigid(axisAngle({0.1, 1, 0.05}, angle), {0.13, 0.21, 0.017})};
          const VerdictReport report = verdict(a, b, {.tolerance = t});
          CHECK(report.verdict == Verdict::clash);
          CHECK(report.regions.at(0).pierced == (*report.depth <= t));
          CHECK(*report.depth + report.depthErrorBound >= std::min(t, 0.49 * thickness));
          CHECK_FALSE(verifyVerdict(a, b, {.tolerance = t}, report, {}, 200).discrepancy);
          CHECK(verdict(b, a, {.tolerance = t}).verdict == Verdict::clash);
        }
}

TEST_CASE("a thin part that is pressed into a thick one, or touches a thin one, is in contact") {
  const double t = 0.2;
  const BodyPtr foil = bodyOf(sixSidedBox(10, 10, 0.1, 3)), flange = bodyOf(sixSidedBox(30, 30, 20, 5));
  const auto judgeAt = [&](const BodyPtr& a, const BodyPtr& b, const Transform& at) {
    const VerdictReport report = verdict({a, {}}, {b, at}, {.tolerance = t});
    CHECK_FALSE(verifyVerdict({a, {}}, {b, at}, {.tolerance = t}, report, {}, 200).discrepancy);
    CHECK(verdict({b, at}, {a, {}}, {.tolerance = t}).verdict == report.verdict);
    return report.verdict;
  };
  const Transform upright = Transform::rigid(axisAngle({0, 1, 0}, 1.5707963267948966), {});
  for (const double deep : {0.0, 0.05, 0.1, 0.19}) {
    INFO(deep << " deep");
    CHECK(judgeAt(flange, foil, shift(0.3, 0.1, 10.05 - deep)) == Verdict::contact);         // flat on it
    CHECK(judgeAt(flange, foil, shift(0.3, 0.1, 15 - deep) * upright) == Verdict::contact);  // on its edge
  }
  CHECK(judgeAt(flange, foil, shift(0.3, 0.1, 15 - 0.25) * upright) == Verdict::clash);
  // Foils on each other, and side by side.
  CHECK(judgeAt(foil, foil, shift(1, 2, 0.1)) == Verdict::contact);
  CHECK(judgeAt(foil, foil, shift(1, 2, 0.07)) == Verdict::contact);
  CHECK(judgeAt(foil, foil, shift(1, 2, 0.04)) == Verdict::clash);
  CHECK(judgeAt(foil, foil, shift(10, 0, 0)) == Verdict::contact);
  // A bushing of 0.3 on a shaft that is 0.05 too thick: a press fit.
  const BodyPtr bushing = bodyOf(tube(5.3, 5, 10, 48)), shaft = bodyOf(cylinder(5.05, 30, 48));
  CHECK(judgeAt(shaft, bushing, {}) == Verdict::contact);
  // A pipe through a foil, and a needle through a foil.
  CHECK(judgeAt(foil, bodyOf(tube(2, 1.9, 6, 24)), shift(0.2, 0.3, 0)) == Verdict::clash);
  CHECK(judgeAt(foil, bodyOf(cylinder(0.1, 6, 12)), shift(0.2, 0.3, 0)) == Verdict::clash);
}

TEST_CASE("a contact says how deep the parts overlap, however they are meshed, turned and scaled") {
  const double t = 0.2;
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const std::uint32_t cells : {1U, 6U}) {
      const BodyPtr base = bodyOf(sixSidedBox(40, 30, 10, cells)),
                    block = bodyOf(sixSidedBox(10, 10, 10, cells));
      for (const double angle : {0.0, 0.4, 1.0, 2.2}) {
        // The lowest corner of the turned block is x below the top of the base.
        const Transform turned = Transform::rotation({1, 2, 0.5}, angle);
        double lowest = 0;
        for (const double u : {-5.0, 5.0})
          for (const double v : {-5.0, 5.0})
            for (const double w : {-5.0, 5.0}) lowest = std::min(lowest, turned.apply({u, v, w}).z);
        for (const double x : {0.0, 0.02, 0.1, 0.19}) {
          INFO(x << " deep, turned by " << angle << ", " << cells << " cells, scale " << scale);
          const Transform sized = Transform::scaling(scale, scale, scale);
          const PosedSolid a{base, sized}, b{block, sized * (shift(1, -2, 5 - lowest - x) * turned)};
          const VerdictRequest request{.tolerance = t * scale, .overlaps = true};
          const VerdictReport report = verdict(a, b, request);
          CHECK(report.verdict == Verdict::contact);
          if (x == 0 && report.distance != 0) continue;  // rounding left a gap
          REQUIRE(report.depth);
          const double slop = 1e-5 * scale;
          CHECK(*report.depth <= x * scale + slop);
          CHECK(*report.depth + report.depthErrorBound >= x * scale - slop);
          CHECK(report.depthErrorBound <= t * scale / 16);
          CHECK_FALSE(verifyVerdict(a, b, request, report, {}, 200).discrepancy);
          CHECK(verdict(b, a, request).depth == report.depth);
          if (x < 0.1) continue;
          VerdictReport wrong = report;  // a planted fault
          wrong.depth = x * scale / 2;
          wrong.depthErrorBound = 0;
          CHECK(verifyVerdict(a, b, request, wrong, {}, 200).discrepancy);
        }
      }
    }
  // A press fit: 0.05 too thick, less what the sides of the polygons are apart.
  const BodyPtr hub = bodyOf(tube(9, 5, 10, 48)), shaft = bodyOf(cylinder(5.05, 30, 48));
  const VerdictReport press = verdict({hub, {}}, {shaft, {}}, {.tolerance = t, .overlaps = true});
  CHECK(press.verdict == Verdict::contact);
  CHECK(*press.depth <= 0.05 + 1e-5);
  CHECK(*press.depth + press.depthErrorBound >= 0.0495);
  // Thin plates that are in each other by less than half overlap by that.
  for (const double thickness : {0.05, 0.2, 0.3}) {
    const BodyPtr foil = bodyOf(sixSidedBox(20, 20, thickness, 3));
    const VerdictRequest request{.tolerance = t, .overlaps = true};
    const VerdictReport both = verdict({foil, {}}, {foil, shift(0.1, 0.2, 0.7 * thickness)}, request);
    CHECK(both.verdict == Verdict::contact);
    REQUIRE(both.depth);
    CHECK(*both.depth <= 0.3 * thickness + 1e-6);
    CHECK(*both.depth + both.depthErrorBound >= 0.3 * thickness - 1e-6);
    CHECK(verdict({foil, {}}, {foil, shift(0, 0, thickness)}, request).depth == 0);
  }
  // A part that is not closed may overlap without showing it, and does not touch only.
  const BodyPtr bowl = bodyOf(boxWithoutFace()), block = bodyOf(sixSidedBox(4, 4, 4));
  const VerdictReport inBowl =
      verdict({bowl, {}}, {block, shift(6.9, 4.9, 0)}, {.tolerance = t, .overlaps = true});
  CHECK((inBowl.verdict == Verdict::undecided || !inBowl.depth || *inBowl.depth > 0));
  // On request only.
  CHECK_FALSE(verdict({hub, {}}, {shaft, {}}, {.tolerance = t}).depth);
}

TEST_CASE("a contact with a part that was closed over seams wider than the tolerance is undecided") {
  const double seam = 0.012;
  for (const double scale : {1.0, 50.0}) {
    const MeshPtr whole = sixSidedBox(10, 10, 10);
    std::vector<Triangle> moved;
    for (std::uint32_t i = 0; i < whole->triangleCount(); ++i) {
      Triangle triangle = whole->triangle(TriangleId{i});
      if (whole->surfaceOf(TriangleId{i}) == SurfaceId{1})
        for (Vec3& p : triangle.v) p.x += seam;
      moved.push_back(triangle);
    }
    const BodyPtr host = bodyOf(fromTriangles("host", moved)), block = bodyOf(sixSidedBox(10, 10, 10));
    REQUIRE(host->watertightness().closed());
    REQUIRE(host->repairs().joinedWithin == Approx(seam).epsilon(1e-3));
    const Transform sized = Transform::scaling(scale, scale, scale);
    const auto judgeAt = [&](double y, double t) {
      const PosedSolid a{host, sized}, b{block, sized * shift(0, y, 0)};
      const VerdictReport report = verdict(a, b, {.tolerance = t * scale});
      CHECK(verdict(b, a, {.tolerance = t * scale}).verdict == report.verdict);
      CHECK((report.verdict == Verdict::undecided) ==
            (report.undecidedBecause.find("'host'") != std::string::npos));
      return report.verdict;
    };
    CHECK(judgeAt(10, 0.011) == Verdict::undecided);
    CHECK(judgeAt(10, 0.013) == Verdict::contact);
    CHECK(judgeAt(9, 0.011) == Verdict::clash);
    CHECK(judgeAt(10.1, 0.011) == Verdict::clear);
  }
}

TEST_CASE("what depends on the inside of an open part is undecided, with the reason") {
  const BodyPtr open = bodyOf(boxWithoutFace()), ball = bodyOf(icosphere(0.5, 2));
  const auto judgeAt = [&](double x, bool swapped) {
    const PosedSolid a{open, {}}, b{ball, shift(x, 0, 0)};
    const VerdictReport report =
        swapped ? verdict(b, a, {.tolerance = 0.1}) : verdict(a, b, {.tolerance = 0.1});
    CHECK_FALSE(verifyVerdict(swapped ? b : a, swapped ? a : b, {.tolerance = 0.1}, report).discrepancy);
    return report;
  };
  for (const bool swapped : {false, true}) {
    const VerdictReport undecided = judgeAt(4, swapped);
    CHECK(undecided.verdict == Verdict::undecided);
    CHECK(undecided.status == ReportStatus::complete);
    CHECK(undecided.undecidedBecause ==
          "part 'bowl' is not closed, and the overlap may be deeper than the tolerance; closed meshes would "
          "decide it");
    // Far from the hole it is a clash, outside it is clear.
    CHECK(judgeAt(-3, swapped).verdict == Verdict::clash);
    CHECK(judgeAt(8, swapped).verdict == Verdict::clear);
    CHECK(judgeAt(-6, swapped).verdict == Verdict::clear);
  }
  CHECK(name(Verdict::undecided) == "undecided");
}

TEST_CASE("peg in hole, spheres and pipes by their clearance") {
  const std::uint32_t n = 64;
  const auto peg = [&](double hole) {
    return judge(tube(3, hole, 2, n), cylinder(1, 6, n), {}, 0.02).verdict;
  };
  CHECK(peg(1.05) == Verdict::clear);
  CHECK(peg(1.01) == Verdict::contact);
  CHECK(peg(1.0) == Verdict::contact);
  CHECK(peg(0.99) == Verdict::contact);
  CHECK(peg(0.95) == Verdict::clash);
  // Unit spheres, whose polyhedra lie up to 0.02 within: touching at 2, they are at most 0.04 apart.
  const auto spheres = [&](double d) {
    return judge(icosphere(1, 2), icosphere(1, 2), shift(0.6 * d, 0.64 * d, 0.48 * d), 0.05).verdict;
  };
  CHECK(spheres(2.2) == Verdict::clear);
  CHECK(spheres(2) == Verdict::contact);
  CHECK(spheres(1.8) == Verdict::clash);
  CHECK(spheres(0.4) == Verdict::clash);
  const auto pipes = [&](double outer) {
    return judge(tube(2, 1.5, 5, n), tube(outer, 1, 5, n), shift(0, 0, 1), 0.02).verdict;
  };
  CHECK(pipes(1.45) == Verdict::clear);
  CHECK(pipes(1.5) == Verdict::contact);
  CHECK(pipes(1.55) == Verdict::clash);
}

TEST_CASE("the tolerance comes from the tessellation, and must be given where that is not known") {
  const BodyPtr fine = bodyOf(withDeflection(sixSidedBox(2, 2, 2), 0.01)),
                coarse = bodyOf(withDeflection(sixSidedBox(2, 2, 2), 0.05)),
                unknown = bodyOf(sixSidedBox(2, 2, 2));
  const PosedSolid a{fine, {}}, b{coarse, shift(1.95, 0, 0)}, c{unknown, shift(1.95, 0, 0)};
  CHECK(defaultTolerance(a, b) == Approx(0.1));
  CHECK(verdict(a, b).tolerance == Approx(0.1));
  CHECK(verdict(a, b).verdict == Verdict::contact);
  CHECK_THROWS_WITH(verdict(a, c), Catch::Contains("six-sided box") && Catch::Contains("--tolerance"));
  CHECK_THROWS_AS(verdict(a, c), InputError);
  CHECK(verdict(a, c, {.tolerance = 0.01}).verdict == Verdict::clash);
  CHECK_THROWS_AS(verdict(a, b, {.tolerance = -1.0}), InputError);
  // Never finer than the coordinates: far away, placements are rounded.
  const Transform far = shift(1e12, 0, 0);
  const PosedSolid farA{fine, far}, farB{coarse, far * shift(2, 0, 0)};
  CHECK(coordinateRounding(farA, farB) > 1e-5);
  CHECK(verdict(farA, farB, {.tolerance = 0.0}).tolerance == coordinateRounding(farA, farB));
}

TEST_CASE("exchanging the bodies exchanges the verdict") {
  const BodyPtr a = bodyOf(lShape(3, 1)), b = bodyOf(tube(1, 0.5, 2, 12));
  for (const double z : {0.3, 1.0, 2.0, 2.5}) {
    const PosedSolid first{a, {}}, second{b, Transform::rigid(axisAngle({1, 1, 0}, 0.4), {1, 1, z})};
    const VerdictReport there = verdict(first, second, {.tolerance = 0.05}),
                        back = verdict(second, first, {.tolerance = 0.05});
    CHECK(there.verdict == back.verdict);
    CHECK(there.depth == back.depth);
    CHECK(there.distance == back.distance);
    CHECK(there.regions.size() == back.regions.size());
  }
}

TEST_CASE("regions and their order do not depend on the order of the bodies") {
  const MeshPtr pegs =
      joined({box(2, 2, 10), transformed(box(2, 2, 10), Transform::translation({40, 0, 0}))});
  const MeshPtr blocks =
      joined({box(12, 12, 12), transformed(box(12, 12, 12), Transform::translation({40, 0, 0}))});
  const BodyPtr a = bodyOf(pegs), b = bodyOf(blocks);
  const PosedSolid first{a, shift(0, 0, 6)}, second{b, {}};
  const VerdictReport there = verdict(first, second, {.tolerance = 0.1, .regions = true}),
                      back = verdict(second, first, {.tolerance = 0.1, .regions = true});
  REQUIRE(there.regions.size() == 2);
  REQUIRE(back.regions.size() == 2);
  CHECK(there.point == back.point);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(there.regions[i].point == back.regions[i].point);
    CHECK(there.regions[i].pointOfFirst != back.regions[i].pointOfFirst);
  }
}

TEST_CASE("a time budget that no clock reaches is none") {
  const BodyPtr cube = bodyOf(box(10, 10, 10));
  VerdictRequest request{.tolerance = 0.1};
  request.limits.timeBudget = std::chrono::nanoseconds::max();
  const VerdictReport report = verdict({cube, {}}, {cube, shift(5, 1, 1)}, request);
  CHECK(report.status == ReportStatus::complete);
  CHECK(report.verdict == Verdict::clash);
}

TEST_CASE("what a verdict that ran out of time says is true") {
  const MeshPtr a = withDeflection(icosphere(1, 4), 0.01), b = withDeflection(icosphere(1, 4), 0.01);
  const BodyPtr first = bodyOf(a), second = bodyOf(b);
  std::size_t cut = 0;
  for (const double x : {0.7, 1.995, 2.005, 2.5}) {
    const PosedSolid one{first, {}}, two{second, shift(x, 0.1, 0.05)};
    const VerdictReport whole = verdict(one, two, {.tolerance = 0.02});
    REQUIRE(whole.status == ReportStatus::complete);
    for (std::chrono::nanoseconds budget{0}; budget < std::chrono::milliseconds(50);
         budget = 3 * budget + std::chrono::microseconds(1)) {
      VerdictRequest request{.tolerance = 0.02};
      request.limits.timeBudget = budget;
      const VerdictReport report = verdict(one, two, request);
      INFO(x << ", " << budget.count() << " ns");
      if (report.status == ReportStatus::complete) {
        CHECK(report.verdict == whole.verdict);
        continue;
      }
      ++cut;
      CHECK(report.status == ReportStatus::truncated);
      if (report.verdict == Verdict::clash) CHECK(whole.verdict == Verdict::clash);
      CHECK(report.depthErrorBound <= 2 * norm(a->bounds().halfExtent()));
      for (const PenetrationRegion& region : report.regions) CHECK(std::isfinite(region.errorBound));
      if (report.depth) CHECK(*report.depth <= whole.depth.value_or(0) + whole.depthErrorBound + 1e-9);
      if (report.distance) CHECK(*report.distance >= whole.distance.value_or(0.02));
    }
  }
  CHECK(cut > 4);  // at least those that had no time at all
}

TEST_CASE(
    "verdicts of an assembly: clash, contact without intersection, containment, clear pairs on request") {
  Assembly assembly("stack");
  const PartId block = assembly.addPart(withDeflection(sixSidedBox(2, 2, 2), 0.05));
  const PartId seed = assembly.addPart(withDeflection(icosphere(0.3, 1), 0.05));
  assembly.addNode("base", {}, {}, block);
  assembly.addNode("on top", shift(0, 0, 2.05), {}, block);  // 0.05 above: contact at 0.1
  assembly.addNode("into", shift(1.5, 0, 0), {}, block);     // 0.5 deep
  assembly.addNode("seed", {}, {}, seed);                    // inside the base
  assembly.addNode("beside", shift(0, 2.15, 0), {}, block);  // 0.15 off: boxes meet, clear
  assembly.addNode("far", shift(50, 0, 0), {}, block);
  const CollisionModels models = buildCollisionModels(assembly);
  InterferenceOptions options;
  options.verdict = VerdictOptions{};
  const auto verdictOf = [&](const InterferenceReport& report, const char* a,
                             const char* b) -> std::optional<Verdict> {
    for (const PairInterference& p : report.pairs)
      if (p.a == assembly.at(a) && p.b == assembly.at(b)) return p.assessment().verdict;
    return std::nullopt;
  };
  for (const unsigned threads : {1U, 2U}) {
    options.threads = threads;
    const InterferenceReport report = checkAllPairs(Scene(assembly, models), {}, options);
    CHECK(report.status == ReportStatus::complete);
    CHECK(verdictOf(report, "base", "on top") == Verdict::contact);
    CHECK(verdictOf(report, "base", "into") == Verdict::clash);
    CHECK(verdictOf(report, "base", "seed") == Verdict::clash);
    CHECK(verdictOf(report, "base", "beside") == std::nullopt);
    CHECK(report.count(Verdict::clash) == 2);
    for (const PairInterference& p : report.pairs)
      if (p.is(Verdict::clash)) {
        CHECK(p.verdict->depth.has_value());
        CHECK(p.verdict->point.has_value());
        CHECK(p.verdict->direction.has_value());
        CHECK_FALSE(p.verdict->depthIsLowerBound);
        CHECK(p.verdict->tolerance == Approx(0.1));
      }
  }
  options.verdict->clearPairs = true;
  const InterferenceReport withClear = checkAllPairs(Scene(assembly, models), {}, options);
  CHECK(verdictOf(withClear, "base", "beside") == Verdict::clear);
  CHECK(verdictOf(withClear, "base", "far") == std::nullopt);
  options.request.limits.maxPairs = 3;
  CHECK_THROWS_AS(checkAllPairs(Scene(assembly, models), {}, options), InputError);
}

}  // namespace verdict_tests
