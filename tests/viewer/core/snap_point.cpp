// Tests what a cursor snaps to: corners, edges and centres of circles that are visible; and measurements of
// edges against every pair of their segments.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include <fitup/geometry/distance_triangle_triangle.h>
#include <fitup/hierarchy/tree_queries.h>
#include <viewer/core/measurement.h>
#include <viewer/core/snap_point.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace snap_point_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// Parts before a camera, with a cursor.
struct Picture {
  struct Placed {
    MeshPtr mesh;
    SnapShapes shapes;
    ModelPtr model;
    Transform at;
  };
  explicit Picture(const std::vector<std::pair<MeshPtr, Transform>>& meshes,
                   StandardView view = StandardView::isometric,
                   Projection projection = Projection::orthographic) {
    Box all;
    for (const auto& [mesh, at] : meshes) {
      parts.push_back({mesh, snapShapes(*mesh), modelOf(mesh), at});
      for (const Triangle& t : trianglesOf(mesh))
        for (const Vec3& corner : t.v) all.extend(at.apply(corner));
    }
    camera.setProjection(projection);
    camera.setPicture(800, 600);
    camera.look(view, all);
  }
  [[nodiscard]] double firstHit(const viewer::Ray& ray) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Placed& part : parts)
      if (const auto hit = PlacedTree::inWorld(part.model, part.at).castRay({ray.from, ray.direction}))
        nearest = std::min(nearest, hit->at);
    return nearest;
  }
  [[nodiscard]] std::optional<SnapPoint> snap(PicturePoint at,
                                              std::function<bool(const Vec3&)> isCutAway = {}) const {
    std::vector<SnapInstance> instances;
    for (std::uint32_t i = 0; i < parts.size(); ++i)
      instances.push_back({NodeId{i}, parts[i].mesh.get(), &parts[i].shapes, parts[i].at});
    SnapRequest request;
    request.at = at;
    request.instances = instances;
    request.firstHit = [this](const viewer::Ray& ray) { return firstHit(ray); };
    request.isCutAway = std::move(isCutAway);
    return snapAt(camera, request);
  }
  /// At a point of the world, shifted by pixels.
  [[nodiscard]] std::optional<SnapPoint> snapNear(const Vec3& world, double dx = 0, double dy = 0) const {
    const PicturePoint at = camera.project(world).value();
    return snap({at.x + dx, at.y + dy});
  }
  Camera camera;
  std::vector<Placed> parts;
};

std::size_t circlesOf(const SnapShapes& shapes) {
  return static_cast<std::size_t>(
      std::ranges::count_if(shapes.edges, [](const SnapEdge& edge) { return edge.circle.has_value(); }));
}

}  // namespace

TEST_CASE("a box has twelve edges and eight corners, however fine its triangles", "[viewer][snap]") {
  for (const std::uint32_t cuts : {0U, 2U}) {
    CAPTURE(cuts);
    const MeshPtr box = subdivided(sixSidedBox(2, 3, 4), cuts);
    const SnapShapes shapes = snapShapes(*box);
    CHECK(shapes.edges.size() == 12);
    REQUIRE(shapes.corners.size() == 8);
    std::set<std::array<double, 3>> corners;
    for (const SnapCorner& corner : shapes.corners) {
      const Vec3 p = box->pointInPart(corner.point);
      corners.insert({p.x, p.y, p.z});
      CHECK(std::abs(p.x) == 1);
      CHECK(std::abs(p.y) == 1.5);
      CHECK(std::abs(p.z) == 2);
    }
    CHECK(corners.size() == 8);
    CHECK(circlesOf(shapes) == 0);
  }
}

TEST_CASE("a rim of two arcs has no corner in it, half a disc has all its corners", "[viewer][snap]") {
  constexpr std::uint32_t half = 16;
  for (const bool isWhole : {true, false}) {
    CAPTURE(isWhole);
    // Points of the lower rim, then those of the upper one.
    const std::uint32_t count = isWhole ? 2 * half : half + 1;
    TriangleMeshBuilder builder("pin");
    for (const double height : {0.0, 5.0})
      for (std::uint32_t i = 0; i < count; ++i) {
        const double angle = std::numbers::pi * i / half;
        builder.addPoint({3 * std::cos(angle), 3 * std::sin(angle), height});
      }
    const auto next = [&](std::uint32_t i) { return (i + 1) % count; };
    const auto side = [&](const char* name, std::uint32_t from, std::uint32_t to) {
      const SurfaceId face = builder.beginSurface(name);
      for (std::uint32_t i = from; i < to; ++i) {
        builder.addTriangle(i, next(i), count + next(i));
        builder.addTriangle(i, count + next(i), count + i);
      }
      return face;
    };
    const SurfaceId first = side("first", 0, half), second = side("second", half, count);
    const SurfaceId low = builder.beginSurface("low");
    for (std::uint32_t i = 1; i + 1 < count; ++i) builder.addTriangle(0, i + 1, i);
    const SurfaceId high = builder.beginSurface("high");
    for (std::uint32_t i = 1; i + 1 < count; ++i) builder.addTriangle(count, count + i, count + i + 1);
    const auto rim = [&](std::uint32_t from, std::uint32_t to, std::uint32_t above, SurfaceId a,
                         SurfaceId b) {
      std::vector<std::uint32_t> points;
      for (std::uint32_t i = from; i <= to; ++i) points.push_back(above + i % count);
      builder.addFeatureEdge(points, std::min(a, b), std::max(a, b));
    };
    rim(0, half, 0, first, low);
    rim(half, count, 0, second, low);
    rim(0, half, count, first, high);
    rim(half, count, count, second, high);
    for (const std::uint32_t at : {0U, half})
      builder.addFeatureEdge(std::array{at, count + at}, first, second);
    const TriangleMesh mesh = builder.build();
    const SnapShapes shapes = snapShapes(mesh);
    CHECK(shapes.edges.size() == 6);
    CHECK(circlesOf(shapes) == (isWhole ? 4 : 2));
    CHECK(shapes.corners.size() == (isWhole ? 0 : 4));
  }
}

TEST_CASE("rims are circles within their bound", "[viewer][snap][bounds]") {
  Random random(4);
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    const auto segments = static_cast<std::uint32_t>(random.integer(14, 90));
    const double radius = random.between(0.2, 30), height = random.between(0.5, 40);
    const Transform anywhere = Transform::rigid(randomRotation(random), random.inCube(50));
    const MeshPtr pin = transformed(cylinder(radius, height, segments), anywhere);
    const SnapShapes shapes = snapShapes(*pin);
    REQUIRE(circlesOf(shapes) == 2);
    CHECK(shapes.corners.empty());
    for (const SnapEdge& edge : shapes.edges) {
      REQUIRE(edge.circle);
      CHECK(edge.isClosed());
      const Vec3 low = anywhere.apply({0, 0, -height / 2}), high = anywhere.apply({0, 0, height / 2});
      const double off = std::min(norm(edge.circle->centre - low), norm(edge.circle->centre - high));
      CHECK(off <= edge.circle->error);
      CHECK(std::abs(edge.circle->radius - radius) <= edge.circle->error);
      CHECK(edge.circle->error < sagitta(radius, segments));
    }
    CHECK(norm(shapes.edges[0].circle->centre - shapes.edges[1].circle->centre) == Approx(height));
  }
}

TEST_CASE("arcs are circles if their centre is known, other curves are none", "[viewer][snap]") {
  Random random(8);
  const auto arc = [](double from, double to, int count, double squeezed = 1) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
      const double angle = from + (to - from) * i / (count - 1);
      points.push_back({7 + 3 * std::cos(angle), 2 + 3 * squeezed * std::sin(angle), 5});
    }
    return points;
  };
  for (const double span : {0.5, 1.5, 3.0, 5.0}) {
    CAPTURE(span);
    const double rounding = 1e-6;
    std::vector<Vec3> points = arc(0.3, 0.3 + span, 9);
    for (Vec3& p : points) p = p + random.inCube(rounding / 2);
    const auto circle = circleThrough(points, rounding);
    REQUIRE(circle);
    CHECK(norm(circle->centre - Vec3{7, 2, 5}) <= circle->error);
    CHECK(std::abs(circle->radius - 3) <= circle->error);
  }
  CHECK_FALSE(circleThrough(arc(0, 0.05, 9), 1e-5));  // its centre might be anywhere
  CHECK_FALSE(circleThrough(arc(0, 6, 40, 0.9), 1e-6));
  CHECK_FALSE(circleThrough(arc(0, 3, 4), 1e-6));  // four points
  const std::vector<Vec3> line{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
  CHECK_FALSE(circleThrough(line, 1e-6));
  // About the axis of a known face, three points are enough; along it, they are none.
  const SurfaceDescription bore{SurfaceKind::cylinder, {7, 2, 0}, {0, 0, 1}, 3};
  const auto known = circleThrough(arc(0, 1, 3), 1e-6, {&bore, 1});
  REQUIRE(known);
  CHECK(norm(known->centre - Vec3{7, 2, 5}) < 1e-9);
  CHECK(known->radius == Approx(3));
  const std::vector<Vec3> along{{10, 2, 0}, {10, 2, 1}, {10, 2, 2}};
  CHECK_FALSE(circleThrough(along, 1e-6, {&bore, 1}));
}

TEST_CASE("the cursor snaps to visible corners before edges", "[viewer][snap]") {
  const Transform at = Transform::translation({5, 6, 7}) * Transform::rotation({0, 0, 1}, 0.2);
  for (const Projection projection : {Projection::orthographic, Projection::perspective}) {
    const Picture picture({{sixSidedBox(2, 3, 4), at}}, StandardView::isometric, projection);
    int seen = 0;
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.5, 1.5})
        for (const double z : {-2.0, 2.0}) {
          const Vec3 corner = at.apply({x, y, z});
          const auto snap = picture.snapNear(corner, 4, -5);
          if (snap && snap->kind == SnapKind::corner && norm(snap->point - corner) < 1e-5) ++seen;
        }
    CHECK(seen == 7);  // all but the one behind the box
    // The middle of the edges of the top, four pixels beside; and out of reach, which is half that of corners.
    const Vec3 front = at.apply({0, -1.5, 2});
    const auto edge = picture.snapNear(front, 0, 4);
    REQUIRE(edge);
    CHECK(edge->kind == SnapKind::edge);
    const Vec3 inPart = at.inverse().apply(edge->point);
    CHECK(inPart.y == Approx(-1.5));
    CHECK(inPart.z == Approx(2));
    CHECK(norm(edge->pointInPart - inPart) < 1e-9);
    CHECK_FALSE(picture.snapNear(front, 0, 7));
    // An edge at the bottom, behind the box.
    CHECK_FALSE(picture.snapNear(at.apply({0, 1.5, -2})));
  }
}

TEST_CASE("what another part hides or a section cuts away is not snapped to", "[viewer][snap]") {
  const MeshPtr cube = sixSidedBox(2, 2, 2), plate = sixSidedBox(6, 6, 0.1);
  const Vec3 corner{1, -1, 1};
  const Picture open({{cube, {}}}, StandardView::top);
  REQUIRE(open.snapNear(corner, 3, 0));
  const PicturePoint at = open.camera.project(corner).value();
  CHECK_FALSE(open.snap(at, [](const Vec3& p) { return p.z > 0 || p.x > 0; }));
  const Picture covered({{cube, {}}, {plate, Transform::translation({0, 0, 3})}}, StandardView::top);
  CHECK_FALSE(covered.snapNear(corner, 3, 0));
  const Picture below({{cube, {}}, {plate, Transform::translation({0, 0, -3})}}, StandardView::top);
  REQUIRE(below.snapNear(corner, 3, 0));
  // Of the two corners in one place of the picture, the upper one.
  CHECK(below.snapNear(corner, 3, 0)->point.z == Approx(1));
}

TEST_CASE("the cursor snaps to centres of circles before edges", "[viewer][snap][bounds]") {
  const double deflection = sagitta(2, 48);
  const MeshPtr pipe = withDeflection(tube(2, 0.7, 6, 48), deflection);
  const Picture picture({{pipe, Transform::translation({1, 2, 3})}}, StandardView::top);
  const auto snap = picture.snapNear({1, 2, 6}, 5, 5);
  REQUIRE(snap);
  CHECK(snap->kind == SnapKind::centre);
  REQUIRE(snap->circle);
  CHECK(norm(snap->point - Vec3{1, 2, 6}) <= deflection);
  // Both rims of the upper end have this centre.
  const double radius = snap->circle->radius;
  CHECK(std::min(std::abs(radius - 2), std::abs(radius - 0.7)) <= deflection);
  CHECK(picture.snapNear({3, 2, 6}, 3, 0)->kind == SnapKind::edge);
  // In a placement that makes it an ellipse, the rim is only an edge.
  Transform oval;
  oval.m[0][0] = 1.5;
  const Picture stretched({{pipe, oval}}, StandardView::top);
  CHECK_FALSE(stretched.snapNear({0, 0, 3}));
  REQUIRE(stretched.snapNear({3, 0, 3}));
  CHECK_FALSE(stretched.snapNear({3, 0, 3})->circle);
}

TEST_CASE("edges, corners and centres are measured to within their bounds", "[viewer][snap][bounds]") {
  Random random(6);
  const double deflection = sagitta(1, 32);
  const MeshPtr pin = withDeflection(cylinder(1, 4, 32), deflection), cube = sixSidedBox(2, 3, 4);
  const SnapShapes rims = snapShapes(*pin), sides = snapShapes(*cube);
  const auto edgeOf = [](std::uint32_t id, const MeshPtr& mesh, const SnapEdge& edge, const Transform& at) {
    PlacedTarget target{{NodeId{id}}, modelOfEdge(*mesh, edge), at};
    target.target.edge = target.model;
    target.target.circle = edge.circle;
    return target;
  };
  for (int i = 0; i < 20; ++i) {
    CAPTURE(i);
    const Transform a = Transform::rigid(randomRotation(random), random.inCube(4)),
                    b = Transform::rigid(randomRotation(random), random.inCube(4));
    const SnapEdge &rim = rims.edges[static_cast<std::size_t>(i % 2)],
                   &side = sides.edges[static_cast<std::size_t>(i % 12)];
    const PlacedTarget first = edgeOf(0, pin, rim, a), second = edgeOf(1, cube, side, b);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t s = 1; s < rim.points.size(); ++s)
      for (std::size_t t = 1; t < side.points.size(); ++t) {
        const Vec3 p = a.apply(pin->pointInPart(rim.points[s - 1])),
                   q = a.apply(pin->pointInPart(rim.points[s])),
                   r = b.apply(cube->pointInPart(side.points[t - 1])),
                   o = b.apply(cube->pointInPart(side.points[t]));
        least = std::min(least, distanceTriangleTriangle({{p, q, q}}, {{r, o, o}}).distance);
      }
    const MeasuredValue edges = measure({first, second});
    REQUIRE(edges.distance);
    CHECK(*edges.distance == Approx(least).margin(1e-6));
    // A point of the face, and the centre of the rim.
    const Vec3 corner = cube->pointInPart(side.points[0]);
    PlacedTarget point = second;
    point.target = MeasureTarget{NodeId{1}, side.face, corner};
    point.model = modelOf(cube);
    const MeasuredValue fromEdge = measure({first, point});
    REQUIRE(fromEdge.distance);
    CHECK(*fromEdge.distance >= *edges.distance - 1e-6);
    PlacedTarget centre = first;
    centre.target = MeasureTarget{NodeId{0}, rim.face, rim.circle->centre};
    centre.target.circle = rim.circle;
    centre.model = modelOf(pin);
    const MeasuredValue radius = measure({first, centre});
    REQUIRE(radius.distance);
    REQUIRE(radius.distanceError.chordError);
    CHECK(std::abs(*radius.distance - 1) <= radius.distanceError.bound());
    CHECK(radius.distanceError.bound() < 3 * deflection);
    const MeasuredValue fromPlane = measure({centre, {{{NodeId{1}, side.face}, modelOf(cube), b}}});
    CHECK(fromPlane.shapes == ShapePair::pointAndPlane);
    CHECK(fromPlane.shapeDistanceError >= rim.circle->error);
  }
  const PlacedTarget first = edgeOf(0, cube, sides.edges[0], {});
  CHECK(measure({first, first}).unclear == "both sides are the same edge");
  CHECK(measure({first, PlacedTarget{{NodeId{0}}, modelOf(cube), {}}}).unclear ==
        "the edge belongs to the part");
  CHECK(measure({first, PlacedTarget{{NodeId{0}, sides.edges[0].face}, modelOf(cube), {}}}).distance == 0);
}

}  // namespace snap_point_tests
