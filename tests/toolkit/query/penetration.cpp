#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stop_token>

#include <fitup/base/error.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/query/penetration.h>

#include <models/crossed_rods.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace penetration_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Shapes, made at unit size, at scales and places that must not change the depth.
struct Setting {
  double scale;
  Transform world;  ///< placement of both
};
std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const double scale : {0.001, 1.0, 1000.0}) {
    all.push_back({scale, {}});
    all.push_back(
        {scale, Transform::rigid(axisAngle({1, 2, 3}, 0.7), {5e4 * scale, -3e4 * scale, 2e4 * scale})});
  }
  return all;
}
MeshPtr scaled(const MeshPtr& mesh, double s) { return transformed(mesh, Transform::scaling(s, s, s)); }

struct Case {
  MeshPtr a, b;
  Transform bAt;        ///< placement of b, at unit size
  double depth;         ///< at unit size
  double tessellation;  ///< by how much chord errors may change it, at unit size
};

PenetrationReport check(const Case& c, const Setting& s, std::uint32_t cuts = 0) {
  const BodyPtr a = bodyOf(subdivided(scaled(c.a, s.scale), cuts)),
                b = bodyOf(subdivided(scaled(c.b, s.scale), cuts));
  Transform bAt = c.bAt;
  bAt.t = bAt.t * s.scale;
  PenetrationRequest request;
  request.deeperThan = 1e-4 * s.scale;
  request.accuracy = 1e-3 * s.scale;
  const PosedSolid first{a, s.world}, second{b, s.world * bAt};
  const PenetrationReport report = penetration(first, second, request);
  REQUIRE(report.status == ReportStatus::complete);
  CHECK_FALSE(report.isLowerBound);
  const double slack = (c.tessellation + 1e-5) * s.scale;
  CHECK(report.depth() <= c.depth * s.scale + slack);
  if (!report.regions.empty()) {
    CHECK(report.regions.front().errorBound <= 1.001e-3 * s.scale);
    CHECK(report.depth() + report.regions.front().errorBound >= c.depth * s.scale - slack);
    CHECK(norm(report.regions.front().direction) == Approx(1));
  } else {
    CHECK(c.depth == 0);
  }
  // Exchanged arguments, exchanged report.
  const PenetrationReport back = penetration(second, first, request);
  REQUIRE(back.regions.size() == report.regions.size());
  for (std::size_t i = 0; i < back.regions.size(); ++i) {
    CHECK(back.regions[i].depth == report.regions[i].depth);
    CHECK(back.regions[i].point == report.regions[i].point);
    CHECK(back.regions[i].pointOfFirst != report.regions[i].pointOfFirst);
    CHECK(back.regions[i].surfacePairs.size() == report.regions[i].surfacePairs.size());
  }
  return report;
}

PenetrationReport overlap(const MeshPtr& a, const MeshPtr& b, const Transform& bAt = {},
                          const PenetrationRequest& request = {}) {
  const BodyPtr bodyA = bodyOf(a), bodyB = bodyOf(b);
  return penetration({bodyA, {}}, {bodyB, bAt}, request);
}

}  // namespace

TEST_CASE("depth of analytic cases, at all scales, far from the origin, coarse and subdivided") {
  const auto round = [](double r, std::uint32_t n) { return sagitta(r, n); };
  const std::uint32_t n = 48;
  // Two boxes of side 2, one shifted: the face x = 1 of the first lies 0.5 behind the face x = 0.5 of the
  // second, and farther from its other faces over a part of it. Depth 0.5.
  const Case boxes{sixSidedBox(2, 2, 2), sixSidedBox(2, 2, 2), shift(1.5, 0.2, 0.1), 0.5, 0};
  // A box of side 1 inside one of side 4, shifted by 1: of its points, the middle of its face x = 0.5 lies
  // farthest inside: 1.5 from the face x = 2, 2 from the sides.
  const Case contained{sixSidedBox(4, 4, 4), box(1, 1, 1), shift(1, 0, 0), 1.5, 0};
  // Unit spheres at distance d: the point of one nearest to the other's centre lies at |d - 1| from it, so 1
  // - |d - 1| deep. Polyhedra lie within the spheres by the sagitta of their edges (about 0.27 / 2^level for
  // level 2).
  const double ball = 1 - std::cos(0.5 * 2 * std::asin(0.5465 / 4));
  const Case spheres{icosphere(1, 2), icosphere(1, 2), shift(0.9, -0.8, 0.9 * std::sqrt(0.8 / 0.81)), 0.5,
                     4 * ball};
  // Nearer than the radius, each encloses the other's centre: 1 deep.
  const Case deepSpheres{icosphere(1, 2), icosphere(1, 2), shift(0.3, 0.4, 0), 1, 4 * ball};
  // A peg of radius 1 in a hole of radius 0.95 in a plate of height 1: the peg's side lies 0.05 behind the
  // bore all around. Same angles, so that the sagitta counts once.
  const Case press{tube(3, 0.95, 1, n), cylinder(1, 4, n), {}, 0.05, round(1, n)};
  // The same peg in a hole of radius 1.05.
  const Case clearance{tube(3, 1.05, 1, n), cylinder(1, 4, n), {}, 0, 0};
  // Plates 4 x 4 x 0.2 that overlap by 0.05 in their thickness.
  const Case plates{sixSidedBox(4, 4, 0.2), sixSidedBox(4, 4, 0.2), shift(0.5, 0.3, 0.15), 0.05, 0};
  // Square bars of side 1 and 0.6 that cross at right angles through each other's middle. In the overlap, the
  // thin bar's sides z = +-0.3 lie 0.2 behind the thick one's (|z| = 0.5), but their points are also 0.5 from
  // its sides |y| = 0.5 where y = 0: depth min(0.5 - 0.3, 0.5) = 0.2. Its sides |x| = 0.3 have z = 0, y = 0
  // in the middle: 0.5 deep. The thick bar's side y = 0.5 inside the thin one: at most 0.3. So the depth is
  // 0.5.
  const Case bars{sixSidedBox(6, 1, 1), sixSidedBox(0.6, 6, 0.6), {}, 0.5, 0};
  // Coaxial pipes: outer 2 / 1.4 and 1.5 / 1: the inner one's outside lies 0.1 behind the outer one's bore;
  // the walls are 0.6 and 0.5 thick, and the bore (1.4) of the outer one is 0.1 behind the outside of the
  // inner.
  const Case pipes{tube(2, 1.4, 5, n), tube(1.5, 1, 5, n), shift(0, 0, 1), 0.1, round(1.5, n)};

  for (const Case& c : {boxes, contained, spheres, deepSpheres, press, clearance, plates, bars, pipes}) {
    INFO(c.a->name() << " and " << c.b->name() << ", depth " << c.depth);
    for (const Setting& s : settings()) check(c, s);
    check(c, {1, {}}, 1);
  }
}

TEST_CASE("screw in nut: the crests reach as deep as the radii overlap, with clearance nothing does") {
  Thread nut, screw;
  nut.segments = screw.segments = 32;
  nut.length = 4;
  screw.length = 8;
  nut.rowsPerPitch = screw.rowsPerPitch = 8;
  // The rod's radius is larger by e everywhere. Its flanks lie e / sqrt(1 + slope^2) behind those of the
  // ring, but its crest lies e behind the bottom of the ring's groove, whose edge is the nearest part of the
  // surface: depth e.
  for (const double excess : {0.12, -0.12}) {
    screw.mean = nut.mean + excess;
    const PenetrationReport report =
        overlap(threadedRing(nut, 8), threadedRod(screw), {}, {.deeperThan = 0.01});
    if (excess < 0) {
      CHECK(report.regions.empty());
      continue;
    }
    // One helix of overlap. Facets of 1/32 turn have a sagitta of 0.0048 r = 0.026, shared by both.
    REQUIRE(report.regions.size() == 1);
    CHECK(report.depth() == Approx(excess).margin(0.03));
  }
}

TEST_CASE("depth, point and direction do not change under subdivision of one mesh or both") {
  Random random(31);
  for (int i = 0; i < 12; ++i) {
    const MeshPtr a = i % 2 == 0 ? lShape(3, 1) : tetrahedron(2),
                  b = i % 3 == 0 ? tube(1, 0.4, 2, 7) : box(1, 1.4, 2);
    const Transform at = randomPlacement(PlacementClass::rigid, random, 0.6);
    PenetrationRequest request;
    request.accuracy = 1e-3;
    const PenetrationReport coarse = overlap(a, b, at, request);
    for (const auto& [cutsA, cutsB] : {std::pair{2U, 0U}, std::pair{0U, 2U}, std::pair{1U, 1U}}) {
      const PenetrationReport fine = overlap(subdivided(a, cutsA), subdivided(b, cutsB), at, request);
      INFO("case " << i << ", cuts " << cutsA << " and " << cutsB);
      CHECK(std::abs(fine.depth() - coarse.depth()) <= 1e-3 + 1e-6);
      CHECK(fine.regions.size() == coarse.regions.size());
    }
  }
}

TEST_CASE("depth agrees with dense samples of both surfaces and of the inside") {
  Random random(77);
  int overlapping = 0;
  for (int i = 0; i < 8; ++i) {
    const MeshPtr a = i % 2 == 0 ? uvSphere(1, 10, 6, 2) : lShape(2, 1),
                  b = i % 3 == 0 ? insideOut(box(1, 1, 3)) : tube(1, 0.5, 1, 8);
    const PlacementClass kind = i % 4 == 3 ? PlacementClass::mirrored : PlacementClass::rigid;
    const Transform at = randomPlacement(kind, random, 0.8);
    const BodyPtr bodyA = bodyOf(a), bodyB = bodyOf(b);
    PenetrationRequest request;
    request.accuracy = 1e-3;
    const PenetrationReport report = penetration({bodyA, {}}, {bodyB, at}, request);
    // Samples surface points of one part on a grid in each triangle: inside by winding number, distance by
    // all triangles.
    double sampled = 0;
    const auto sample = [&](const SolidModel& of, const Transform& otherFromOf, const SolidModel& other) {
      constexpr int cells = 8;
      for (std::uint32_t t = 0; t < of.mesh().triangleCount(); ++t) {
        const Triangle tri = of.mesh().triangle(TriangleId{t});
        for (int u = 0; u <= cells; ++u)
          for (int v = 0; u + v <= cells; ++v) {
            const Vec3 p = otherFromOf.apply(of.mesh().origin() + tri.v[0] +
                                             (tri.v[1] - tri.v[0]) * (double(u) / cells) +
                                             (tri.v[2] - tri.v[0]) * (double(v) / cells)) -
                           other.mesh().origin();
            if (windingNumber(other.mesh(), other.watertightness(), p) < 0.5) continue;
            double least = 1e300;
            for (std::uint32_t o = 0; o < other.mesh().triangleCount(); ++o)
              least =
                  std::min(least, distancePointTriangle(p, other.mesh().triangle(TriangleId{o})).distance);
            sampled = std::max(sampled, least);
          }
      }
    };
    sample(*bodyA, at.inverse(), *bodyB);
    sample(*bodyB, at, *bodyA);
    // And points inside both, on a lattice.
    const Transform toB = at.inverse();
    for (double x = -1.95; x < 2; x += 0.3)
      for (double y = -1.95; y < 2; y += 0.3)
        for (double z = -1.95; z < 2; z += 0.3) {
          const Vec3 inA = Vec3{x, y, z} - bodyA->mesh().origin(),
                     inB = toB.apply({x, y, z}) - bodyB->mesh().origin();
          if (windingNumber(bodyA->mesh(), bodyA->watertightness(), inA) < 0.5) continue;
          if (windingNumber(bodyB->mesh(), bodyB->watertightness(), inB) < 0.5) continue;
          sampled = std::max({sampled, PointQuery(bodyA->model()).closest(inA)->distance,
                              PointQuery(bodyB->model()).closest(inB)->distance});
        }
    INFO("case " << i << ": sampled " << sampled << ", found " << report.depth());
    overlapping += sampled > 0;
    CHECK(report.depth() + 1e-3 + 1e-6 >= sampled);
    // Cells are at most 3 / 8 wide; the nearest sample is at most half a cell's diagonal away.
    CHECK(report.depth() <= sampled + 0.27);
    if (!report.regions.empty()) {
      // The deepest point has the reported properties.
      const PenetrationRegion& r = report.regions.front();
      const PosedSolid inside = r.pointOfFirst ? PosedSolid{bodyB, at} : PosedSolid{bodyA, {}};
      const Vec3 p = inside.worldFromPart.inverse().apply(r.point) - inside.solid->mesh().origin();
      CHECK(windingNumber(inside.solid->mesh(), inside.solid->watertightness(), p) > 0.5);
      PointQuery query(inside.solid->model());
      CHECK(query.closest(p)->distance == Approx(r.depth).margin(1e-9));
      // Along the direction, the surface is reached after the depth.
      const Vec3 q = inside.worldFromPart.inverse().apply(r.point + r.direction * r.depth) -
                     inside.solid->mesh().origin();
      CHECK(query.closest(q)->distance < 1e-6);
    }
  }
  CHECK(overlapping >= 5);
}

TEST_CASE("regions: two pegs through one large triangle are two, each with its depth and surfaces") {
  // The plate is one box of two triangles per face; the pegs are in the same triangles. Of the plate's face z
  // = 0.5, the middle of the thick peg lies 0.8 behind its sides (half its width), that of the thin one 0.2;
  // the sides of either lie 0.5 behind the plate's faces (half its thickness).
  const MeshPtr plate = sixSidedBox(10, 10, 1);
  const MeshPtr pegs = joined({transformed(sixSidedBox(1.6, 1.6, 4), shift(-3, 1, 0)),
                               transformed(sixSidedBox(0.4, 0.4, 4), shift(-1, 3, 0))});
  const PenetrationReport report = overlap(plate, pegs, {}, {.accuracy = 1e-3});
  REQUIRE(report.regions.size() == 2);
  CHECK(report.regions[0].depth == Approx(0.8).margin(2e-3));
  CHECK(report.regions[1].depth == Approx(0.5).margin(2e-3));
  for (const PenetrationRegion& r : report.regions) {
    CHECK_FALSE(r.contained);
    CHECK(r.surfacePairs.size() == 8);  // two faces of the plate, four sides of a peg
  }
  CHECK(index(report.regions[0].surfacePairs[0].b) / 6 != index(report.regions[1].surfacePairs[0].b) / 6);

  // Three spheres dipped into the plate to different depths.
  std::vector<MeshPtr> dipped;
  for (int i = 0; i < 3; ++i)
    dipped.push_back(
        transformed(icosphere(0.8, 2), shift(3.0 * (i - 1), 0.4 * i, 0.5 + 0.8 - 0.1 * (i + 1))));
  const PenetrationReport dips = overlap(plate, joined(dipped), {}, {.accuracy = 1e-3});
  REQUIRE(dips.regions.size() == 3);
  // Polyhedra lie within their spheres by up to 0.8 * 0.02.
  for (int i = 0; i < 3; ++i)
    CHECK(dips.regions[static_cast<std::size_t>(i)].depth == Approx(0.1 * (3 - i)).margin(0.02));
}

TEST_CASE("regions: one component inside, one crossing, one in a cavity") {
  // A hollow box of side 4 with a cavity of side 2: a small box in the wall is contained, one in the cavity
  // is not.
  const MeshPtr hollow = joined({sixSidedBox(4, 4, 4), insideOut(sixSidedBox(2, 2, 2))});
  const PenetrationReport inWall = overlap(hollow, box(0.2, 0.2, 0.2), shift(1.5, 0, 0), {.accuracy = 1e-4});
  REQUIRE(inWall.regions.size() == 1);
  CHECK(inWall.regions[0].contained);
  CHECK(inWall.regions[0].surfacePairs.empty());
  // Its faces x = 1.4 and x = 1.6 are 0.4 from the near wall, the sides between up to 0.5.
  CHECK(inWall.depth() == Approx(0.5).margin(1e-3));
  CHECK(overlap(hollow, box(0.2, 0.2, 0.2)).regions.empty());
  CHECK(overlap(hollow, box(0.2, 0.2, 0.2), shift(9, 0, 0)).regions.empty());
  // The hollow one inside a larger box: both of its components are regions, and the cavity's walls are the
  // deeper one.
  const PenetrationReport both = overlap(sixSidedBox(6, 6, 6), hollow, {}, {.accuracy = 1e-3});
  REQUIRE(both.regions.size() == 2);
  CHECK(both.regions[0].depth == Approx(2).margin(2e-3));
  CHECK(both.regions[1].depth == Approx(1).margin(2e-3));
}

TEST_CASE("touching and mated surfaces have no depth") {
  CHECK(overlap(sixSidedBox(2, 2, 2), sixSidedBox(2, 2, 2), shift(2, 0.5, 0.25)).depth() <= 1e-12);
  CHECK(overlap(sixSidedBox(2, 2, 2, 3), sixSidedBox(2, 2, 2, 2), shift(2, 2, 2)).depth() <= 1e-12);
  CHECK(overlap(tube(3, 1, 1, 16), cylinder(1, 4, 16), {}, {.deeperThan = 1e-6}).regions.empty());
  // A turned peg of the same radius: facets overlap by at most the sagitta.
  const Transform turned = Transform::rotation({0, 0, 1}, std::numbers::pi / 16);
  const double chord = sagitta(1, 16);
  const PenetrationReport report = overlap(tube(3, 1, 1, 16), cylinder(1, 4, 16), turned, {.accuracy = 1e-4});
  CHECK(report.depth() <= chord + 1e-6);
  CHECK(report.depth() > 0.5 * chord);
  CHECK(overlap(tube(3, 1, 1, 16), cylinder(1, 4, 16), turned, {.deeperThan = 1.02 * chord}).regions.empty());
}

TEST_CASE("boxes on a lattice, that touch, share planes, edges and corners: the depth of points in halves") {
  // Inside a box, the distance to its surface is the least of those to its six planes. In a box with whole
  // coordinates, the largest distance is where up to three of them are equal: at halves.
  const auto deepest = [](const Box& of, const Box& in) {
    double deepest = 0;
    Vec3 low, high, p;
    for (int k = 0; k < 3; ++k) {
      low[k] = std::max(of.min[k], in.min[k]);
      high[k] = std::min(of.max[k], in.max[k]);
    }
    for (p.x = low.x; p.x <= high.x; p.x += 0.5)
      for (p.y = low.y; p.y <= high.y; p.y += 0.5)
        for (p.z = low.z; p.z <= high.z; p.z += 0.5) {
          double least = 1e300;
          for (int k = 0; k < 3; ++k) least = std::min({least, p[k] - in.min[k], in.max[k] - p[k]});
          deepest = std::max(deepest, least);
        }
    return deepest;
  };
  Random random(41);
  int deep = 0;
  for (int i = 0; i < 150; ++i) {
    const Vec3 a{2.0 * random.integer(1, 3), 2.0 * random.integer(1, 3), 2.0 * random.integer(1, 3)},
        b{2.0 * random.integer(1, 3), 2.0 * random.integer(1, 3), 2.0 * random.integer(1, 3)};
    const Vec3 at{double(random.integer(-4, 4)), double(random.integer(-4, 4)),
                  double(random.integer(-4, 4))};
    const Box inA{a * -0.5, a * 0.5}, inB{at - b * 0.5, at + b * 0.5};
    const double expected = std::max(deepest(inA, inB), deepest(inB, inA));
    const auto cuts = static_cast<std::uint32_t>(i % 3);
    const PenetrationReport report =
        overlap(subdivided(sixSidedBox(a.x, a.y, a.z), cuts), sixSidedBox(b.x, b.y, b.z, 1 + cuts),
                shift(at.x, at.y, at.z), {.deeperThan = 0.01, .accuracy = 1e-3});
    INFO("case " << i << ": expected " << expected << ", found " << report.depth());
    CHECK(report.status == ReportStatus::complete);
    CHECK(report.depth() <= expected + 1e-6);
    CHECK(report.depth() >= expected - 1.001e-3);
    deep += expected > 0;
  }
  CHECK(deep > 50);
}

TEST_CASE("a ridge of the depth is found by few pieces, whatever the accuracy") {
  // A square bar along x, turned by an angle t, whose middle lies 0.3 above that of a plate of 0.02. On the
  // plate's upper side, 0.29 below the bar's axis, the points at equal distance from two of the bar's sides
  // are deepest, all along the bar: 0.5 - 0.29 / (cos t + sin t).
  const double t = 0.9 * std::numbers::pi / 4;
  const double depth = 0.5 - 0.29 / (std::cos(t) + std::sin(t));
  const Transform turned = Transform::rigid(axisAngle({1, 0, 0}, t), {0.1, 0.2, 0.3});
  const BodyPtr bar = bodyOf(sixSidedBox(40, 1, 1)), plate = bodyOf(sixSidedBox(100, 100, 0.02));
  std::vector<std::size_t> pieces;
  for (const double accuracy : {1e-2, 1e-6}) {
    const PenetrationReport report =
        penetration({bar, turned}, {plate, {}}, {.deeperThan = 0.01, .accuracy = accuracy});
    REQUIRE(report.regions.size() == 1);
    CHECK(report.depth() <= depth + 1e-6);
    CHECK(report.depth() >= depth - accuracy - 1e-6);
    pieces.push_back(report.pieces);
  }
  CHECK(pieces[0] < 2'000);
  CHECK(pieces[1] < 5 * pieces[0]);  // the length over the accuracy is ten thousand times as much
}

TEST_CASE("regions along facets are separated by few pieces") {
  // A peg and a hole of 24 sides each, of one radius, the peg turned by a fifth of a side: its edges protrude
  // from the hole's facets in 24 strips over the plate's height, all equally deep.
  constexpr std::uint32_t sides = 24;
  const double side = 2 * std::numbers::pi / sides;
  const double depth = std::cos(0.3 * side) - std::cos(0.5 * side);
  const PenetrationReport report =
      overlap(tube(3, 1, 4, sides), cylinder(1, 10, sides), Transform::rotation({0, 0, 1}, 0.2 * side),
              {.deeperThan = 0.1 * depth});
  CHECK(report.status == ReportStatus::complete);
  REQUIRE(report.regions.size() == sides);
  for (const PenetrationRegion& r : report.regions) {
    CHECK(r.depth <= depth + 1e-6);
    CHECK(r.depth + r.errorBound >= depth - 1e-6);
  }
  CHECK(report.pieces < 20'000);  // pieces as small as the depth would be some hundred thousand
}

TEST_CASE("a corner at which triangles of two regions meet is counted for one") {
  // Four corners of a prism of six sides are deep enough in the wall of a pipe of five sides.
  const PenetrationReport report =
      overlap(cylinder(1, 1, 6), tube(2, 1, 2, 5),
              shift(0.0055, 0.0015, -1) * Transform::rotation({0, 0, 1}, 0.169454), {.deeperThan = 0.1});
  CHECK(report.regions.size() == 4);
  for (std::size_t i = 1; i < report.regions.size(); ++i)
    CHECK(norm(report.regions[i].point - report.regions[i - 1].point) > 0.5);
}

TEST_CASE(
    "many pegs through one large triangle, of which one touches its edge, are distinguished by few pieces") {
  // A peg's corner is on the diagonal of the plate's faces. Pegs of sixteen sides are 0.3 cos(pi / 16) deep
  // to their sides, and the plate's faces are 0.2 apart.
  std::vector<MeshPtr> pegs;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      pegs.push_back(transformed(cylinder(0.3, 1, 16), shift(i - 2 + 0.01 * j, j - 2, 0.45)));
  const PenetrationReport report = overlap(joined(pegs), sixSidedBox(10, 10, 0.2), {}, {.deeperThan = 1e-3});
  CHECK(report.status == ReportStatus::complete);
  CHECK(report.regions.size() == 25);
  // Ends 0.05 below the plate's middle, which is 0.1 from its upper side: 0.15 deep.
  CHECK(report.depth() == Approx(0.15).margin(1e-3));
  CHECK(report.pieces < 60'000);
}

TEST_CASE("long rods that cross many others take few pieces, and a limit of those widens the bound") {
  // Ten rods cross the triangles of each face.
  const Assembly racks = models::makeCrossedRods({.rods = 10});
  std::vector<MeshPtr> meshes;
  for (const NodeId instance : racks.instances())
    meshes.push_back(transformed(racks.sharedPart(racks.partOf(instance)), racks.worldFromNode(instance)));
  const PenetrationReport report = overlap(meshes[0], meshes[1], {}, {.deeperThan = 0.01});
  CHECK(report.status == ReportStatus::complete);
  CHECK(report.regions.size() == 100);
  CHECK(report.depth() <= 5);  // half a rod
  CHECK(report.depth() + report.regions[0].errorBound >= 5);
  CHECK(report.pieces < 30'000);
  const PenetrationReport few = overlap(meshes[0], meshes[1], {}, {.deeperThan = 0.01, .maxPieces = 300});
  REQUIRE(!few.regions.empty());
  CHECK(few.depth() <= 5);
  CHECK(few.depth() + few.regions[0].errorBound >= 5);
  CHECK(few.regions[0].errorBound > report.regions[0].errorBound);
  // Also for regions that were searched no further.
  for (const PenetrationRegion& r : few.regions)
    CHECK(few.depth() + few.regions[0].errorBound >= r.depth + r.errorBound);
}

TEST_CASE("the depth of a needle that is as thin as rounding is found beside ordinary parts") {
  // A tip, 1 long, through a slab that begins 0.02 from it and is 0.02 thick: 0.01 deep. The loose peg in its
  // hole takes more pieces than are examined before surfaces are cut where they meet.
  for (const double width : {1e-8, 2e-10, 1e-10, 5e-11}) {
    INFO("width " << width);
    TriangleMeshBuilder builder("needle");
    builder.beginSurface("all");
    const std::uint32_t tip = builder.addPoint({0, 0, 0}), a = builder.addPoint({1, width, -width}),
                        b = builder.addPoint({1, -width, -width}), c = builder.addPoint({1, 0, width});
    builder.addTriangle(tip, b, a);
    builder.addTriangle(tip, a, c);
    builder.addTriangle(tip, c, b);
    builder.addTriangle(a, b, c);
    const MeshPtr needle = std::make_shared<TriangleMesh>(builder.build());
    const MeshPtr part = joined({needle, transformed(subdivided(cylinder(0.99, 4, 96), 1), shift(-8, 0, 0))});
    const MeshPtr other = joined({transformed(tube(3, 1, 1, 96), shift(-8, 0, 0)),
                                  transformed(sixSidedBox(0.02, 2, 2), shift(0.03, 0, 0))});
    const PenetrationReport report = overlap(part, other, {}, {.deeperThan = 1e-3});
    REQUIRE(report.regions.size() == 1);
    CHECK(report.depth() <= 0.01 + 1e-6);
    CHECK(report.depth() + report.regions[0].errorBound >= 0.01 - 1e-6);
  }
}

TEST_CASE("a time budget ends a search while surfaces are being cut where they meet") {
  // Two finely meshed boxes that share a face: the intersection has many thousand stretches. They lie along
  // no axis, so that the boxes around them say nothing.
  const Transform turn = Transform::rotation({1, 2, 3}, 0.4);
  const BodyPtr a = bodyOf(transformed(sixSidedBox(2, 2, 2, 60), turn)),
                b = bodyOf(transformed(sixSidedBox(2, 2, 2, 55), turn));
  PenetrationRequest request{.deeperThan = 1e-3};
  const PosedSolid first{a, {}}, second{b, turn * shift(0.013, 0.017, 2) * turn.inverse()};
  int truncated = 0;
  for (const int milliseconds : {1, 5, 20, 50, 100}) {
    request.limits.timeBudget = std::chrono::milliseconds(milliseconds);
    const PenetrationReport report = penetration(first, second, request);
    truncated += report.status == ReportStatus::truncated ? 1 : 0;
    CHECK(report.regions.empty());
  }
  CHECK(truncated > 0);
  request.limits.timeBudget.reset();
  const PenetrationReport all = penetration(first, second, request);
  CHECK(all.status == ReportStatus::complete);
  CHECK(all.regions.empty());
}

TEST_CASE("open parts give a lower bound, said so") {
  // A sheet through a watertight box: the sheet's points inside count.
  const PenetrationReport report =
      overlap(box(2, 2, 2), flatSheet(4, 4), shift(-2, -2, 0.25), {.accuracy = 1e-3});
  CHECK(report.isLowerBound);
  CHECK(report.depth() == Approx(0.75).margin(2e-3));
  const PenetrationReport sheets =
      overlap(flatSheet(4, 4), flatSheet(4, 4), Transform::rigid(axisAngle({1, 0, 0}, 1), {0, 1, -1}));
  CHECK(sheets.isLowerBound);
  CHECK(sheets.regions.empty());
}

TEST_CASE("other placements: mirrored and scaled") {
  const Transform mirror = shift(1.5, 0, 0) * Transform::scaling(-1, 1, 1);
  CHECK(overlap(lShape(3, 1), lShape(3, 1), mirror, {.accuracy = 1e-3}).depth() ==
        Approx(overlap(lShape(3, 1), transformed(lShape(3, 1), mirror), {}, {.accuracy = 1e-3}).depth())
            .margin(1.1e-3));
  // A box of side 1 scaled to 3 x 1 x 1 and moved by 2 overlaps a box of side 2 by 0.5 in x.
  const PenetrationReport scaledReport =
      overlap(sixSidedBox(2, 2, 2), sixSidedBox(1, 1, 1), shift(2, 0, 0) * Transform::scaling(3, 1, 1),
              {.accuracy = 1e-3});
  CHECK(scaledReport.depth() == Approx(0.5).margin(1.1e-3));
  CHECK(scaledReport.regions.size() == 1);
}

TEST_CASE("depth refuses the placements that intersect refuses, also of bodies that are copied") {
  const BodyPtr box = bodyOf(sixSidedBox(1, 1, 1, 2)), none = bodyOf(emptyMesh());
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const Transform& placement : {Transform::scaling(0, 1, 1), Transform::scaling(1, nan, 1),
                                     Transform::scaling(infinity, 1, 1), Transform::scaling(1e200, 1, 1)})
    for (const BodyPtr& other : {box, none}) {
      CHECK_THROWS_AS(penetration({box, placement}, {other, {}}), PlacementError);
      CHECK_THROWS_AS(penetration({other, {}}, {box, placement}), PlacementError);
    }
}

TEST_CASE("a time budget ends a search deep inside a large body before it has asked for many distances") {
  // Each distance from a point of the small sphere examines most of the large one.
  const BodyPtr small = bodyOf(icosphere(1, 5)), large = bodyOf(icosphere(1000, 6));
  PenetrationRequest request;
  request.limits.timeBudget = std::chrono::milliseconds(1);
  const PenetrationReport report = penetration({small, {}}, {large, {}}, request);
  CHECK(report.status == ReportStatus::truncated);
  CHECK(report.pieces < 1000);  // out of 20,480
}

TEST_CASE("limits of depth queries: cancelled, truncated, few pieces, only whether deeper") {
  const MeshPtr a = icosphere(1, 2), b = icosphere(1, 2);
  PenetrationRequest request;
  std::stop_source stop;
  stop.request_stop();
  request.limits.cancel = stop.get_token();
  CHECK(overlap(a, b, shift(1, 0.1, 0), request).status == ReportStatus::cancelled);
  PenetrationRequest noTime;
  noTime.limits.timeBudget = std::chrono::nanoseconds(0);
  CHECK(overlap(a, b, shift(1, 0.1, 0), noTime).status == ReportStatus::truncated);
  // The bound covers what few pieces leave open.
  PenetrationRequest few;
  few.accuracy = 0;
  few.maxPieces = 3000;
  const PenetrationReport rough = overlap(a, b, shift(1.2, 0.1, 0), few);
  PenetrationRequest fine;
  fine.accuracy = 1e-4;
  const double depth = overlap(a, b, shift(1.2, 0.1, 0), fine).depth();
  REQUIRE(rough.regions.size() == 1);
  CHECK(rough.depth() <= depth + 1e-4);
  CHECK(rough.depth() + rough.regions[0].errorBound >= depth);
  PenetrationRequest any;
  any.regions = false;
  any.deeperThan = depth * 0.98;
  CHECK(overlap(a, b, shift(1.2, 0.1, 0), any).regions.size() == 1);
  any.deeperThan = depth * 1.01;
  CHECK(overlap(a, b, shift(1.2, 0.1, 0), any).regions.empty());
  PenetrationRequest bad;
  bad.deeperThan = -1;
  CHECK_THROWS_AS(overlap(a, b, {}, bad), InputError);
}

TEST_CASE("bodies without triangles or of degenerate ones overlap nothing") {
  CHECK(overlap(emptyMesh(), box(1, 1, 1)).regions.empty());
  CHECK(overlap(box(1, 1, 1), emptyMesh()).regions.empty());
  CHECK(overlap(degenerateSet(), degenerateSet()).regions.empty());
  const PenetrationReport inBox = overlap(box(40, 40, 40), degenerateSet());
  CHECK(inBox.isLowerBound);
  CHECK(inBox.depth() > 15);
}

}  // namespace penetration_tests
