#include <osgFitup/create_scene.h>

#include <set>

#include <catch2/catch.hpp>
#include <osg/ComputeBoundsVisitor>
#include <osg/Material>
#include <osgUtil/IntersectionVisitor>
#include <osgUtil/LineSegmentIntersector>
#include <osgUtil/Optimizer>

#include <fitup/base/error.h>
#include <models/process_plant.h>
#include <osgFitup/conversions.h>
#include <osgFitup/highlight.h>
#include <osgFitup/smooth_triangles.h>
#include <support/random_assembly.h>
#include <support/tiny_meshes.h>

namespace create_scene_tests {

using namespace fitup;
using namespace fitup::test;
using osgFitup::PartNode;

namespace {

const osg::Vec3Array& verticesOf(const osg::Geometry& geometry) {
  return dynamic_cast<const osg::Vec3Array&>(*geometry.getVertexArray());
}

/// Returns what is wrong with the drawables of an instance; empty if each surface's primitives are its
/// triangles.
std::string problemOf(PartNode& part) {
  const TriangleMesh& mesh = part.getCollisionModel()->mesh();
  for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
    const Surface& surface = mesh.surfaces()[s];
    auto* geometry = dynamic_cast<osgFitup::SurfaceGeometry*>(part.getSurfaceDrawable(SurfaceId{s}));
    if (geometry == nullptr) return "no drawable";
    if (geometry->getSurface() != SurfaceId{s}) return "wrong ordinal";
    const osg::NodePath path = part.getPartModel()->pathTo(part, SurfaceId{s});
    if (path.empty() || path.back() != geometry) return "wrong path";
    if (part.getPartModel()->surfaceAt(path) != SurfaceId{s}) return "path does not lead back";
    if (surface.triangleCount == 0) {
      if (geometry->getNumPrimitiveSets() != 0) return "triangles of nothing";
      continue;
    }
    if (geometry->getNumPrimitiveSets() != 1) return "not one primitive set";
    const osg::PrimitiveSet& triangles = *geometry->getPrimitiveSet(0);
    if (triangles.getNumIndices() != 3 * surface.triangleCount) return "not all triangles";
    for (std::uint32_t k = 0; k < surface.triangleCount; ++k) {
      const TriangleId id{surface.firstTriangle + k};
      if (part.getPartModel()->primitiveIndexOf(id) != k) return "wrong primitive";
      const auto range = part.getPartModel()->trianglesOf(SurfaceId{s}, k);
      if (range.first != id || range.count != 1) return "primitive does not lead back";
      for (std::uint32_t c = 0; c < 3; ++c) {
        const Point3f& p = mesh.points()[mesh.triangles()[surface.firstTriangle + k][c]];
        if (verticesOf(*geometry)[triangles.index(3 * k + c)] != osg::Vec3(p.x, p.y, p.z))
          return "other points";
      }
    }
    for (const osg::Vec3& n : dynamic_cast<const osg::Vec3Array&>(*geometry->getNormalArray()))
      if (std::abs(n.length() - 1) > 1e-5F) return "normal is no unit vector";
  }
  if (part.getPartModel()->trianglesOf(SurfaceId{0}, 1U << 30).count != 0)
    return "a primitive that is not there";
  if (part.getSurfaceDrawable(SurfaceId{static_cast<std::uint32_t>(mesh.surfaces().size())}) != nullptr)
    return "a surface that is not there";
  return {};
}

}  // namespace

TEST_CASE("scene of the plant: an instance for each node, a drawable for each surface, models shared") {
  const Assembly plant = models::makeProcessPlant();
  const CollisionModels models = buildCollisionModels(plant);
  const auto root = osgFitup::createScene(fitup::Scene(plant, models));
  REQUIRE(root);
  CHECK(root->getName() == plant.name());
  const auto parts = osgFitup::partNodesBelow(*root);
  const auto instances = plant.instances();
  REQUIRE(parts.size() == instances.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const AssemblyNode& node = plant.node(instances[i]);
    CHECK(parts[i]->getInstancePath() == plant.path(instances[i]));
    CHECK(parts[i]->getName() == node.name);
    CHECK(parts[i]->getCollisionModel() == models[index(*node.part)]);
    CHECK(parts[i]->getPlacement() == node.parentFromNode);
    CHECK(parts[i]->getDesignPlacement() == node.parentFromNode);
    CHECK(problemOf(*parts[i]) == "");
  }
  PartNode* spool = osgFitup::findPartNode(*root, models::spoolPath);
  REQUIRE(spool != nullptr);
  const Transform design = spool->getDesignPlacement();
  spool->setPlacement(Transform::translation({1, 2, 3}) * design);
  CHECK(spool->getPlacement() != design);
  spool->resetPlacement();
  CHECK(spool->getPlacement() == design);
  CHECK(osgFitup::findPartNode(*root, "nowhere") == nullptr);
}

TEST_CASE(
    "scenes of random assemblies: shared drawables, placements of every kind, bounds as the toolkit's") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Assembly assembly = randomAssembly(seed, 24);
    const auto root = osgFitup::createScene(fitup::Scene(assembly));
    const auto parts = osgFitup::partNodesBelow(*root);
    REQUIRE(parts.size() == assembly.instances().size());
    std::set<const osg::Drawable*> drawables;
    std::set<const CollisionModel*> models;
    for (PartNode* part : parts) {
      CHECK(problemOf(*part) == "");
      const NodeId id = assembly.at(part->getInstancePath());
      CHECK(part->getPlacement() == assembly.node(id).parentFromNode);
      if (part->getCollisionModel()->mesh().triangleCount() == 0) continue;
      models.insert(part->getCollisionModel().get());
      drawables.insert(part->getSurfaceDrawable(SurfaceId{0}));

      osg::ComputeBoundsVisitor bounds;
      part->getParent(0)->accept(bounds);  // in the parent's frame, with siblings: only a sanity check
      CHECK(bounds.getBoundingBox().valid());
      const auto worlds = part->getChild(0)->getWorldMatrices();
      REQUIRE(worlds.size() == 1);
      const Vec3 p{0.5, -0.25, 2};
      const Vec3 origin = part->getCollisionModel()->mesh().origin();
      CHECK(norm(osgFitup::toVec3(osgFitup::toVec3d(p) * worlds[0]) -
                 assembly.worldFromNode(id).apply(p + origin)) < 1e-6);
    }
    CHECK(drawables.size() == models.size());
  }
}

TEST_CASE("colours of surfaces and instances, mirrored instances") {
  TriangleMeshBuilder builder("two-coloured");
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) builder.addPoint(p);
  builder.beginSurface("red", Colour{1, 0, 0, 1});
  builder.addTriangle(0, 1, 2);
  builder.beginSurface("none");
  builder.addTriangle(0, 2, 1);
  Assembly assembly("colours");
  const PartId part = assembly.addPart(std::make_shared<const TriangleMesh>(builder.build()));
  assembly.addNode("plain", {}, {}, part);
  assembly.addNode("green", {}, {}, part, Colour{0, 1, 0, 0.5F});
  assembly.addNode("mirrored", Transform::scaling(-1, 1, 1), {}, part, Colour{0, 1, 0, 0.5F});
  osgFitup::SceneOptions options;
  options.defaultColour = {0, 0, 1, 1};
  const auto root = osgFitup::createScene(fitup::Scene(assembly), options);
  const auto parts = osgFitup::partNodesBelow(*root);
  REQUIRE(parts.size() == 3);
  const auto colourOf = [](const osg::StateSet& state) {
    return dynamic_cast<const osg::Material&>(*state.getAttribute(osg::StateAttribute::MATERIAL))
        .getDiffuse(osg::Material::FRONT);
  };
  CHECK(colourOf(*parts[0]->getSurfaceDrawable(SurfaceId{0})->getStateSet()) == osg::Vec4(1, 0, 0, 1));
  CHECK(colourOf(*parts[0]->getSurfaceDrawable(SurfaceId{1})->getStateSet()) == osg::Vec4(0, 0, 1, 1));
  CHECK(parts[0]->getChild(0)->getStateSet() == nullptr);
  for (const std::size_t i : {1U, 2U}) {
    const osg::StateSet& state = *parts[i]->getChild(0)->getStateSet();
    CHECK(colourOf(state) == osg::Vec4(0, 1, 0, 0.5F));
    CHECK(state.getRenderingHint() == osg::StateSet::TRANSPARENT_BIN);
    CHECK((state.getAttribute(osg::StateAttribute::FRONTFACE) != nullptr) == (i == 2));
    CHECK((state.getAttributePair(osg::StateAttribute::MATERIAL)->second & osg::StateAttribute::OVERRIDE) !=
          0);
  }
}

TEST_CASE(
    "parts far from the origin keep their coordinates in transforms, which the optimizer leaves alone") {
  Assembly assembly("far");
  const Transform far = Transform::translation({1e7 + 0.125, -3e7, 5e6});
  const auto mesh = transformed(sixSidedBox(1, 1, 1, 1), far);
  REQUIRE(mesh->origin() != Vec3{});
  assembly.addNode("box", {}, {}, assembly.addPart(mesh));
  const auto root = osgFitup::createScene(fitup::Scene(assembly));
  const auto before = root->getChild(0)->asGroup()->getChild(0);
  osgUtil::Optimizer optimizer;
  optimizer.optimize(root);
  const auto parts = osgFitup::partNodesBelow(*root);
  REQUIRE(parts.size() == 1);
  CHECK(parts[0]->getChild(0) == before);
  CHECK(problemOf(*parts[0]) == "");
  osg::ref_ptr<osgUtil::LineSegmentIntersector> ray = new osgUtil::LineSegmentIntersector(
      osg::Vec3d(1e7 + 0.25, -3e7 + 0.1, 5e6 + 10), osg::Vec3d(1e7 + 0.25, -3e7 + 0.1, 5e6 - 10));
  osgUtil::IntersectionVisitor visitor(ray);
  root->accept(visitor);
  REQUIRE(ray->containsIntersections());
  CHECK(ray->getFirstIntersection().getWorldIntersectPoint().z() == Approx(5e6 + 0.5).epsilon(1e-12));
}

TEST_CASE("a pick of osgUtil leads to surface and triangle") {
  Assembly assembly("pick");
  const auto mesh = sixSidedBox(2, 2, 2, 4);
  const PartId part = assembly.addPart(mesh);
  const NodeId left = assembly.addNode("left", Transform::translation({-5, 0, 0}), {}, part);
  const NodeId right = assembly.addNode("right", Transform::translation({5, 0, 0}), {}, part);
  const auto root = osgFitup::createScene(fitup::Scene(assembly));
  for (const auto& [x, expected] : {std::pair(-5.3, left), std::pair(4.6, right)}) {
    osg::ref_ptr<osgUtil::LineSegmentIntersector> ray =
        new osgUtil::LineSegmentIntersector(osg::Vec3d(x, 0.3, 10), osg::Vec3d(x, 0.3, -10));
    osgUtil::IntersectionVisitor visitor(ray);
    root->accept(visitor);
    const auto hit = ray->getFirstIntersection();
    const auto* drawable = dynamic_cast<const osgFitup::SurfaceGeometry*>(hit.drawable.get());
    REQUIRE(drawable != nullptr);
    CHECK(drawable->getSurface() == SurfaceId{5});
    osg::NodePath path = hit.nodePath;
    while (!path.empty() && dynamic_cast<PartNode*>(path.front()) == nullptr) path.erase(path.begin());
    REQUIRE(!path.empty());
    auto& instance = dynamic_cast<PartNode&>(*path.front());
    CHECK(assembly.at(instance.getInstancePath()) == expected);
    CHECK(instance.getPartModel()->surfaceAt(path) == SurfaceId{5});
    const auto triangle = instance.getPartModel()->trianglesOf(SurfaceId{5}, hit.primitiveIndex);
    REQUIRE(triangle.count == 1);
    // The picked point lies within the triangle's box.
    const Aabb box = mesh->triangleBounds(triangle.first);
    const osg::Vec3d p = hit.getLocalIntersectPoint();
    CHECK((p.x() >= box.min.x - 1e-6 && p.x() <= box.max.x + 1e-6));
    CHECK((p.y() >= box.min.y - 1e-6 && p.y() <= box.max.y + 1e-6));
  }
}

TEST_CASE("copies of part nodes find their own drawables") {
  Assembly assembly("copies");
  assembly.addNode("box", Transform::translation({1, 2, 3}), {}, assembly.addPart(sixSidedBox(1, 1, 1, 1)));
  const auto root = osgFitup::createScene(fitup::Scene(assembly));
  PartNode* original = osgFitup::partNodesBelow(*root).at(0);
  const osg::ref_ptr<PartNode> shallow = new PartNode(*original);
  CHECK(shallow->getPartModel() == original->getPartModel());
  CHECK(shallow->getSurfaceDrawable(SurfaceId{3}) == original->getSurfaceDrawable(SurfaceId{3}));
  const osg::ref_ptr<PartNode> deep = osg::clone(original, osg::CopyOp(osg::CopyOp::DEEP_COPY_ALL));
  CHECK(deep->getCollisionModel() == original->getCollisionModel());
  CHECK(deep->getInstancePath() == "box");
  CHECK(deep->getDesignPlacement() == original->getDesignPlacement());
  CHECK(deep->getSurfaceDrawable(SurfaceId{3}) != original->getSurfaceDrawable(SurfaceId{3}));
  CHECK(problemOf(*deep) == "");
  deep->removeChildren(0, 1);
  CHECK(deep->getSurfaceDrawable(SurfaceId{3}) == nullptr);
}

TEST_CASE("models that do not belong to the assembly are refused, a cancelled scene is none") {
  Assembly assembly("wrong");
  assembly.addNode("box", {}, {}, assembly.addPart(sixSidedBox(1, 1, 1, 1)));
  CHECK_THROWS_AS(osgFitup::createScene(fitup::Scene(assembly, {modelOf(tetrahedron(1))})), InputError);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(osgFitup::createScene(fitup::Scene(assembly), {}, Progress(stop.get_token())),
                  CancelledError);
}

TEST_CASE("a scene without drawables has the same nodes and models, and its triangles can be highlighted") {
  const Assembly plant = models::makeProcessPlant();
  const fitup::Scene scene(plant);
  const auto full = osgFitup::createScene(scene), bare = osgFitup::createScene(scene, {.drawables = false});
  const std::vector<PartNode*> drawn = osgFitup::partNodesBelow(*full),
                               empty = osgFitup::partNodesBelow(*bare);
  REQUIRE(drawn.size() == empty.size());
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    CHECK(empty[i]->getInstancePath() == drawn[i]->getInstancePath());
    CHECK(empty[i]->getMatrix() == drawn[i]->getMatrix());
    CHECK(empty[i]->getCollisionModel() == drawn[i]->getCollisionModel());
    CHECK(empty[i]->getSurfaceDrawable(SurfaceId{0}) == nullptr);
  }
  osg::ref_ptr<osgFitup::Highlight> highlight = new osgFitup::Highlight;
  const osg::NodePath path = empty.front()->getParentalNodePaths(bare).at(0);
  const TriangleMesh& mesh = empty.front()->getCollisionModel()->mesh();
  CHECK(highlight->showTriangles(path, osgFitup::trianglesOf(mesh, SurfaceId{0})) != 0);
  osgFitup::SmoothTriangles shape;
  const TriangleId none[] = {TriangleId{static_cast<std::uint32_t>(mesh.triangleCount())}};
  CHECK_THROWS_AS(shape.append(mesh, none), InputError);
  // Appended twice, the vertices of the second time are others.
  shape.append(mesh, osgFitup::trianglesOf(mesh, SurfaceId{0}));
  const std::size_t once = shape.points->size();
  shape.append(mesh, osgFitup::trianglesOf(mesh, SurfaceId{0}));
  CHECK(shape.points->size() == 2 * once);
  CHECK(shape.normals->size() == shape.points->size());
  CHECK((*shape.triangles)[shape.triangles->size() / 2] == (*shape.triangles)[0] + once);
}

}  // namespace create_scene_tests
