// Tests what becomes a part of a scene, and what becomes a surface.
#include <algorithm>
#include <cmath>
#include <tuple>

#include <catch2/catch.hpp>
#include <osg/ClipNode>
#include <osg/Geode>
#include <osg/LOD>
#include <osg/LightSource>
#include <osg/PositionAttitudeTransform>
#include <osg/Switch>

#include <osgFitup/collision_model_visitor.h>
#include <osgFitup/conversions.h>
#include <osgFitup/scene_assembly.h>
#include <support/placements.h>

#include "scene_checks.h"

namespace parts_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;
using fitup::test::Random;

namespace {

using Names = std::vector<std::string>;

/// Makes a seeded graph in which anything may be shared: groups, geodes, transforms with names, without names
/// and of another class, marks, switches.
osg::ref_ptr<osg::Group> randomGraph(Random& random) {
  std::vector<osg::ref_ptr<osg::Node>> pool;
  for (int i = 0; i < 4; ++i) {
    const Vec3 c = random.inCube(4);
    pool.emplace_back(boxGeometry(osg::Vec3(toVec3d(c)), static_cast<float>(random.between(0.5, 2))));
  }
  osg::ref_ptr<osg::Group> node;
  for (int i = 0; i < 14; ++i) {
    const std::uint32_t kind = random.below(6);
    const auto placement = fitup::test::randomPlacement(
        fitup::test::allPlacementClasses[random.below(fitup::test::allPlacementClasses.size())], random, 5);
    if (kind == 0)
      node = new osg::Group;
    else if (kind == 1)
      node = new osg::Switch;
    else if (kind == 2) {
      osg::ref_ptr<osg::PositionAttitudeTransform> shifted = new osg::PositionAttitudeTransform;
      shifted->setPosition(toVec3d(random.inCube(3)));
      node = shifted;
    } else
      node = placed(kind == 3 ? "" : "n" + std::to_string(i), placement, nullptr);
    if (random.below(8) == 0) markAsPart(*node);
    const std::uint32_t children = 1 + random.below(3);
    for (std::uint32_t c = 0; c < children; ++c)
      node->addChild(pool[pool.size() - 1 -
                          random.below(std::min<std::uint32_t>(8, static_cast<std::uint32_t>(pool.size())))]);
    if (kind == 1 && random.below(2) == 0) node->asSwitch()->setValue(0, false);
    pool.emplace_back(node);
  }
  osg::ref_ptr<osg::Group> root = new osg::Group;
  for (int i = 0; i < 3; ++i) root->addChild(pool[pool.size() - 1 - static_cast<std::size_t>(i)]);
  return root;
}

/// Returns the centres of triangles in a fixed order, to compare the results of two walks.
std::vector<Vec3> sortedMiddles(const std::vector<Triangle>& triangles) {
  std::vector<Vec3> middles;
  for (const Triangle& t : triangles) {
    // Rounded, so that the order is the same for both.
    Vec3 m = (t.v[0] + t.v[1] + t.v[2]) * (1.0 / 3);
    for (int k = 0; k < 3; ++k) m[k] = std::nearbyint(m[k] * 256) / 256 + 0.0;
    middles.push_back(m);
  }
  std::sort(middles.begin(), middles.end(),
            [](const Vec3& a, const Vec3& b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); });
  return middles;
}

}  // namespace

TEST_CASE("random graphs: each triangle that OSG draws belongs to one instance, none is missing or double") {
  std::size_t triangles = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const auto root = randomGraph(random);
    const auto visitor = visit(*root);
    const SceneAssembly scene = createAssembly(*root, visitor);
    std::vector<Triangle> found;
    for (const SceneInstance& instance : scene.instances) {
      const TriangleMesh& mesh = instance.part->getCollisionModel()->mesh();
      const Transform worldFromPart = scene.assembly().worldFromNode(instance.node);
      for (const TriangleIndices& t : mesh.triangles())
        found.push_back(
            {{worldFromPart.apply(mesh.pointInPart(t[0])), worldFromPart.apply(mesh.pointInPart(t[1])),
              worldFromPart.apply(mesh.pointInPart(t[2]))}});
      for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
        const auto path = instance.part->pathTo(*instance.path.back(), SurfaceId{s});
        CHECK(instance.part->surfaceAt(path).has_value());
      }
    }
    const std::vector<Triangle> drawn = trianglesByOsg(*root);
    const auto a = sortedMiddles(found), b = sortedMiddles(drawn);
    INFO("seed " << seed);
    REQUIRE(a.size() == b.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) different += norm(a[i] - b[i]) > 0.02 ? 1 : 0;
    CHECK(different <= a.size() / 50);  // the order of those that round to either side
    CHECK(scene.drawablesOutsideParts == 0);
    triangles += drawn.size();
  }
  CHECK(triangles > 10000);
}

TEST_CASE("parts: named transforms, nested ones too, loose geometry of their parents stays theirs") {
  osg::ref_ptr<osg::Group> root = new osg::Group;
  const auto inner = placed("inner", Transform::translation({0, 0, 5}), boxGeometry({}, 1));
  const auto outer = placed("outer", Transform::translation({5, 0, 0}), inner);
  outer->addChild(boxGeometry({0, 3, 0}, 1));
  root->addChild(outer);
  root->addChild(placed("empty", {}, nullptr));
  const auto visitor = visit(*root);
  CHECK(namesOfParts(*visitor) == Names{"outer", "inner"});
  CHECK(meshOf(*outer).triangleCount() == 12);
  CHECK(meshOf(*outer).boundsInPart().centre() == Vec3{0, 3, 0});
  CHECK(meshOf(*inner).boundsInPart().centre() == Vec3{});
  CHECK(visitor->getBuiltModels() == 2);
  CHECK(visitor->getWarnings().empty());
  const SceneAssembly scene = createAssembly(*root);
  REQUIRE(scene.instances.size() == 2);
  CHECK(scene.assembly().find("outer"));
  CHECK(scene.assembly().worldFromNode(scene.assembly().at("outer/inner")).t == Vec3{5, 0, 5});
}

TEST_CASE("parts: a mark makes one part of all below it, marks below it more") {
  osg::ref_ptr<osg::Group> root = new osg::Group;
  osg::ref_ptr<osg::Group> marked = new osg::Group;
  marked->setName("marked");
  markAsPart(*marked);
  const auto within = placed("within", Transform::translation({0, 0, 5}), boxGeometry({}, 1));
  const auto own = placed("own", Transform::translation({0, 0, 9}), boxGeometry({}, 1));
  markAsPart(*own);
  marked->addChild(within);
  marked->addChild(own);
  marked->addChild(boxGeometry({}, 1));
  root->addChild(marked);
  root->addChild(placed("other", {}, boxGeometry({}, 1)));
  CHECK(namesOfParts(*visit(*root)) == Names{"marked", "own", "other"});
  CHECK(meshOf(*marked).surfaces().size() == 2);
  CHECK(meshOf(*marked).boundsInPart().max.z == 5.5);
  CHECK(partModelOf(*within) == nullptr);
  markAsPart(*marked, false);
  CHECK(!isMarkedAsPart(*marked));
}

TEST_CASE("parts of last resort: top-level children, below chains of single children") {
  osg::ref_ptr<osg::Group> root = new osg::Group;
  osg::ref_ptr<osg::MatrixTransform> turn = new osg::MatrixTransform(osg::Matrixd::rotate(1, 0, 0, 1));
  root->addChild(turn);
  osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  geode->setName("geode");
  geode->addChild(boxGeometry({}, 1));
  geode->addChild(boxGeometry({3, 0, 0}, 1));
  osg::ref_ptr<osg::PositionAttitudeTransform> shifted = new osg::PositionAttitudeTransform;
  shifted->setPosition({0, 0, 7});
  shifted->addChild(boxGeometry({}, 1));
  const auto bare = boxGeometry({0, 9, 0}, 1);
  turn->addChild(geode);
  turn->addChild(shifted);
  turn->addChild(bare);
  CHECK(visit(*root)->getParts().size() == 3);
  CHECK(meshOf(*geode).surfaces().size() == 2);
  CHECK(meshOf(*shifted).boundsInPart().centre() == Vec3{});
  CHECK(meshOf(*bare).boundsInPart().centre() == Vec3{0, 9, 0});
  CHECK(partModelOf(*bare)->pathTo(*bare, SurfaceId{0}) == osg::NodePath{bare.get()});
  const SceneAssembly scene = createAssembly(*root);
  REQUIRE(scene.instances.size() == 3);
  CHECK(scene.assembly().worldBounds(scene.instances[1].node).centre().z == Approx(7));

  osg::ref_ptr<osg::Group> single = new osg::Group;
  single->addChild(geode);
  CHECK(visit(*single)->getParts() == std::vector<osg::ref_ptr<osg::Node>>{geode.get()});
}

TEST_CASE("shared geometry: one model for all places, each with its own path, duplicates among children") {
  osg::ref_ptr<osg::Geode> shared = new osg::Geode;
  const auto box = boxGeometry({}, 1);
  shared->addChild(box);
  shared->addChild(boxGeometry({2, 0, 0}, 1));
  shared->addChild(box);
  osg::ref_ptr<osg::Group> root = new osg::Group;
  const auto a = placed("a", Transform::translation({10, 0, 0}), shared);
  const auto b = placed("b", Transform::scaling(1, 2, 3), shared);
  osg::ref_ptr<osg::Group> between = new osg::Group;
  between->addChild(shared);
  const auto c = placed("c", {}, between);
  // The same node twice in the tree: two instances of one part.
  const auto above = placed("above", Transform::translation({0, 50, 0}), a);
  for (osg::Node* node : std::initializer_list<osg::Node*>{a, b, c, above}) root->addChild(node);
  const auto visitor = visit(*root);
  CHECK(namesOfParts(*visitor) == Names{"a", "b", "c"});
  CHECK(visitor->getBuiltModels() == 1);
  CHECK(&meshOf(*a) == &meshOf(*b));
  CHECK(&meshOf(*a) == &meshOf(*c));
  CHECK(meshOf(*a).surfaces().size() == 3);
  CHECK(partModelOf(*c)->getSurfacePaths()[1] == ChildPath{0, 0, 1});
  const SceneAssembly scene = createAssembly(*root);
  CHECK(scene.assembly().partCount() == 1);
  REQUIRE(scene.instances.size() == 4);
  CHECK(scene.assembly().path(scene.instances[3].node) == "above/a");
  CHECK(scene.assembly().worldFromNode(scene.instances[3].node).t == Vec3{10, 50, 0});
  CHECK(scene.instancesBelow(*a).size() == 2);
}

TEST_CASE("transforms below a part are worked into its model, drawables that occur twice are two surfaces") {
  const auto box = boxGeometry({}, 2);
  osg::ref_ptr<osg::MatrixTransform> scaled = new osg::MatrixTransform(osg::Matrixd::scale(1, 2, 3));
  osg::ref_ptr<osg::MatrixTransform> shifted = new osg::MatrixTransform(osg::Matrixd::translate(10, 0, 0));
  scaled->addChild(shifted);
  shifted->addChild(box);
  const auto part = placed("part", Transform::translation({100, 0, 0}), scaled);
  part->addChild(box);
  visit(*part);
  REQUIRE(meshOf(*part).surfaces().size() == 2);
  CHECK(meshOf(*part).boundsInPart().max == Vec3{11, 2, 3});
  CHECK(meshOf(*part).boundsInPart().min == Vec3{-1, -2, -3});
  const PartModel& model = *partModelOf(*part);
  CHECK(model.pathTo(*part, SurfaceId{0}) ==
        osg::NodePath{part.get(), scaled.get(), shifted.get(), box.get()});
  CHECK(model.pathTo(*part, SurfaceId{1}) == osg::NodePath{part.get(), box.get()});
  for (std::uint32_t s = 0; s < 2; ++s)
    CHECK(model.surfaceAt(model.pathTo(*part, SurfaceId{s})) == SurfaceId{s});
}

TEST_CASE("a part that was given its model before it was put below a name stays one part") {
  const auto box = boxGeometry({}, 1);
  osg::ref_ptr<osg::Group> loaded = new osg::Group;
  loaded->addChild(box);
  CHECK(visit(*loaded)->getParts().size() == 1);
  osg::ref_ptr<osg::Group> root = new osg::Group;
  const auto named = placed("named", {}, loaded);
  root->addChild(named);
  root->addChild(boxGeometry({9, 0, 0}, 1));
  CHECK(visit(*root)->getParts().size() == 2);
  CHECK(partModelOf(*box) != nullptr);
  CHECK(partModelOf(*named) == nullptr);
  CHECK(createAssembly(*root).instances.size() == 2);
  osg::ref_ptr<CollisionModelVisitor> again = new CollisionModelVisitor;
  again->setRebuild(true);
  root->accept(*again);
  CHECK(partModelOf(*box) == nullptr);
  CHECK(partModelOf(*named) != nullptr);
  CHECK(createAssembly(*root).instances.size() == 2);
}

TEST_CASE("parts: what hangs under a group of any class, but not what stands for one thing") {
  const auto partsBelow = [](osg::Group* root) {
    const osg::ref_ptr<osg::Group> kept = root;
    for (int i = 0; i < 2; ++i) {
      osg::ref_ptr<osg::Geode> geode = new osg::Geode;
      geode->addDrawable(boxGeometry(osg::Vec3(0.25F * static_cast<float>(i), 0, 0), 1));
      if (auto* lod = dynamic_cast<osg::LOD*>(root))
        lod->addChild(geode, 0, 100);
      else
        root->addChild(geode);
    }
    return visit(*root)->getParts().size();
  };
  CHECK(partsBelow(new osg::Group) == 2);
  CHECK(partsBelow(new osg::LightSource) == 2);
  CHECK(partsBelow(new osg::ClipNode) == 2);
  CHECK(partsBelow(new osg::Switch) == 2);
  CHECK(partsBelow(new osg::LOD) == 1);
  osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  geode->addDrawable(boxGeometry({}, 1));
  geode->addDrawable(boxGeometry({3, 0, 0}, 1));
  CHECK(visit(*geode)->getParts().size() == 1);
}

TEST_CASE("parts: children that masks hide are none when the top-level ones are looked for") {
  osg::ref_ptr<osg::Group> root = new osg::Group, model = new osg::Group;
  for (int i = 0; i < 3; ++i) model->addChild(boxGeometry(osg::Vec3(0.25F * static_cast<float>(i), 0, 0), 1));
  osg::ref_ptr<osg::Group> handle = new osg::Group;
  handle->addChild(boxGeometry({}, 1));
  handle->setNodeMask(2);
  root->addChild(model);
  root->addChild(handle);
  osg::ref_ptr<CollisionModelVisitor> visitor = new CollisionModelVisitor;
  visitor->setTraversalMask(~2U);
  root->accept(*visitor);
  CHECK(visitor->getParts().size() == 3);
}

}  // namespace parts_tests
