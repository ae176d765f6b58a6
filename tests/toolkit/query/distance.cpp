#include <fitup/query/distance.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <stop_token>

#include <fitup/base/error.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/query/verify.h>

#include "support/effort.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace distance_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

double diagonalOf(const PosedModel& a, const PosedModel& b) {
  Box box;
  for (const PosedModel* p : {&a, &b})
    for (std::uint32_t i = 0; i < p->model->mesh().points().size(); ++i)
      box.extend(p->worldFromPart.apply(p->model->mesh().pointInPart(i)));
  return norm(box.max - box.min);
}

/// Returns the distance of a point of the world from a triangle of a posed model.
double offTriangle(const Vec3& point, const PosedModel& posed, TriangleId id) {
  Triangle t = posed.model->mesh().triangle(id);
  for (Vec3& v : t.v) v = posed.worldFromPart.apply(posed.model->mesh().origin() + v);
  return distancePointTriangle(point, t).distance;
}

void requireSame(const NearestPair& found, const NearestPair& right, const PosedModel& a,
                 const PosedModel& b) {
  const double rounding = 1e-12 * diagonalOf(a, b);
  REQUIRE(std::abs(found.distance - right.distance) <= rounding);
  REQUIRE((found.distance == 0) == (right.distance == 0));
  REQUIRE(std::abs(norm(found.pointB - found.pointA) - found.distance) <= 16 * rounding);
  REQUIRE(offTriangle(found.pointA, a, found.triangles.a) <= 16 * rounding);
  REQUIRE(offTriangle(found.pointB, b, found.triangles.b) <= 16 * rounding);
  REQUIRE(a.model->mesh().surfaceOf(found.triangles.a) == found.surfaces.a);
  REQUIRE(b.model->mesh().surfaceOf(found.triangles.b) == found.surfaces.b);
}

bool sameReport(const DistanceReport& p, const DistanceReport& q) {
  if (p.nearest.has_value() != q.nearest.has_value() || p.status != q.status) return false;
  return !p.nearest ||
         (p.nearest->triangles == q.nearest->triangles && p.nearest->surfaces == q.nearest->surfaces &&
          p.nearest->distance == q.nearest->distance && p.nearest->pointA == q.nearest->pointA &&
          p.nearest->pointB == q.nearest->pointB);
}

/// Checks every law for a pair of models.
void checkLaws(const PosedModel& a, const PosedModel& b, QueryContext& context) {
  const DistanceReport right = bruteForceDistance(a, b);
  const IntersectionReport meets = intersect(a, b, {.mode = QueryMode::firstSurfacePair}, context);
  REQUIRE(right.nearest);
  REQUIRE((right.distance() == 0) == meets.intersects());
  for (const VectorUse vectors : {VectorUse::best, VectorUse::scalar}) {
    const DistanceReport found = distance(a, b, {.vectorUse = vectors}, context);
    REQUIRE(found.status == ReportStatus::complete);
    REQUIRE(found.nearest);
    requireSame(*found.nearest, *right.nearest, a, b);
    REQUIRE(sameReport(found.swapped(), distance(b, a, {.vectorUse = vectors}, context)));
  }
  const double d = right.distance(), rounding = 1e-12 * diagonalOf(a, b);
  for (const double within : {0.5 * d, d + rounding, 2 * d + 0.01}) {
    const DistanceReport near = distance(a, b, {.within = within}, context);
    REQUIRE(near.nearest.has_value() == (within >= d));
    if (near.nearest) REQUIRE(near.distance() <= within);
    const DistanceReport least = distance(a, b, {.ignoreBeyond = within}, context);
    REQUIRE(least.nearest.has_value() == (within >= d));
    if (least.nearest) requireSame(*least.nearest, *right.nearest, a, b);
  }
}

void checkSurfaces(const PosedModel& a, const PosedModel& b, double clearance, QueryContext& context) {
  const SurfaceDistanceReport right = bruteForceSurfacePairsWithin(a, b, clearance);
  for (const VectorUse vectors : {VectorUse::best, VectorUse::scalar}) {
    const SurfaceDistanceReport found = surfacePairsWithin(a, b, clearance, {.vectorUse = vectors}, context);
    REQUIRE(found.status == ReportStatus::complete);
    REQUIRE(found.pairs.size() == right.pairs.size());
    for (std::size_t i = 0; i < found.pairs.size(); ++i) {
      REQUIRE(found.pairs[i].surfaces == right.pairs[i].surfaces);
      requireSame(found.pairs[i], right.pairs[i], a, b);
      const DistanceReport alone = distance(a, b, found.pairs[i].surfaces, {.vectorUse = vectors}, context);
      REQUIRE(alone.nearest);
      requireSame(*alone.nearest, right.pairs[i], a, b);
    }
    const SurfaceDistanceReport back = surfacePairsWithin(b, a, clearance, {.vectorUse = vectors}, context);
    const SurfaceDistanceReport swapped = found.swapped();
    REQUIRE(back.pairs.size() == swapped.pairs.size());
    for (std::size_t i = 0; i < back.pairs.size(); ++i) {
      REQUIRE(back.pairs[i].triangles == swapped.pairs[i].triangles);
      REQUIRE(back.pairs[i].distance == swapped.pairs[i].distance);
    }
  }
}

BuildOptions layout(WideLayout layout) {
  BuildOptions options;
  options.wide->layout = layout;
  return options;
}

}  // namespace

TEST_CASE("distances are those of brute force, for every kind of placement and layout", "[query][distance]") {
  const MeshPtr meshes[] = {
      sixSidedBox(1.2, 1.4, 1.3, 4), icosphere(1, 2), soup(150, 3, 0.3, 4), latticeSoup(120, 5, 5, 3),
      sliverFan(40, 2, 0.01),        degenerateSet(), tetrahedron(1),       lShape(1.5, 0.5)};
  QueryContext context;
  Random random(21);
  int touching = 0, apart = 0, k = 0;
  for (const MeshPtr& first : meshes)
    for (const MeshPtr& second : meshes)
      for (const PlacementClass kind : allPlacementClasses) {
        INFO(first->name() << " " << second->name() << " placement " << int(kind));
        const ModelPtr a = modelOf(first, layout(k % 2 == 0 ? WideLayout::fast : WideLayout::compact)),
                       b = modelOf(second, layout(k % 3 == 0 ? WideLayout::compact : WideLayout::fast));
        ++k;
        const Transform shift = Transform::translation({random.between(0, 4), 0, 0});
        const Transform placeA = randomPlacement(k % 5 == 0 ? kind : PlacementClass::rigid, random, 1);
        const PosedModel posedA{a, placeA}, posedB{b, shift * randomPlacement(kind, random, 2)};
        checkLaws(posedA, posedB, context);
        (distance(posedA, posedB, {}, context).distance() == 0 ? touching : apart) += 1;
      }
  CHECK(touching > 40);
  CHECK(apart > 150);
}

TEST_CASE("surfaces within a clearance are those of brute force", "[query][distance]") {
  // The two leaves of a surface with twelve triangles are adjacent, among those of others.
  const MeshPtr meshes[] = {sixSidedBox(1.2, 1.4, 1.3, 3), uvSphere(1, 16, 10, 6), soup(120, 3, 0.3, 5),
                            latticeSoup(100, 5, 4, 4), soup(60, 4, 0.3, 5)};
  QueryContext context;
  Random random(22);
  std::size_t pairs = 0;
  for (const MeshPtr& first : meshes)
    for (const MeshPtr& second : meshes)
      for (const PlacementClass kind : {PlacementClass::translated, PlacementClass::rigid,
                                        PlacementClass::mirrored, PlacementClass::scaled}) {
        const ModelPtr a = modelOf(first), b = modelOf(second, layout(WideLayout::compact));
        const PosedModel posedA{a, {}}, posedB{b, randomPlacement(kind, random, 2.5)};
        for (const double clearance : {0.0, 0.3, 1.5}) {
          checkSurfaces(posedA, posedB, clearance, context);
          pairs += surfacePairsWithin(posedA, posedB, clearance, {}, context).pairs.size();
        }
      }
  CHECK(pairs > 500);
}

TEST_CASE("distances scale with the world and do not care where it is", "[query][distance]") {
  QueryContext context;
  Random random(23);
  for (const double scale : {0.001, 1.0, 1000.0})
    for (const Vec3& far : {Vec3{}, Vec3{1e6, -2e6, 3e5}}) {
      INFO("scale " << scale << " far " << far.x);
      const MeshPtr ball = transformed(icosphere(1, 3), Transform::scaling(scale, scale, scale)),
                    cube =
                        transformed(sixSidedBox(1, 2, 1.5, 5), Transform::translation(far * scale) *
                                                                   Transform::scaling(scale, scale, scale));
      const ModelPtr a = modelOf(ball), b = modelOf(cube);
      for (int k = 0; k < 4; ++k) {
        const Transform turn = Transform::rotation(randomRotation(random));
        const Vec3 shift = random.inCube(2.5) * scale;
        const PosedModel first{a, Transform::translation(far * scale + shift) * turn}, second{b, {}};
        const DistanceReport right = bruteForceDistance(first, second),
                             found = distance(first, second, {}, context);
        // Points far from the origin of the world are rounded to the world's precision.
        const double rounding = 1e-12 * scale * (1 + 0.01 * norm(far));
        CHECK(std::abs(found.distance() - right.distance()) <= rounding);
        // One rigid motion of both.
        const Transform motion = Transform::rigid(randomRotation(random), random.inCube(5) * scale);
        const PosedModel movedFirst{a, motion * first.worldFromPart}, movedSecond{b, motion};
        CHECK(distance(movedFirst, movedSecond, {}, context).distance() ==
              Approx(found.distance()).margin(1e-9 * scale * (1 + norm(far) * 1e-3)));
      }
    }
}

TEST_CASE("distances of very large parts, and of parts very far apart, are those of brute force",
          "[query][distance]") {
  // Squares of centres' distances overflow 32-bit floats from 2^64 on, squares of squares from 2^32 on.
  const MeshPtr unit = uvSphere(3, effort(12, 24), effort(6, 12), 6);
  for (const double size : {1e-12, 1e-6, 1.0, 1e6, 1e9, 3e9, 1e10, 1e12, 1e15, 1e18, 1e20, 1e25}) {
    const ModelPtr model = modelOf(transformed(unit, Transform::scaling(size, size, size)));
    for (const Vec3& away : {Vec3{4, 5, 3}, Vec3{7, 0, 0}, Vec3{30, -20, 10}}) {
      const PosedModel a{model, {}}, b{model, Transform::rigid(axisAngle({1, 2, 3}, 1), away * size)};
      for (const VectorUse use : {VectorUse::best, VectorUse::scalar}) {
        CAPTURE(size, away.x, use == VectorUse::best);
        DistanceRequest request;
        request.vectorUse = use;
        const DistanceReport right = bruteForceDistance(a, b);
        requireSame(*distance(a, b, request).nearest, *right.nearest, a, b);
        request.within = 1.001 * right.distance();
        CHECK(distance(a, b, request).nearest.has_value());
      }
    }
  }
  const ModelPtr model = modelOf(unit);
  for (const double far : {1e9, 5e9, 1e10, 1e14}) {
    CAPTURE(far);
    const PosedModel a{model, {}}, b{model, Transform::rigid(axisAngle({1, 2, 3}, 1), {far, far, far})};
    CHECK(std::abs(distance(a, b).distance() - bruteForceDistance(a, b).distance()) <= distanceSlop(a, b));
  }
}

TEST_CASE("a scaled instance is measured in the world", "[query][distance]") {
  const ModelPtr cube = modelOf(sixSidedBox(1, 1, 1, 4)), ball = modelOf(icosphere(0.5, 2));
  QueryContext context;
  // The cube extends to x = 1 (uniform) or 1.5, y = 0.25, whichever part plays A.
  const PosedModel small{cube, Transform::translation({4, 0, 0})};
  CHECK(distance({cube, Transform::scaling(2, 2, 2)}, small, {}, context).distance() ==
        Approx(2.5).epsilon(1e-12));
  CHECK(distance({cube, Transform::scaling(3, 0.5, 1)}, small, {}, context).distance() ==
        Approx(2).epsilon(1e-12));
  CHECK(distance(small, {cube, Transform::scaling(3, 0.5, 1)}, {}, context).distance() ==
        Approx(2).epsilon(1e-12));
  const Transform both = Transform::scaling(0.1, 3, 1);
  CHECK(distance({cube, both}, {cube, Transform::translation({0.4, 0, 0}) * both}, {}, context).distance() ==
        Approx(0.3).epsilon(1e-12));
  const Transform mirror = Transform::scaling(-1, 1, 1);
  CHECK(distance({cube, mirror}, {cube, Transform::translation({3, 0, 0})}, {}, context).distance() == 2);
  CHECK(distance({ball, Transform::scaling(2, 2, 2)}, {ball, Transform::translation({4, 0, 0})}, {}, context)
            .distance() >= 2.5);
}

TEST_CASE("analytic distances: boxes, plates, spheres, coaxial pipes", "[query][distance]") {
  QueryContext context;
  SECTION("boxes: face, edge and corner") {
    const ModelPtr cube = modelOf(sixSidedBox(1, 1, 1, 6));
    const auto at = [&](const Vec3& p) {
      return distance({cube, {}}, {cube, Transform::translation(p)}, {}, context).distance();
    };
    CHECK(at({3, 0.2, 0}) == Approx(2).epsilon(1e-14));
    CHECK(at({4, 5, 0.1}) == Approx(5).epsilon(1e-14));
    CHECK(at({2, 3, 3}) == Approx(3).epsilon(1e-14));
    CHECK(at({1, 0, 0}) == 0);
    CHECK(at({0, 0, 0}) == 0);
    CHECK(at({1 + 0x1p-20, 0, 0}) == 0x1p-20);
  }
  SECTION("parallel plates") {
    const ModelPtr plate = modelOf(flatSheet(20, 20)), other = modelOf(flatSheet(15, 31));
    for (const double gap : {1e-6, 0.01, 3.0}) {
      const PosedModel above{
          other, Transform::translation({0.3, -5.1, gap}) * Transform::rotation(Vec3{0, 0, 1}, 0.4)};
      CHECK(distance({plate, {}}, above, {}, context).distance() == Approx(gap).epsilon(1e-9));
    }
  }
  SECTION("spheres, within the tessellation's bound") {
    for (const std::uint32_t level : {1U, 3U, 5U}) {
      const MeshPtr mesh = icosphere(1, level);
      const ModelPtr ball = modelOf(mesh);
      double inner = 1;  // radius of the largest ball inside
      for (std::uint32_t i = 0; i < mesh->triangleCount(); ++i) {
        Triangle t = mesh->triangle(TriangleId{i});
        for (Vec3& v : t.v) v = v + mesh->origin();
        inner = std::min(inner, distancePointTriangle({0, 0, 0}, t).distance);
      }
      for (const double gap : {0.001, 0.5, 7.0}) {
        const Vec3 direction = normalized(Vec3{1, 2, -0.5});
        const double d =
            distance({ball, {}}, {ball, Transform::translation(direction * (2 + gap))}, {}, context)
                .distance();
        CHECK(d >= gap - 1e-6);
        CHECK(d <= gap + 2 * (1 - inner) + 1e-6);
      }
    }
  }
  SECTION("coaxial pipes") {
    const std::uint32_t n = 96;
    const ModelPtr outer = modelOf(cylinder(1.1, 3, n)), inner = modelOf(cylinder(1, 2, n));
    const double d =
        distance({outer, {}}, {inner, Transform::rotation(Vec3{0, 0, 1}, 0.01)}, {}, context).distance();
    const double sagitta = 1.1 * (1 - std::cos(std::numbers::pi / n));
    CHECK(d <= 0.1 + 1e-6);
    CHECK(d >= 0.1 - sagitta - 1e-6);
  }
}

TEST_CASE("a dragged part's distance is the same with memory as without", "[query][distance]") {
  const ModelPtr ball = modelOf(icosphere(1, 4)), cube = modelOf(sixSidedBox(1.2, 1.4, 1.3, 10));
  QueryContext coherent, plain;
  Random random(24);
  Transform pose = Transform::translation({3, 0.1, 0.2});
  DistanceStats with, without;
  for (int k = 0; k < 300; ++k) {
    INFO("step " << k);
    pose = Transform::translation(random.inCube(0.03) - pose.t * 0.01) * pose *
           Transform::rotation(Vec3{random.unit(), random.unit(), 1}, 0.02);
    if (k % 100 == 99) pose = Transform::translation({-3, 1, 0.5});
    const PosedModel a{ball, {}}, b{cube, pose};
    const DistanceReport found = k % 3 == 0 ? distance(b, a, {.coherence = Coherence::on}, coherent).swapped()
                                            : distance(a, b, {.coherence = Coherence::on}, coherent);
    const DistanceReport right = distance(a, b, {}, plain);
    REQUIRE(found.distance() == Approx(right.distance()).margin(1e-13));
    with += found.stats;
    without += right.stats;
    if (k == 150)
      REQUIRE_FALSE(distance(a, {ball, pose}, {.coherence = Coherence::on}, coherent).stats.boxTests == 0);
  }
  CHECK(with.boxTests < without.boxTests);
}

TEST_CASE("distance: no triangles, limits, cancel, what cannot be asked", "[query][distance]") {
  QueryContext context;
  const ModelPtr none = modelOf(emptyMesh()), ball = modelOf(icosphere(1, 4)),
                 other = modelOf(uvSphere(1, 40, 30, 6));
  const Transform beside = Transform::translation({2.3, 0.1, 0});
  SECTION("no triangles: nothing is near") {
    for (const auto& [a, b] : {std::pair(none, ball), std::pair(ball, none), std::pair(none, none)}) {
      const DistanceReport report = distance({a, {}}, {b, beside}, {}, context);
      CHECK_FALSE(report.nearest);
      CHECK(report.status == ReportStatus::complete);
      CHECK(std::isinf(report.distance()));
      CHECK(surfacePairsWithin({a, {}}, {b, beside}, 10, {}, context).pairs.empty());
    }
  }
  SECTION("a cancelled query says so") {
    std::stop_source stop;
    stop.request_stop();
    DistanceRequest cancelled;
    cancelled.limits.cancel = stop.get_token();
    CHECK(distance({ball, {}}, {other, beside}, cancelled, context).status == ReportStatus::cancelled);
  }
  SECTION("a budget of nothing truncates; what was seen is an upper bound") {
    DistanceRequest request;
    request.limits.timeBudget = std::chrono::nanoseconds{0};
    const DistanceReport report = distance({ball, {}}, {other, beside}, request, context);
    CHECK(report.status == ReportStatus::truncated);
    CHECK(report.distance() >= distance({ball, {}}, {other, beside}, {}, context).distance());
  }
  SECTION("a limit of pairs of surfaces") {
    const PosedModel a{other, {}}, b{other, beside};
    const auto limitedTo = [](std::size_t pairs) {
      DistanceRequest request;
      request.limits.maxPairs = pairs;
      return request;
    };
    const std::size_t all = surfacePairsWithin(a, b, 2, {}, context).pairs.size();
    REQUIRE(all > 3);
    const SurfaceDistanceReport some = surfacePairsWithin(a, b, 2, limitedTo(3), context);
    CHECK(some.pairs.size() == 3);
    CHECK(some.status == ReportStatus::truncated);
    CHECK(surfacePairsWithin(a, b, 2, limitedTo(all), context).status == ReportStatus::complete);
  }
  SECTION("typed errors") {
    const PosedModel a{ball, {}}, b{other, beside};
    CHECK_THROWS_AS(distance(a, b, {.hierarchy = HierarchyKind::scd}, context), NotBuiltError);
    CHECK_THROWS_AS(distance(a, b, {.within = -1.0}, context), InputError);
    CHECK_THROWS_AS(distance(a, b, {.within = std::nan("")}, context), InputError);
    CHECK_THROWS_AS(distance(a, b, {.ignoreBeyond = -1.0}, context), InputError);
    CHECK_THROWS_AS(surfacePairsWithin(a, b, -0.5, {}, context), InputError);
    CHECK_THROWS_AS(distance(a, b, SurfacePair{SurfaceId{0}, SurfaceId{99}}, {}, context), InputError);
    CHECK_THROWS_AS(distance(a, {other, Transform::scaling(1, 0, 1)}, {}, context), PlacementError);
    BuildOptions lean;
    lean.wide.reset();
    const ModelPtr without = modelOf(icosphere(1, 1), lean);
    CHECK_THROWS_AS(distance(a, {without, beside}, {}, context), NotBuiltError);
  }
}

TEST_CASE("a part and itself", "[query][distance]") {
  QueryContext context;
  const ModelPtr cube = modelOf(sixSidedBox(1, 1, 1, 2));
  const PosedModel self{cube, Transform::rotation(Vec3{1, 2, 3}, 0.7)};
  const DistanceReport report = distance(self, self, {}, context);
  REQUIRE(report.nearest);
  CHECK(report.distance() == 0);
  CHECK(sameReport(report, report.swapped()));
  // Opposite faces are a unit apart, the others touch.
  const SurfaceDistanceReport faces = surfacePairsWithin(self, self, 1.5, {}, context);
  REQUIRE(faces.pairs.size() == 36);
  int opposite = 0;
  for (const NearestPair& p : faces.pairs) {
    const std::size_t a = index(p.surfaces.a), b = index(p.surfaces.b);
    const bool isOpposite = a != b && a / 2 == b / 2;
    opposite += isOpposite;
    CHECK(p.distance == Approx(isOpposite ? 1 : 0).margin(1e-14));
    CHECK(sameReport(distance(self, self, p.surfaces, {}, context),
                     distance(self, self, SurfacePair{p.surfaces.b, p.surfaces.a}, {}, context).swapped()));
  }
  CHECK(opposite == 6);
}

}  // namespace distance_tests
