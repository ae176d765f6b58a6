// Tests the polygons in which planes cut parts, against volumes, sides of points and areas by hand.
#include <viewer/core/section_cut.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include <fitup/hierarchy/point_query.h>

#include "support/analytic_solids.h"
#include "support/tiny_meshes.h"

namespace section_cut_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

constexpr double pi = std::numbers::pi;

SectionPlane planeAt(const Vec3& normal, double offset) { return {normal, offset, true}; }

double cutArea(const SolidModel& solid, const SectionPlane& plane, const Transform& placement = {}) {
  const PartCut cut = cutOf(solid, placement, SectionFrame(plane));
  CHECK(cut.lines.empty());
  return area(coveredBy(cut.loops));
}

/// Several closed meshes as one part.
MeshPtr together(std::initializer_list<MeshPtr> meshes) {
  std::vector<Triangle> all;
  for (const MeshPtr& mesh : meshes)
    for (const Triangle& t : trianglesOf(mesh)) all.push_back(t);
  return fromTriangles("together", all);
}

/// Integrates the areas of all sections along a direction. Between two neighbouring heights of corners the
/// area of a polyhedron's section is a quadratic function of the height, so Simpson's rule is exact. At the
/// ends of each such slab the plane passes through corners, edges or faces.
double volumeFromSections(const SolidModel& solid, const Transform& placement, const Vec3& normal) {
  std::set<double> heights;
  for (std::uint32_t p = 0; p < solid.mesh().points().size(); ++p)
    heights.insert(dot(normal, placement.apply(solid.mesh().pointInPart(p))));
  double volume = 0;
  for (auto low = heights.begin(), high = std::next(low); high != heights.end(); low = high, ++high) {
    const double step = *high - *low;
    if (step < 1e-9) continue;  // the same height, rounded
    const double above = cutArea(solid, planeAt(-normal, -*low), placement),
                 middle = cutArea(solid, planeAt(normal, 0.5 * (*low + *high)), placement),
                 below = cutArea(solid, planeAt(normal, *high), placement);
    volume += step / 6 * (above + 4 * middle + below);
  }
  return volume;
}

}  // namespace

TEST_CASE("sections of a box have the areas that follow by hand, at any offset", "[viewer][section]") {
  const BodyPtr solid = bodyOf(box(2, 3, 4));
  for (const double z : {-1.9999, -1.0, 0.0, 0.37, 1.9999})
    CHECK(cutArea(*solid, planeAt({0, 0, 1}, z)) == Approx(6));
  // A section is the limit of those below it: the top face is cut, the bottom face is not.
  CHECK(cutArea(*solid, planeAt({0, 0, 1}, 2)) == Approx(6));
  CHECK(cutArea(*solid, planeAt({0, 0, 1}, -2)) == 0);
  CHECK(cutArea(*solid, planeAt({0, 0, 1}, 2.001)) == 0);
  CHECK(cutArea(*solid, planeAt({-1, 0, 0}, 1)) == Approx(12));
  // Through two opposite edges, exactly.
  CHECK(cutArea(*solid, planeAt(normalized(Vec3{3, -2, 0}), 0)) == Approx(4 * std::sqrt(13.0)));

  const BodyPtr cube = bodyOf(box(1, 1, 1));
  const Vec3 diagonal = normalized(Vec3{1, 1, 1});
  CHECK(cutArea(*cube, planeAt(diagonal, 0)) == Approx(0.75 * std::sqrt(3.0)));  // a regular hexagon
  // Through three corners: a regular triangle.
  CHECK(cutArea(*cube, planeAt(diagonal, dot(diagonal, Vec3{0.5, 0.5, -0.5}))) == Approx(std::sqrt(3.0) / 2));
}

TEST_CASE("sections of grids through their edges and corners are whole", "[viewer][section]") {
  const BodyPtr grid = bodyOf(sixSidedBox(6, 6, 6, 6));
  for (int i = -2; i <= 3; ++i) {
    CAPTURE(i);
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 normal;
      normal[axis] = 1;
      CHECK(cutArea(*grid, planeAt(normal, i)) == Approx(36));
    }
    // Along the diagonals of the cells, or across them.
    const double expected = (6 - std::abs(i)) * std::sqrt(2.0) * 6;
    CHECK(cutArea(*grid, planeAt(normalized(Vec3{1, 1, 0}), i / std::sqrt(2.0))) ==
          Approx(expected).epsilon(1e-6));
    CHECK(cutArea(*grid, planeAt(normalized(Vec3{1, -1, 0}), i / std::sqrt(2.0))) ==
          Approx(expected).epsilon(1e-6));
  }
  const BodyPtr angle = bodyOf(lShape(5, 2));
  for (const Vec3& normal : {Vec3{0, 0, 1}, Vec3{0, 0, -1}}) {
    const Box bounds = angle->mesh().boundsInPart();
    const double middle = dot(normal, bounds.centre());
    CHECK(cutArea(*angle, planeAt(normal, middle)) == Approx(angle->watertightness().volume() / 2));
    CHECK(cutArea(*angle, planeAt(normal, middle + 1)) == Approx(angle->watertightness().volume() / 2));
  }
}

TEST_CASE("sections of tubes are rings, and of spheres discs", "[viewer][section]") {
  const std::uint32_t n = 48;
  const double polygon = 0.5 * n * std::sin(2 * pi / n);  // area for radius 1
  const BodyPtr pipe = bodyOf(tube(5, 3, 20, n));
  const PartCut ring = cutOf(*pipe, {}, SectionFrame(planeAt({0, 0, 1}, 7)));
  REQUIRE(ring.loops.size() == 2);
  CHECK(area(ring.loops[0]) * area(ring.loops[1]) < 0);
  CHECK(area(coveredBy(ring.loops)) == Approx(polygon * (25 - 9)));
  CHECK(cutArea(*pipe, planeAt({0, 0, 1}, 10)) == Approx(polygon * (25 - 9)));
  // Along the axis, through edges of the mesh: two walls.
  CHECK(coveredBy(cutOf(*pipe, {}, SectionFrame(planeAt({1, 0, 0}, 0))).loops).pieces.size() == 2);
  CHECK(cutArea(*pipe, planeAt({1, 0, 0}, 0)) == Approx(2 * 2 * 20));

  const BodyPtr ball = bodyOf(icosphere(10, 5));
  for (const double h : {-9.0, -3.3, 0.0, 5.0})
    CHECK(cutArea(*ball, planeAt(normalized(Vec3{1, 2, 3}), h)) == Approx(pi * (100 - h * h)).epsilon(0.02));
}

TEST_CASE("sections add up to the volume, exactly, also through corners", "[viewer][section]") {
  const std::vector<MeshPtr> meshes{box(2, 3, 4),      icosphere(2, 2), tube(5, 3, 4, 12),   lShape(4, 2),
                                    cylinder(2, 5, 9), tetrahedron(3),  uvSphere(2, 8, 6, 1)};
  const Transform moved = Transform::translation({31.7, -8.25, 140}) * Transform::rotation({1, 2, -1}, 0.83);
  const Transform placements[] = {
      {}, moved, moved * Transform::scaling(-1, 1, 1), Transform::scaling(1, 2, 0.5)};
  for (const MeshPtr& mesh : meshes) {
    const BodyPtr solid = bodyOf(mesh);
    for (const Transform& placement : placements)
      for (const Vec3& normal :
           {Vec3{0, 0, 1}, Vec3{0, -1, 0}, normalized(Vec3{1, 1, 0}), normalized(Vec3{2, -1, 3})}) {
        CAPTURE(mesh->name(), normal.x, normal.y, normal.z, placement.t.x);
        const double volume = solid->watertightness().volume() * std::abs(placement.determinant());
        CHECK(volumeFromSections(*solid, placement, normal) == Approx(volume).epsilon(1e-5));
      }
  }
}

TEST_CASE("a point is in the section exactly if it is inside the part", "[viewer][section]") {
  const auto shifted = [](const MeshPtr& mesh, const Vec3& by) {
    return transformed(mesh, Transform::translation(by));
  };
  std::vector<Triangle> insideOut;
  for (const Triangle& t : trianglesOf(icosphere(2, 3))) insideOut.push_back(turned(t));
  const std::vector<MeshPtr> meshes{
      together({box(4, 4, 4), shifted(box(4, 4, 4), {1.5, 1.2, 0.7})}),  // shells that overlap
      together({box(6, 6, 6), icosphere(2, 3)}),                         // a cavity, with normals outward
      together({box(6, 6, 6), fromTriangles("cavity", insideOut)}),      // a cavity
      together({icosphere(3, 2), shifted(icosphere(3, 2), {9, 0, 0})}),  // shells apart
      fromTriangles("inside out", insideOut),
      lShape(5, 3),
      tube(4, 1, 3, 7)};
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    CAPTURE(m);
    const BodyPtr solid = bodyOf(meshes[m]);
    PointQuery query(solid->model());
    std::size_t inside = 0;
    for (int round = 0; round < 12; ++round) {
      const Vec3 normal = normalized(Vec3{unit(random), unit(random), unit(random)});
      const bool mirrored = round % 2 == 1;
      const Transform placement = Transform::rotation({unit(random), unit(random), 1}, 3 * unit(random)) *
                                  Transform::scaling(mirrored ? -1 : 1, 1, 1);
      const Vec3 through = placement.apply(solid->mesh().boundsInPart().centre() +
                                           Vec3{unit(random), unit(random), unit(random)});
      const SectionFrame frame(planeAt(normal, dot(normal, through)));
      const FlatRegion section = coveredBy(cutOf(*solid, placement, frame).loops);
      for (int i = 0; i < 300; ++i) {
        const FlatPoint middle = frame.flat(through);
        const FlatPoint at{middle.x + 5 * unit(random), middle.y + 5 * unit(random)};
        const Vec3 local = placement.inverse().apply(frame.world(at)) - solid->mesh().origin();
        const PointSide side = query.side(local, solid->watertightness());
        CHECK(contains(section, at) == (side == PointSide::inside));
        inside += side == PointSide::inside;
      }
    }
    CHECK(inside > 100);
  }
}

TEST_CASE("a finer mesh of the same shape has the same section", "[viewer][section]") {
  const BodyPtr coarse = bodyOf(sixSidedBox(4, 5, 6)), fine = bodyOf(sixSidedBox(4, 5, 6, 7));
  for (const Vec3& normal : {Vec3{1, 0, 0}, normalized(Vec3{1, -2, 0.5}), normalized(Vec3{1, 1, 1})})
    for (const double offset : {-1.3, 0.0, 0.9})
      CHECK(cutArea(*coarse, planeAt(normal, offset)) ==
            Approx(cutArea(*fine, planeAt(normal, offset))).epsilon(1e-6));
}

TEST_CASE("a plane in a face whose points are rounded cuts the whole face or none of it",
          "[viewer][section]") {
  // Turned by an angle and back, the corners of a face lie above or below the plane by rounding.
  const Transform turn = Transform::translation({3.3, 7.7, 1.1}) * Transform::rotation({1, 2, 3}, 0.7);
  const BodyPtr grid = bodyOf(transformed(sixSidedBox(6, 6, 6, 12), turn));
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      Vec3 normal;
      normal[axis] = side;
      CHECK(cutArea(*grid, planeAt(normal, 3), turn.inverse()) == Approx(36).epsilon(1e-4));
      CHECK(cutArea(*grid, planeAt(normal, -3), turn.inverse()) < 1e-4);
    }
}

TEST_CASE("a model without the wide tree is cut in the same lines", "[viewer][section]") {
  const MeshPtr mesh = icosphere(3, 3);
  BuildOptions withoutWide;
  withoutWide.wide.reset();
  const ModelPtr slow = modelOf(mesh, withoutWide);
  REQUIRE_FALSE(slow->hasWide());
  const Transform placement = Transform::translation({4, 0, 1}) * Transform::rotation({1, 2, 3}, 0.7);
  const SectionFrame frame(planeAt(normalized(Vec3{1, 1, 0}), 2.5));
  const PartCut a = cutOf(modelOf(mesh), placement, frame), b = cutOf(slow, placement, frame);
  CHECK(a.lines.size() == b.lines.size());
  CHECK(a.lines.size() > 20);
  const auto length = [](const PartCut& cut) {
    double sum = 0;
    for (const FlatLine& line : cut.lines)
      sum += std::hypot(line.to.x - line.from.x, line.to.y - line.from.y);
    return sum;
  };
  CHECK(length(a) == Approx(length(b)));
}

TEST_CASE("an open part is cut into lines only", "[viewer][section]") {
  std::vector<Triangle> lidless = trianglesOf(box(2, 2, 2));
  std::erase_if(lidless, [](const Triangle& t) { return t.v[0].z == 1 && t.v[1].z == 1 && t.v[2].z == 1; });
  REQUIRE(lidless.size() == 10);
  const BodyPtr open = bodyOf(fromTriangles("open", lidless));
  REQUIRE_FALSE(open->watertightness().closed());
  const auto length = [](const PartCut& cut) {
    double sum = 0;
    for (const FlatLine& line : cut.lines)
      sum += std::hypot(line.to.x - line.from.x, line.to.y - line.from.y);
    return sum;
  };
  const PartCut around = cutOf(*open, {}, SectionFrame(planeAt({0, 0, 1}, 0.2)));
  CHECK(around.loops.empty());  // although these lines happen to close
  CHECK(length(around) == Approx(8));
  CHECK(length(cutOf(*open, {}, SectionFrame(planeAt({1, 0, 0}, 0.2)))) == Approx(6));
  // The same for a part that was not examined.
  CHECK(length(cutOf(modelOf(box(2, 2, 2)), {}, SectionFrame(planeAt({1, 0, 0}, 0.2)))) == Approx(8));
}

}  // namespace section_cut_tests
