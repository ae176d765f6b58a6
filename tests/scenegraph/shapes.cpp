// Tests osg::ShapeDrawables of each kind: watertight parts with the volume of the shape.
#include <cmath>
#include <numbers>
#include <type_traits>

#include <catch2/catch.hpp>
#include <osg/ShapeDrawable>

#include <fitup/mesh/watertightness.h>
#include <support/run_program.h>
#include <support/temporary_folder.h>

#include "scene_checks.h"

namespace shapes_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;

namespace {

constexpr double pi = std::numbers::pi;
/// OSG's coarsest angular step, in rows of a sphere.
const double sagitta = 1 - std::cos(pi / 20);

/// A shape with its volume, and the volume that facets may cut off: chord error times area.
struct Solid {
  osg::ref_ptr<osg::Shape> shape;
  double volume, cutOff;
};

/// Off the origin, turned.
template <typename Shape>
osg::ref_ptr<osg::Shape> turned(Shape* shape, float scale) {
  shape->setCenter(osg::Vec3(3, -7, 11) * scale);
  if constexpr (!std::is_same_v<Shape, osg::Sphere>) shape->setRotation(osg::Quat(0.7, osg::Vec3d(1, 2, 3)));
  return shape;
}

osg::ref_ptr<osg::Shape> octahedron(osg::TriangleMesh* mesh, float size, unsigned int facets = 8) {
  const osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array;
  for (const osg::Vec3& p : {osg::Vec3(1, 0, 0), osg::Vec3(-1, 0, 0), osg::Vec3(0, 1, 0), osg::Vec3(0, -1, 0),
                             osg::Vec3(0, 0, 1), osg::Vec3(0, 0, -1)})
    points->push_back(p * size);
  const osg::ref_ptr<osg::UIntArray> indices = new osg::UIntArray;
  for (unsigned int facet = 0; facet < facets; ++facet) {
    const unsigned int x = facet & 1U, y = 2 + (facet >> 1U & 1U), z = 4 + (facet >> 2U & 1U);
    const bool isMirrored = ((facet & 1U) + (facet >> 1U & 1U) + (facet >> 2U & 1U)) % 2 == 1;
    for (const unsigned int i : {x, isMirrored ? z : y, isMirrored ? y : z}) indices->push_back(i);
  }
  mesh->setVertices(points);
  mesh->setIndices(indices);
  return mesh;
}

std::vector<Solid> solids(float r) {
  const double R = r, h = 3 * R, round = 4 * pi * R * R * R / 3;
  std::vector<Solid> all;
  all.push_back({turned(new osg::Sphere({}, r), r), round, sagitta * R * 4 * pi * R * R});
  all.push_back({turned(new osg::Box({}, 2 * r, 3 * r, 4 * r), r), 24 * R * R * R, 0});
  all.push_back(
      {turned(new osg::Cone({}, r, 3 * r), r), pi * R * R * h / 3, sagitta * R * pi * R * std::hypot(R, h)});
  all.push_back({turned(new osg::Cylinder({}, r, 3 * r), r), pi * R * R * h, sagitta * R * 2 * pi * R * h});
  all.push_back({turned(new osg::Capsule({}, r, 3 * r), r), pi * R * R * h + round,
                 sagitta * R * (2 * pi * R * h + 4 * pi * R * R)});
  all.push_back({octahedron(new osg::TriangleMesh, r), 4 * R * R * R / 3, 0});
  all.push_back({octahedron(new osg::ConvexHull, r), 4 * R * R * R / 3, 0});
  const osg::ref_ptr<osg::CompositeShape> composite = new osg::CompositeShape;
  composite->addChild(new osg::Box(osg::Vec3(9, 0, 0) * r, 2 * r));
  composite->addChild(new osg::Sphere(osg::Vec3(-9, 0, 0) * r, r));
  composite->addChild(octahedron(new osg::TriangleMesh, r));
  all.push_back({composite, 8 * R * R * R + round + 4 * R * R * R / 3, sagitta * R * 4 * pi * R * R});
  return all;
}

}  // namespace

TEST_CASE("shapes of every kind come out closed, with their volume") {
  for (const float size : {1.0F, 1e-3F, 250.0F})
    for (const Solid& solid : solids(size))
      for (const float detail : {0.0F, 1.5F}) {  // 0: OSG's default
        INFO(solid.shape->className() << " of " << size << ", detail " << detail);
        const osg::ref_ptr<osg::TessellationHints> hints = new osg::TessellationHints;
        if (detail > 0) hints->setDetailRatio(detail);
        const auto part = placed("part", {}, new osg::ShapeDrawable(solid.shape, hints));
        CHECK(visit(*part)->getWarnings().empty());
        const TriangleMesh& mesh = meshOf(*part);
        const Watertightness watertightness(mesh, MeshTopology(mesh));
        INFO(text(watertightness));
        CHECK(watertightness.closed());
        CHECK(watertightness.nonManifoldEdges() == 0);
        CHECK(watertightness.volume() <= solid.volume * (1 + 1e-4));
        CHECK(watertightness.volume() >= solid.volume * (1 - 1e-4) - solid.cutOff);
        for (const ComponentWatertightness& component : watertightness.components())
          CHECK(component.signedVolume > 0);
      }
}

TEST_CASE("parts of shapes that are hollow are what is drawn: open, and said to be") {
  const osg::ref_ptr<osg::TessellationHints> hints = new osg::TessellationHints;
  hints->setCreateBottom(false);
  hints->setCreateTop(false);
  const osg::ref_ptr<osg::HeightField> field = new osg::HeightField;
  field->allocate(4, 5);
  field->setHeight(1, 1, 2);
  std::vector<osg::ref_ptr<osg::Shape>> open{new osg::Cylinder({}, 1, 2), field,
                                             octahedron(new osg::TriangleMesh, 1, 7)};
  for (const auto& shape : open) {
    INFO(shape->className());
    const auto part = placed("part", {}, new osg::ShapeDrawable(shape, hints));
    visit(*part);
    const TriangleMesh& mesh = meshOf(*part);
    const Watertightness watertightness(mesh, MeshTopology(mesh));
    CHECK(mesh.triangleCount() >= 7);
    CHECK_FALSE(watertightness.closed());
    CHECK(text(watertightness).starts_with("open"));
  }
}

}  // namespace shapes_tests
