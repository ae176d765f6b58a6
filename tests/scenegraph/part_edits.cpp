// Tests edits within parts, which their models have to follow.
#include <algorithm>
#include <utility>

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

namespace part_edits_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;
using fitup::test::difference;

namespace {

constexpr float farAway = 10;

/// A part "b" at the origin, and an empty part "a" for the test to fill.
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
  /// Returns the number of pairs of the monitor, after comparing it with rebuilt models.
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

osg::ref_ptr<osg::MatrixTransform> unnamed(osg::Node* child) { return placed("", {}, child); }

const osg::Matrixd toFarAway = osg::Matrixd::translate(farAway, 0, 0);

}  // namespace

TEST_CASE("a transform that is moved within a part is followed") {
  TwoParts scene;
  const auto inner = unnamed(boxGeometry({0.5F, 0.5F, 0.5F}, 1));
  inner->setMatrix(toFarAway);
  scene.a->addChild(inner);
  CHECK(scene.pairs() == 0);
  inner->setMatrix(osg::Matrixd());
  CHECK(scene.pairsOnceDirty() == 1);
  inner->setMatrix(toFarAway);
  CHECK(scene.pairsOnceDirty() == 0);
}

TEST_CASE("what switches and levels of detail show within a part is followed by itself") {
  TwoParts scene;
  const osg::ref_ptr<osg::Switch> shown = new osg::Switch;
  shown->addChild(boxGeometry({farAway, 0, 0}, 2), true);
  shown->addChild(boxGeometry({0.5F, 0.5F, 0.5F}, 1), false);
  const osg::ref_ptr<osg::LOD> levels = new osg::LOD;
  scene.a->addChild(shown);
  scene.a->addChild(levels);
  CHECK(scene.pairs() == 0);
  shown->setSingleChildOn(1);
  CHECK(scene.pairs() == 1);
  shown->setAllChildrenOff();
  CHECK(scene.pairs() == 0);
  // As osg::PagedLOD does when a finer level is loaded.
  levels->addChild(boxGeometry({0.5F, 0, 0}, 1), 0, 1e9F);
  CHECK(scene.pairs() == 1);
}

TEST_CASE("drawables that are put into a part, hidden or taken away are followed") {
  TwoParts scene;
  const osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  const auto first = boxGeometry({0.5F, 0.5F, 0.5F}, 1), second = boxGeometry({0.6F, 0, 0}, 1);
  scene.a->addChild(geode);
  CHECK(scene.pairs() == 0);
  geode->addChild(first);
  CHECK(scene.pairs() == 1);
  geode->addChild(second);
  CHECK(scene.pairs() == 1);
  const auto drawables = [&] {
    const osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
    visitor->setIntersectionLimit(osgUtil::Intersector::LIMIT_ONE_PER_DRAWABLE);
    scene.root->accept(*visitor);
    std::vector<const osg::Drawable*> found;
    for (const Interference& hit : visitor->getInterferences()) found.push_back(hit.sides[0].getDrawable());
    return found;
  };
  CHECK(drawables() == std::vector<const osg::Drawable*>{first, second});
  geode->removeChild(first);
  CHECK(drawables() == std::vector<const osg::Drawable*>{second});
  CHECK(scene.pairs() == 1);
  second->setNodeMask(0);
  CHECK(scene.pairsOnceDirty() == 0);
  second->setNodeMask(~0U);
  CHECK(scene.pairsOnceDirty() == 1);
  geode->setNodeMask(0);
  CHECK(scene.pairs() == 0);
  // In place of another one.
  geode->setNodeMask(~0U);
  geode->setChild(0, boxGeometry({0, 0, farAway}, 1));
  CHECK(scene.pairsOnceDirty() == 0);
}

TEST_CASE("a part within a part is found, and a part that shows nothing any more has no model") {
  TwoParts scene;
  CHECK(scene.pairs() == 0);
  const osg::ref_ptr<osg::Group> between = new osg::Group;
  scene.a->addChild(between);
  CHECK(scene.pairs() == 0);
  between->addChild(placed("within", {}, boxGeometry({0.5F, 0.5F, 0.5F}, 1)));
  CHECK(scene.pairs() == 1);
  CHECK(scene.monitor->getSceneAssembly().instances.size() == 3);
  scene.a->removeChildren(0, scene.a->getNumChildren());
  CHECK(scene.pairs() == 0);
  CHECK(partModelOf(*scene.a) == nullptr);
}

TEST_CASE("a shared node that becomes a part of its own is taken from the parts that showed it before") {
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  const osg::ref_ptr<osg::Geode> shared = new osg::Geode;
  shared->addChild(boxGeometry({}, 1));
  const auto a = placed("a", Transform::translation({farAway, 0, 0}), shared);
  const auto c = placed("c", Transform::translation({0, farAway, 0}), unnamed(shared));
  c->addChild(boxGeometry({0.5F, 0, 0}, 1));
  root->addChild(a);
  root->addChild(c);
  const osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(root);
  const auto ask = [&] {
    const osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
    root->accept(*visitor);
    CHECK(visitor->getWarnings().empty());
    CHECK(problemOfHits(*visitor, 1e-5) == "");
    monitor->update();
    CHECK(monitor->getSceneAssembly().instances.size() == visitor->getSceneAssembly().instances.size());
    CHECK(monitor->getReport().pairs.size() == visitor->getReport().pairs.size());
    return std::pair(visitor->getSceneAssembly().instances.size(), visitor->getReport().pairs.size());
  };
  using Counts = std::pair<std::size_t, std::size_t>;  // instances, pairs that intersect
  CHECK(ask() == Counts(2, 0));
  root->addChild(shared);
  // The shared node is a part wherever it occurs; the rest of c is still a part, which meets it.
  SECTION("asked by visitors") {
    CHECK(ask() == Counts(4, 1));
    CHECK(partModelOf(*a) == nullptr);
    CHECK(meshOf(*c).surfaces().size() == 1);
  }
  SECTION("asked by the monitor first") {
    monitor->update();
    CHECK(monitor->getSceneAssembly().instances.size() == 4);
    CHECK(monitor->getReport().pairs.size() == 1);
    CHECK_FALSE(monitor->update());
  }
  SECTION("models made alone") {
    const auto visitor = visit(*root);
    CHECK(visitor->getParts().size() == 2);
    CHECK(visitor->getBuiltModels() == 2);
    CHECK(visit(*root)->getBuiltModels() == 0);
  }
  CHECK(ask() == Counts(4, 1));
  CHECK(ask() == Counts(4, 1));
  root->removeChild(shared);  // it remains a part
  CHECK(ask() == Counts(3, 1));
}

TEST_CASE("a shared node without triangles that hangs beside a part changes no part") {
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  const auto lines = boxGeometry({}, 1);
  lines->setPrimitiveSet(0, new osg::DrawArrays(GL_LINES, 0, 6));
  const auto a = placed("a", {}, lines);
  a->addChild(boxGeometry({}, 1));
  root->addChild(a);
  visit(*root);
  const auto before = partModelOf(*a)->getCollisionModel();
  root->addChild(lines);
  root->addChild(placed("b", {}, boxGeometry({0.5F, 0.5F, 0.5F}, 1)));
  for (int i = 0; i < 3; ++i) {
    const osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
    root->accept(*visitor);
    CHECK(visitor->getReport().pairs.size() == 1);
    CHECK(partModelOf(*a)->getCollisionModel() == before);
  }
}

TEST_CASE("a part of createScene whose drawables have become another part is named at once") {
  Assembly assembly("one");
  assembly.addNode("a", Transform::translation({farAway, 0, 0}), {},
                   assembly.addPart(fitup::test::sixSidedBox(1, 1, 1, 1)));
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  const auto scene = createScene(fitup::Scene(assembly));
  root->addChild(scene);
  const auto asked = [&] {
    const osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
    root->accept(*visitor);
    return std::ranges::count_if(visitor->getWarnings(), [](const fitup::ImportWarning& w) {
      return w.message.find("nothing was checked") == std::string::npos;
    });
  };
  CHECK(asked() == 0);
  root->addChild(findPartNode(*scene, "a")->getChild(0));
  CHECK(asked() == 1);
  CHECK(asked() == 1);
}

TEST_CASE("static vertices and primitive sets that have changed are seen by dirty()") {
  TwoParts scene;
  osg::Geometry& geometry = *scene.a->getChild(0)->asGeometry();
  osg::Array& array = *geometry.getVertexArray();
  CHECK(scene.pairs() == 0);
  const auto before = partModelOf(*scene.a)->getCollisionModel();
  array.dirty();  // without a change
  CHECK(scene.pairsOnceDirty() == 0);
  CHECK(partModelOf(*scene.a)->getCollisionModel() == before);
  for (osg::Vec3& v : dynamic_cast<osg::Vec3Array&>(array)) v += osg::Vec3(0.5F - farAway, 0.5F, 0.5F);
  array.dirty();
  CHECK(scene.pairsOnceDirty() == 1);
  CHECK(!partModelOf(*scene.a)->getCollisionModel()->refitHistory().has_value());
  const osg::ref_ptr<osg::PrimitiveSet> all = geometry.getPrimitiveSet(0);
  geometry.setPrimitiveSet(0, new osg::DrawArrays(GL_LINES, 0, 6));
  CHECK(scene.pairsOnceDirty() == 0);
  geometry.setPrimitiveSet(0, all);
  CHECK(scene.pairsOnceDirty() == 1);
  // The numbers change, though the triangles stay in place.
  geometry.insertPrimitiveSet(0, new osg::DrawArrays(GL_LINES, 0, 6));
  CHECK(scene.pairsOnceDirty() == 1);
}

TEST_CASE("models are built anew only where something was edited, by the masks they were built with") {
  TwoParts scene;
  scene.a->addChild(boxGeometry({0.5F, 0.5F, 0.5F}, 1));
  scene.a->getChild(1)->setNodeMask(2);
  CHECK(scene.pairs() == 1);
  const auto b = partModelOf(*scene.b), a = partModelOf(*scene.a);
  // Masks select whole parts, whatever they hide inside.
  osg::ref_ptr<InterferenceMonitor> other = new InterferenceMonitor(scene.root);
  other->setTraversalMask(1);
  for (int i = 0; i < 3; ++i) {
    other->update();
    scene.monitor->update();
  }
  CHECK(partModelOf(*scene.a) == a);
  CHECK(other->getReport().pairs.size() == 1);
  CHECK(other->getRescans() == 1);
  scene.a->setChild(0, boxGeometry({-farAway, 0, 0}, 1));
  scene.monitor->dirty();
  for (int i = 0; i < 4; ++i) {
    scene.monitor->update();
    other->update();
  }
  CHECK(partModelOf(*scene.a) != a);
  CHECK(partModelOf(*scene.b) == b);
  CHECK(scene.monitor->getRescans() == 2);
  CHECK(other->getRescans() == 2);
  CHECK(meshOf(*scene.a).surfaces().size() == 2);
}

TEST_CASE("without building, a model that is out of date is refitted or named") {
  TwoParts scene;
  const auto inner = unnamed(boxGeometry({0.5F, 0.5F, 0.5F}, 1));
  inner->setMatrix(toFarAway);
  scene.a->addChild(inner);
  scene.monitor->setBuildMissingModels(false);
  visit(*scene.root);
  scene.monitor->update();
  inner->setMatrix(osg::Matrixd());
  CHECK(scene.pairsOnceDirty() == 1);
  CHECK(partModelOf(*scene.a)->getCollisionModel()->refitHistory().has_value());
  scene.a->addChild(boxGeometry({}, 1));
  scene.monitor->update();
  REQUIRE(scene.monitor->getWarnings().size() == 1);
  CHECK(scene.monitor->getWarnings()[0].element == "Group/a");
  CHECK(scene.monitor->getWarnings()[0].incomplete);
  // The next visitor that may build does so.
  scene.monitor->setBuildMissingModels(true);
  CHECK(scene.pairs() == 1);
}

TEST_CASE("parts of createScene keep the numbers of their triangles: refitted, or named as out of date") {
  Assembly assembly("two");
  const PartId part = assembly.addPart(fitup::test::sixSidedBox(1, 1, 1, 1));
  assembly.addNode("a", {}, {}, part);
  assembly.addNode("b", Transform::translation({3, 0, 0}), {}, part);
  const auto root = createScene(fitup::Scene(assembly));
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(root);
  monitor->update();
  CHECK(monitor->getReport().pairs.empty());
  PartNode& a = *findPartNode(*root, "a");
  const auto before = a.getCollisionModel();
  osg::Group& surfaces = *a.getChild(0)->asGroup()->getChild(0)->asGroup();

  // Copies of everything below show the same.
  const osg::ref_ptr<PartNode> copy = osg::clone(&a, osg::CopyOp(osg::CopyOp::DEEP_COPY_ALL));
  copy->setName("copy");
  copy->setPlacement(Transform::translation({0, 0, 3}));
  root->addChild(copy);
  monitor->update();
  CHECK(monitor->getWarnings().empty());
  CHECK(copy->getCollisionModel() == before);
  CHECK(a.getPartModel() == findPartNode(*root, "b")->getPartModel());

  const osg::ref_ptr<osg::MatrixTransform> between = unnamed(nullptr);
  SECTION("vertices") {
    for (unsigned i = 0; i < surfaces.getNumChildren(); ++i) {
      osg::Array& array = *surfaces.getChild(i)->asGeometry()->getVertexArray();
      for (osg::Vec3& v : dynamic_cast<osg::Vec3Array&>(array)) v.x() *= 4;
      array.dirty();
    }
    monitor->dirty();
    monitor->update();
    CHECK(monitor->getReport().pairs.size() == 1);
    CHECK(monitor->getWarnings().empty());
    CHECK(a.getCollisionModel()->refitHistory().has_value());
    CHECK(findPartNode(*root, "b")->getPartModel() == a.getPartModel());
    CHECK(copy->getCollisionModel() == before);
    CHECK(a.getPartModel()->getPrimitiveNumbering() == PrimitiveNumbering::consecutive);
  }
  SECTION("drawables") {
    surfaces.addChild(boxGeometry({3, 0, 0}, 1));
    monitor->update();
    REQUIRE(monitor->getWarnings().size() == 2);
    CHECK(monitor->getWarnings()[0].element == "two/a");
    CHECK(monitor->getWarnings()[0].incomplete);
    CHECK(a.getCollisionModel() == before);
    surfaces.removeChildren(6, 1);
    monitor->update();
    CHECK(monitor->getWarnings().empty());
  }
}

TEST_CASE("edits within parts that were read from a file are followed") {
  const fitup::test::TemporaryFolder folder;
  TwoParts scene;
  const auto inner = unnamed(boxGeometry({0.5F, 0.5F, 0.5F}, 1));
  inner->setMatrix(toFarAway);
  scene.a->addChild(inner);
  CHECK(scene.pairs() == 0);
  visit(*scene.root, true);
  const std::string file = (folder.path() / "scene.osgb").string();
  REQUIRE(osgDbOfThisBuild().writeNode(*scene.root, file, nullptr).success());
  const osg::ref_ptr<osg::Group> read = osgDB::readRefFile<osg::Group>(file);
  REQUIRE(read);
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(read);
  monitor->update();
  CHECK(monitor->getReport().pairs.empty());
  osg::Node& a = *read->getChild(0);
  const auto first = partModelOf(a)->getCollisionModel();
  monitor->dirty();
  monitor->update();
  CHECK(partModelOf(a)->getCollisionModel() == first);
  a.asGroup()->getChild(1)->asTransform()->asMatrixTransform()->setMatrix(osg::Matrixd());
  monitor->dirty();
  monitor->update();
  CHECK(monitor->getReport().pairs.size() == 1);
  // Edited before the first visit.
  const osg::ref_ptr<osg::Group> again = osgDB::readRefFile<osg::Group>(file);
  again->getChild(0)->asGroup()->removeChildren(1, 1);
  const osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
  again->accept(*visitor);
  CHECK(meshOf(*again->getChild(0)).surfaces().size() == 1);
}

TEST_CASE("dynamic drawables of a scene that was read from a file are refitted") {
  const fitup::test::TemporaryFolder folder;
  TwoParts scene;
  scene.a->getChild(0)->setDataVariance(osg::Object::DYNAMIC);
  CHECK(scene.pairs() == 0);
  visit(*scene.root, true);
  const std::string file = (folder.path() / "scene.osgb").string();
  REQUIRE(osgDbOfThisBuild().writeNode(*scene.root, file, nullptr).success());
  for (const bool isMovedFirst : {false, true}) {
    const osg::ref_ptr<osg::Group> read = osgDB::readRefFile<osg::Group>(file);
    REQUIRE(read);
    osg::Node& a = *read->getChild(0);
    CHECK(needsRefit(a));  // unknown
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
    // Vertices that agree with the model need no other model.
    CHECK((partModelOf(a)->getCollisionModel() == first) == !isMovedFirst);
    if (!isMovedFirst) move();
    monitor->update();
    CHECK(monitor->getReport().pairs.size() == 1);
    CHECK(monitor->getWarnings().empty());
  }
}

}  // namespace part_edits_tests
