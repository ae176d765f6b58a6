// Edits within parts, which their models have to follow.
#include <catch2/catch.hpp>
#include <osg/Geode>
#include <osg/LOD>
#include <osg/MatrixTransform>
#include <osg/Switch>
#include <osgDB/ReadFile>
#include <osgDB/WriteFile>

#include <osgFitup/collision_model_visitor.h>
#include <osgFitup/conversions.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/interference_monitor.h>
#include <osgFitup/interference_visitor.h>
#include <osgFitup/refit_parts.h>
#include <support/interference_checks.h>
#include <support/temporary_folder.h>
#include <support/tiny_meshes.h>

#include "scene_checks.h"

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;
using fitup::test::difference;

namespace {

constexpr float farAway = 10;

/// A part "b" at the origin, and a part "a" that is not there but for what a test puts there.
struct TwoParts {
  osg::ref_ptr<osg::Group> root = new osg::Group;
  osg::ref_ptr<osg::MatrixTransform> a = placed("a", {}, boxGeometry({farAway, 0, 0}, 1));
  osg::ref_ptr<osg::MatrixTransform> b = placed("b", {}, boxGeometry({}, 1));
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(root);

  TwoParts() {
    root->addChild(a);
    root->addChild(b);
    monitor->setOptions({});
  }
  /// Pairs that the monitor knows; what it says has to be what models built anew would.
  std::size_t pairs() {
    monitor->update();
    REQUIRE(monitor->getError().empty());
    const osg::ref_ptr<osg::Node> copy = osg::clone(root.get(), osg::CopyOp(osg::CopyOp::DEEP_COPY_NODES));
    const osg::ref_ptr<CollisionModelVisitor> builder = new CollisionModelVisitor;
    builder->setRebuild(true);
    copy->accept(*builder);
    const osg::ref_ptr<InterferenceVisitor> anew = new InterferenceVisitor, here = new InterferenceVisitor;
    copy->accept(*anew);
    root->accept(*here);
    CHECK(difference(monitor->getReport(), anew->getReport()) == "");
    CHECK(difference(here->getReport(), anew->getReport()) == "");
    CHECK(problemOfHits(*here, 1e-5) == "");
    CHECK(monitor->getWarnings().empty());
    return monitor->getReport().pairs.size();
  }
  std::size_t pairsOnceDirty() {
    monitor->dirty();
    return pairs();
  }
};

}  // namespace

TEST_CASE("dynamic drawables of a scene that was read from a file are refitted") {
  const fitup::test::TemporaryFolder folder;
  TwoParts scene;
  scene.a->getChild(0)->setDataVariance(osg::Object::DYNAMIC);
  CHECK(scene.pairs() == 0);
  const std::string file = (folder.path() / "scene.osgb").string();
  REQUIRE(osgDB::writeNodeFile(*scene.root, file));
  for (const bool isMovedFirst : {false, true}) {
    const osg::ref_ptr<osg::Group> read = osgDB::readRefFile<osg::Group>(file);
    REQUIRE(read);
    osg::Node& a = *read->getChild(0);
    CHECK(needsRefit(a));  // who knows
    osg::Array& array = *a.asGroup()->getChild(0)->asGeometry()->getVertexArray();
    const auto move = [&] {
      for (osg::Vec3& v : dynamic_cast<osg::Vec3Array&>(array)) v += osg::Vec3(0.5F - farAway, 0.5F, 0.5F);
      array.dirty();
    };
    if (isMovedFirst) move();
    osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(read);
    const auto first = partModelOf(a)->getCollisionModel();
    monitor->update();
    CHECK(!needsRefit(a));
    // Vertices that are where the model has them want no other model.
    CHECK((partModelOf(a)->getCollisionModel() == first) == !isMovedFirst);
    if (!isMovedFirst) move();
    monitor->update();
    CHECK(monitor->getReport().pairs.size() == 1);
    CHECK(monitor->getWarnings().empty());
  }
}
