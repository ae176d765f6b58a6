#include <osgFitup/refit_parts.h>

#include <cmath>

#include <catch2/catch.hpp>
#include <osg/Geode>
#include <osg/MatrixTransform>

#include <fitup/base/error.h>
#include <osgFitup/collision_model_visitor.h>
#include <osgFitup/conversions.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/interference_monitor.h>
#include <osgFitup/interference_visitor.h>
#include <support/interference_checks.h>
#include <support/tiny_meshes.h>

#include "scene_checks.h"

namespace refit_parts_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;
using fitup::test::difference;

namespace {

/// A sheet that waves about z = 0, indexed or as a soup, and a ball above it.
struct Waving {
  osg::ref_ptr<osg::Group> root = new osg::Group;
  osg::ref_ptr<osg::MatrixTransform> sheet = new osg::MatrixTransform, other = new osg::MatrixTransform;
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  osg::ref_ptr<osg::Vec3Array> vertices = new osg::Vec3Array;

  explicit Waving(bool indexed) {
    constexpr int n = 24;
    osg::ref_ptr<osg::DrawElementsUInt> elements = new osg::DrawElementsUInt(GL_TRIANGLES);
    const auto vertex = [&](int i, int j) {
      vertices->push_back({static_cast<float>(i) / 4 - 3, static_cast<float>(j) / 4 - 3, 0});
      return static_cast<unsigned int>(vertices->size() - 1);
    };
    if (indexed)
      for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) vertex(i, j);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (const auto& [a, b] : {std::pair(0, 0), std::pair(1, 0), std::pair(1, 1), std::pair(0, 0),
                                   std::pair(1, 1), std::pair(0, 1)})
          elements->push_back(indexed ? static_cast<unsigned int>((i + a) * (n + 1) + j + b)
                                      : vertex(i + a, j + b));
    vertices->push_back({1e9F, 0, 0});  // no triangle uses it
    geometry->setVertexArray(vertices);
    geometry->addPrimitiveSet(new osg::DrawArrays(GL_LINES, 0, 2));
    geometry->addPrimitiveSet(elements);
    geometry->setDataVariance(osg::Object::DYNAMIC);
    sheet->setName("sheet");
    // A transform without a name is applied to the model's coordinates.
    osg::ref_ptr<osg::MatrixTransform> inner =
        new osg::MatrixTransform(toMatrix(Transform::translation({0.1, 0.2, 0.3})));
    inner->addChild(geometry);
    sheet->addChild(inner);
    other->setName("ball");
    other->setMatrix(toMatrix(Transform::translation({0.3, -0.2, 1.1})));
    other->addChild(boxGeometry({}, 1));
    root->addChild(sheet);
    root->addChild(other);
  }
  void wave(double phase) {
    for (osg::Vec3& v : *vertices) v.z() = static_cast<float>(0.6 * std::sin(2.0 * v.x() + phase));
    vertices->dirty();
  }
};

osg::ref_ptr<InterferenceVisitor> ask(osg::Node& root) {
  osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
  root.accept(*visitor);
  return visitor;
}

/// Checks with models rebuilt from what is drawn; leaves those in the graph.
InterferenceReport rebuilt(osg::Node& root) {
  osg::ref_ptr<CollisionModelVisitor> builder = new CollisionModelVisitor;
  builder->setRebuild(true);
  root.accept(*builder);
  const SceneAssembly scene = createAssembly(root);
  return fitup::test::loopOverPairs(scene.assembly(), scene.scene.collisionModels(),
                                    fitup::test::designPlacements(scene.assembly()),
                                    [](std::size_t, std::size_t) { return true; });
}

}  // namespace

TEST_CASE("dirty vertices of dynamic drawables lead to refitted models, which answer like new ones") {
  for (const bool indexed : {true, false}) {
    Waving scene(indexed), twin(indexed);
    osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(scene.root);
    monitor->setOptions({});
    monitor->update();
    const auto first = partModelOf(*scene.sheet)->getCollisionModel();
    std::size_t hits = 0, changed = 0;
    InterferenceReport before = monitor->getReport();
    for (int step = 0; step < 8; ++step) {
      scene.wave(step);
      twin.wave(step);
      const InterferenceReport expected = rebuilt(*twin.root);
      if (step % 2 == 0) {
        CHECK(needsRefit(*scene.sheet));
        CHECK(monitor->update());
        CHECK(difference(monitor->getReport(), expected) == "");
      }
      const auto visitor = ask(*scene.root);
      CHECK(!needsRefit(*scene.sheet));
      CHECK(difference(visitor->getReport(), expected) == "");
      CHECK(problemOfHits(*visitor, 1e-5) == "");
      monitor->update();
      CHECK(difference(monitor->getReport(), expected) == "");
      hits += expected.pairs.size();
      changed += difference(before, expected).empty() ? 0 : 1;
      before = expected;
    }
    CHECK(hits > 4);
    CHECK(changed > 4);
    const auto last = partModelOf(*scene.sheet)->getCollisionModel();
    REQUIRE(last->refitHistory().has_value());
    CHECK(last->refitHistory()->refits == 8);
    CHECK(!first->refitHistory().has_value());
    CHECK(partModelOf(*scene.other)->getCollisionModel()->refitHistory() == std::nullopt);
    // Static drawables keep their models, and so do visitors with refitting turned off.
    scene.geometry->setDataVariance(osg::Object::STATIC);
    scene.wave(20);
    CHECK(!needsRefit(*scene.sheet));
    scene.geometry->setDataVariance(osg::Object::DYNAMIC);
    CHECK(needsRefit(*scene.sheet));
    osg::ref_ptr<InterferenceVisitor> keeps = new InterferenceVisitor;
    keeps->setRefit(false);
    scene.root->accept(*keeps);
    CHECK(partModelOf(*scene.sheet)->getCollisionModel() == last);
  }
}

TEST_CASE("instances of a deformed part share its refitted model") {
  Assembly assembly("two");
  const PartId part = assembly.addPart(
      fitup::test::transformed(fitup::test::uvSphere(1, 16, 8, 4), Transform::translation({500, 0, 0})));
  assembly.addNode("a", {}, {}, part);
  assembly.addNode("b", Transform::translation({0, 0, 3}), {}, part);
  const auto root = createScene(fitup::Scene(assembly));
  CHECK(!ask(*root)->containsInterferences());
  PartNode* a = findPartNode(*root, "a");
  for (std::uint32_t s = 0; s < a->getCollisionModel()->mesh().surfaces().size(); ++s) {
    osg::Geometry* geometry = a->getSurfaceDrawable(SurfaceId{s})->asGeometry();
    geometry->setDataVariance(osg::Object::DYNAMIC);
    for (osg::Vec3& v : dynamic_cast<osg::Vec3Array&>(*geometry->getVertexArray())) v.z() *= 1.75F;
    geometry->getVertexArray()->dirty();
  }
  const auto old = a->getCollisionModel();
  const auto visitor = ask(*root);
  CHECK(visitor->containsInterferences());
  CHECK(problemOfHits(*visitor, 1e-4) == "");
  CHECK(a->getCollisionModel() != old);
  CHECK(findPartNode(*root, "b")->getPartModel() == a->getPartModel());
  CHECK(visitor->getSceneAssembly().assembly().partCount() == 1);
  CHECK(visitor->getWarnings().empty());
}

TEST_CASE("what cannot be refitted is said") {
  Waving scene(true);
  (void)ask(*scene.root);
  const auto model = partModelOf(*scene.sheet)->getCollisionModel();
  // Other triangles.
  scene.geometry->removePrimitiveSet(1);
  scene.geometry->addPrimitiveSet(new osg::DrawArrays(GL_TRIANGLES, 0, 30));
  scene.vertices->dirty();
  const RefitResult refit = refitParts(createAssembly(*scene.root));
  REQUIRE(refit.warnings.size() == 1);
  CHECK(refit.warnings[0].element.find("sheet") != std::string::npos);
  CHECK(refit.warnings[0].incomplete);
  CHECK(refit.renewedParts == 0);
  CHECK(partModelOf(*scene.sheet)->getCollisionModel() == model);
  // A visitor may rebuild.
  const auto visitor = ask(*scene.root);
  CHECK(visitor->getWarnings().empty());
  CHECK(meshOf(*scene.sheet).triangleCount() == 10);
  CHECK(!needsRefit(*scene.sheet));
  // Points that do not exist.
  Waving broken(true);
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(broken.root);
  monitor->update();
  (*broken.vertices)[5].z() = NAN;
  broken.vertices->dirty();
  monitor->update();
  CHECK((!monitor->getError().empty() || !monitor->getWarnings().empty()));
  (*broken.vertices)[5].z() = 0;
  broken.vertices->dirty();
  monitor->update();
  CHECK(monitor->getError().empty());
  CHECK(monitor->getWarnings().empty());
}

TEST_CASE("copies with drawables of their own are refitted each for itself") {
  Assembly assembly("one");
  assembly.addNode("a", {}, {}, assembly.addPart(fitup::test::uvSphere(1, 16, 8, 4)));
  const auto root = createScene(fitup::Scene(assembly));
  PartNode* a = findPartNode(*root, "a");
  osg::ref_ptr<PartNode> b = osg::clone(a, osg::CopyOp(osg::CopyOp::DEEP_COPY_ALL));
  b->setName("b");
  root->addChild(b);
  REQUIRE(a->getPartModel() == b->getPartModel());
  const auto stretch = [](PartNode& part, float by) {
    for (std::uint32_t s = 0; s < part.getCollisionModel()->mesh().surfaces().size(); ++s) {
      osg::Geometry* geometry = part.getSurfaceDrawable(SurfaceId{s})->asGeometry();
      geometry->setDataVariance(osg::Object::DYNAMIC);
      for (osg::Vec3& v : dynamic_cast<osg::Vec3Array&>(*geometry->getVertexArray())) v.z() *= by;
      geometry->getVertexArray()->dirty();
    }
  };
  stretch(*a, 1.75F);
  stretch(*b, 0.5F);
  (void)ask(*root);
  CHECK(meshOf(*a).bounds().halfExtent().z == Approx(1.75));
  CHECK(meshOf(*b).bounds().halfExtent().z == Approx(0.5));
  CHECK(!needsRefit(*a));
  CHECK(!needsRefit(*b));
}

TEST_CASE("vertices that are vertex attribute 0 are followed like a vertex array") {
  Waving scene(true), twin(true);
  scene.geometry->setVertexArray(nullptr);
  scene.geometry->setVertexAttribArray(0, scene.vertices, osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(scene.root);
  monitor->setOptions({});
  monitor->update();
  std::size_t hits = 0;
  for (int step = 0; step < 8; ++step) {
    scene.wave(step);
    twin.wave(step);
    CHECK(needsRefit(*scene.sheet));
    CHECK(monitor->update());
    CHECK(difference(monitor->getReport(), rebuilt(*twin.root)) == "");
    hits += monitor->getReport().pairs.size();
  }
  CHECK(hits > 2);
}

TEST_CASE("a vertex array that was replaced is noticed, wherever the next one comes to lie") {
  Waving scene(true);
  (void)ask(*scene.root);
  for (int i = 0; i < 50; ++i) {
    const VertexVersion before = versionOf(*scene.geometry);
    for (int k = 0; k < 2; ++k)
      scene.geometry->setVertexArray(new osg::Vec3Array(*scene.vertices, osg::CopyOp::DEEP_COPY_ALL));
    scene.vertices = nullptr;  // only the geometry owns it
    CHECK(!(versionOf(*scene.geometry) == before));
    CHECK(needsRefit(*scene.sheet));
    scene.vertices = dynamic_cast<osg::Vec3Array*>(scene.geometry->getVertexArray());
  }
}

}  // namespace refit_parts_tests
