#include <osgFitup/swept_volume_node.h>

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <catch2/catch.hpp>
#include <osg/MatrixTransform>
#include <osgUtil/LineSegmentIntersector>

#include <fitup/base/error.h>
#include <models/process_plant.h>
#include <osgFitup/conversions.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/part_ghost.h>
#include <support/tiny_meshes.h>

#include "scene_checks.h"

namespace swept_volume_node_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;

namespace {

/// A swept volume by hand: a box of 2 x 4 x 6 about a point far from the origin, whose six sides are patches;
/// those of side s are from s to s + 1.
constexpr Vec3 middle{1000, 2000, 3000};
SweptVolume boxSwept() {
  SweptVolume swept;
  TriangleMeshBuilder builder("swept");
  const auto box = fitup::test::sixSidedBox(2, 4, 6);
  for (const Point3f& p : box->points()) builder.addPoint(box->origin() + Vec3{p.x, p.y, p.z} + middle);
  for (std::uint32_t s = 0; s < box->surfaces().size(); ++s) {
    const Surface& side = box->surfaces()[s];
    builder.beginSurface("a/b: face " + std::to_string(s));
    for (std::uint32_t t = side.firstTriangle; t < side.firstTriangle + side.triangleCount; ++t) {
      builder.addTriangle(box->triangles()[t][0], box->triangles()[t][1], box->triangles()[t][2]);
      swept.times.push_back(s + 0.5);
    }
    swept.patches.push_back({NodeId{7}, SurfaceId{s}, static_cast<double>(s), s + 1.0});
  }
  swept.outer = std::make_shared<const TriangleMesh>(builder.build());
  return swept;
}

/// The nearest hit of OSG's own intersector.
std::optional<osgUtil::LineSegmentIntersector::Intersection> shoot(osg::Node& root, const osg::Vec3d& from,
                                                                   const osg::Vec3d& to) {
  osg::ref_ptr<osgUtil::LineSegmentIntersector> line = new osgUtil::LineSegmentIntersector(from, to);
  osgUtil::IntersectionVisitor visitor(line);
  root.accept(visitor);
  if (!line->containsIntersections()) return std::nullopt;
  return line->getFirstIntersection();
}

}  // namespace

TEST_CASE("picks of a swept volume name the patch, its face and the time") {
  const SweptVolume swept = boxSwept();
  osg::ref_ptr<osg::MatrixTransform> root = new osg::MatrixTransform(osg::Matrixd::translate(0, 0, 50));
  osg::ref_ptr<SweptVolumeNode> node = new SweptVolumeNode(swept);
  root->addChild(node);
  const std::array<Vec3, 6> ways{Vec3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::set<std::string> names;
  for (const Vec3& way : ways) {
    // Shot from outside, a little beside the edges between triangles.
    const osg::Vec3d aim = toVec3d(middle + Vec3{0.1, 0.23, 0.37}) + osg::Vec3d(0, 0, 50);
    const auto hit = shoot(*root, aim + toVec3d(20.0 * way), aim);
    REQUIRE(hit);
    const auto found = node->getHit(hit->drawable, hit->primitiveIndex);
    REQUIRE(found);
    // The side that faces the way, by the triangle's corners.
    const Triangle triangle = swept.outer->triangle(found->triangle);
    const Vec3 normal = cross(triangle.v[1] - triangle.v[0], triangle.v[2] - triangle.v[0]);
    CHECK(dot(normalized(normal), way) > 0.999);
    CHECK(swept.outer->surfaceOf(found->triangle) == found->surface);
    CHECK(found->patch.instance == NodeId{7});
    CHECK(index(found->patch.face) == index(found->surface));
    CHECK(found->name == "a/b: face " + std::to_string(index(found->surface)));
    CHECK(found->time == index(found->surface) + 0.5);
    names.insert(found->name);
    // What is lit does not hide what was hit.
    node->setLitPatch(found->surface);
    const auto again = shoot(*root, aim + toVec3d(20.0 * way), aim);
    REQUIRE(again);
    const auto lit = node->getHit(again->drawable, again->primitiveIndex);
    REQUIRE(lit);
    CHECK(lit->triangle == found->triangle);
    node->setLitPatch(std::nullopt);
  }
  CHECK(names.size() == 6);
  CHECK_FALSE(node->getHit(nullptr, 0));
  const osg::ref_ptr<osg::Geometry> other = boxGeometry({0, 0, 0}, 1);
  CHECK_FALSE(node->getHit(other, 0));
}

TEST_CASE("a lit patch is drawn as one more geometry of its triangles") {
  const SweptVolume swept = boxSwept();
  osg::ref_ptr<SweptVolumeNode> node = new SweptVolumeNode(swept);
  osg::Group* placed = node->getChild(0)->asGroup();
  REQUIRE(placed->getNumChildren() == 2);
  osg::Geometry* lit = placed->getChild(1)->asGeometry();
  CHECK(lit->getNumPrimitiveSets() == 0);
  node->setLitPatch(SurfaceId{2});
  REQUIRE(lit->getNumPrimitiveSets() == 1);
  CHECK(lit->getPrimitiveSet(0)->getNumIndices() == 3 * swept.outer->surfaces()[2].triangleCount);
  node->setLitPatch(SurfaceId{3});
  CHECK(lit->getNumPrimitiveSets() == 1);
  CHECK(node->getLitPatch() == SurfaceId{3});
  node->setLitPatch(std::nullopt);
  CHECK(lit->getNumPrimitiveSets() == 0);
  CHECK_THROWS_WITH(node->setLitPatch(SurfaceId{6}), Catch::Contains("patch 6"));
  // Another volume lights nothing.
  node->setLitPatch(SurfaceId{2});
  node->setSweptVolume(boxSwept());
  CHECK_FALSE(node->getLitPatch());
}

TEST_CASE("colours show the time, from the first to the last") {
  SweptVolume swept = boxSwept();
  const osg::Vec4 first(1, 0, 0, 0.5F), last(0, 0, 1, 0.25F);
  osg::ref_ptr<SweptVolumeNode> node = new SweptVolumeNode(swept, {.colour = first, .lastColour = last});
  const auto faces = [&] { return node->getChild(0)->asGroup()->getChild(0)->asGeometry(); };
  const auto* colours = dynamic_cast<const osg::Vec4Array*>(faces()->getColorArray());
  REQUIRE(colours != nullptr);
  REQUIRE(colours->size() == swept.outer->points().size());
  // By hand: the mean of the triangles at each point, of times from 0.5 to 5.5.
  for (std::size_t i = 0; i < colours->size(); ++i) {
    double sum = 0, count = 0;
    for (std::uint32_t t = 0; t < swept.outer->triangleCount(); ++t)
      for (const std::uint32_t corner : swept.outer->triangles()[t])
        if (corner == i) {
          sum += index(swept.outer->surfaceOf(TriangleId{t})) + 0.5;
          ++count;
        }
    const auto share = static_cast<float>((sum / count - 0.5) / 5);
    CHECK(((*colours)[i] - (first * (1 - share) + last * share)).length() < 1e-5F);
  }
  // A sweep of one time has the first colour, and without a last colour there is no array.
  for (double& time : swept.times) time = 4;
  node->setSweptVolume(swept);
  for (const osg::Vec4& colour : *dynamic_cast<const osg::Vec4Array*>(faces()->getColorArray()))
    CHECK(colour == first);
  node->setStyle({.colour = last});
  CHECK(faces()->getColorArray() == nullptr);
}

TEST_CASE("a swept volume is where it was swept, and no part of the scene") {
  Assembly assembly("two");
  assembly.addNode("a", {}, {}, assembly.addPart(fitup::test::sixSidedBox(1, 1, 1)));
  const osg::ref_ptr<osg::Group> scene = createScene(Scene(assembly));
  osg::ref_ptr<SweptVolumeNode> node = new SweptVolumeNode(boxSwept());
  const osg::BoundingSphere bound = node->getBound();
  CHECK((osg::Vec3d(bound.center()) - toVec3d(middle)).length() < 1e-3);
  CHECK(bound.radius() == Approx(std::sqrt(1 + 4 + 9.0)).epsilon(1e-4));
  // Inside of the scene, too, it is neither checked nor given a model.
  scene->addChild(node);
  CHECK(visit(*scene)->getParts().size() == 1);
  CHECK(createAssembly(*scene).instances.size() == 1);
  CHECK(createAssembly(*scene).drawablesOutsideParts == 0);
}

TEST_CASE("a node without a surface shows nothing, and copies have their own nodes") {
  osg::ref_ptr<SweptVolumeNode> node = new SweptVolumeNode;
  CHECK(node->getSweptVolume() == nullptr);
  CHECK_THROWS_AS(node->setLitPatch(SurfaceId{0}), InputError);
  node->setSweptVolume({});
  CHECK(node->getNumChildren() == 0);
  CHECK_FALSE(node->getBound().valid());
  SweptVolume wrong = boxSwept();
  wrong.times.pop_back();
  CHECK_THROWS_WITH(node->setSweptVolume(wrong), Catch::Contains("SweptVolumeNode::setSweptVolume: swept"));
  wrong = boxSwept();
  wrong.patches.pop_back();
  CHECK_THROWS_AS(node->setSweptVolume(wrong), InputError);
  CHECK(node->getNumChildren() == 0);
  node->setSweptVolume(boxSwept());
  node->setLitPatch(SurfaceId{1});
  for (const osg::CopyOp::CopyFlags flags : {osg::CopyOp::SHALLOW_COPY, osg::CopyOp::DEEP_COPY_ALL}) {
    const osg::ref_ptr<SweptVolumeNode> copy = osg::clone(node.get(), osg::CopyOp(flags));
    CHECK(copy->getNumChildren() == 1);
    CHECK(copy->getChild(0) != node->getChild(0));
    CHECK(copy->getSweptVolume() == node->getSweptVolume());
    copy->setLitPatch(std::nullopt);
    CHECK(node->getLitPatch() == SurfaceId{1});
  }
}

TEST_CASE("the volume of a motion of the plant is picked, and names the part that moved") {
  if (!hasSweptVolumes()) return;
  const Scene scene(models::makeProcessPlant());
  const Track track{.name = "up", .moved = {models::spoolPath}, .steps = {{{}}, {{{}, {0, 0, 900}}}}};
  SweptVolumeOptions options;
  options.accuracy = 100;
  osg::ref_ptr<SweptVolumeNode> node = new SweptVolumeNode(sweptVolume(scene, track, options));
  const osg::Vec3d centre = node->getBound().center();
  const auto hit = shoot(*node, centre + osg::Vec3d(0, 0, 1e5), centre);
  REQUIRE(hit);
  const auto found = node->getHit(hit->drawable, hit->primitiveIndex);
  REQUIRE(found);
  CHECK(scene.assembly().path(found->patch.instance) == models::spoolPath);
  CHECK(found->name.find(std::string(models::spoolPath) + ": face ") == 0);
  CHECK(found->time == Approx(1));  // from above, the end of the motion is seen
}

TEST_CASE("a ghost is drawn where it is put, and seen by nothing else") {
  Assembly assembly("two");
  const PartId box = assembly.addPart(fitup::test::sixSidedBox(2, 2, 2));
  const NodeId a = assembly.addNode("a", Transform::translation({10, 0, 0}), {}, box);
  const NodeId b = assembly.addNode("b", Transform::translation({0, 10, 0}), {}, box);
  const osg::ref_ptr<osg::Group> graph = createScene(Scene(assembly));
  const SceneAssembly scene = createAssembly(*graph);
  osg::ref_ptr<PartGhost> ghost = new PartGhost;
  CHECK_FALSE(ghost->isShown());
  const std::array both{a, b};
  ghost->show(scene, both);
  CHECK(ghost->isShown());
  REQUIRE(ghost->getNumChildren() == 2);
  const RigidMotion motion{Quaternion{0, 0, std::sqrt(0.5), std::sqrt(0.5)}, {0, 0, 5}};
  ghost->setMotion(motion);
  CHECK(ghost->getMotion() == motion);
  const auto boundOf = [&](unsigned int i) {
    osg::BoundingSphere bound = ghost->getChild(i)->getBound();
    return osg::Vec3d(bound.center()) * ghost->getMatrix();
  };
  // A quarter turn about z takes x to y, and y to -x.
  CHECK((boundOf(0) - osg::Vec3d(0, 10, 5)).length() < 1e-6);
  CHECK((boundOf(1) - osg::Vec3d(-10, 0, 5)).length() < 1e-6);
  // Both draw one geometry, which is not that of the scene.
  const osg::Node* const drawn = ghost->getChild(0)->asGroup()->getChild(0);
  CHECK(drawn == ghost->getChild(1)->asGroup()->getChild(0));
  CHECK(drawn->getNumParents() == 2);
  graph->addChild(ghost);
  CHECK(graph->getBound().radius() < 15);  // not that of the ghost, at z = 5
  CHECK_FALSE(shoot(*graph, {0, 10, 100}, {0, 10, 4}));
  CHECK(visit(*graph)->getParts().size() == 2);
  CHECK(createAssembly(*graph).instances.size() == 2);
  ghost->setColour({1, 0, 0, 0.25F});
  CHECK(ghost->getColour() == osg::Vec4(1, 0, 0, 0.25F));
  // Shown anew, it is where the parts are.
  ghost->show(scene, std::array{b});
  CHECK(ghost->getMotion() == RigidMotion{});
  CHECK(ghost->getNumChildren() == 1);
  CHECK_THROWS_AS(ghost->show(scene, std::array{NodeId{99}}), InputError);
  CHECK(ghost->getNumChildren() == 1);
  const osg::ref_ptr<PartGhost> copy = osg::clone(ghost.get());
  CHECK(copy->isShown());
  ghost->clear();
  CHECK_FALSE(ghost->isShown());
  CHECK(copy->isShown());
}

}  // namespace swept_volume_node_tests
