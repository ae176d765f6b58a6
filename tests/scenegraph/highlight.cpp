#include <osgFitup/highlight.h>

#include <set>

#include <catch2/catch.hpp>
#include <osgUtil/LineSegmentIntersector>

#include <fitup/base/error.h>
#include <fitup/hierarchy/level_boxes.h>
#include <models/process_plant.h>
#include <osgFitup/conversions.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/interference_visitor.h>
#include <support/tiny_meshes.h>

#include "scene_checks.h"
#include "scene_state.h"

namespace highlight_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;

namespace {

struct Plant {
  Assembly assembly = models::makeProcessPlant();
  osg::ref_ptr<osg::Group> scene = createScene(fitup::Scene(assembly));
  osg::ref_ptr<osg::Group> root = new osg::Group;
  osg::ref_ptr<Highlight> highlight = new Highlight;
  PartNode* spool = findPartNode(*scene, models::spoolPath);

  Plant() {
    root->addChild(scene);
    root->addChild(highlight);
  }
  [[nodiscard]] osg::NodePath pathTo(PartNode& part) const {
    for (const osg::NodePath& path : part.getParentalNodePaths(root)) return {path.begin() + 1, path.end()};
    return {};
  }
};

/// Vertex arrays with the matrices by which they are drawn.
using Drawn = std::set<std::pair<const void*, std::vector<double>>>;

Drawn byArray(const std::vector<DrawnDrawable>& drawn) {
  Drawn result;
  for (const auto& d : drawn) {
    const double* entries = d.matrix.ptr();
    result.emplace(d.geometry->getVertexArray(), std::vector<double>(entries, entries + 16));
  }
  return result;
}

Drawn surfacesOf(const InterferenceVisitor& visitor) {
  Drawn result;
  for (const Interference& hit : visitor.getInterferences())
    for (const auto& side : hit.sides) {
      const double* entries = side.getMatrix().ptr();
      result.emplace(side.getDrawable()->asGeometry()->getVertexArray(),
                     std::vector<double>(entries, entries + 16));
    }
  return result;
}

}  // namespace

TEST_CASE("what is highlighted goes with the part, shares its vertices and leaves the scene as it was") {
  Plant plant;
  const SceneState before = sceneStateOf(*plant.scene);
  const osg::BoundingSphere bound = plant.root->getBound();
  const osg::NodePath toSpool = plant.pathTo(*plant.spool);
  const osg::Geometry* original = plant.spool->getSurfaceDrawable(SurfaceId{7})->asGeometry();
  const Highlight::Id id = plant.highlight->showSurface(toSpool, SurfaceId{7}, {.colour = {0, 0, 1, 1}});
  auto drawn = drawnBelow(*plant.highlight);
  REQUIRE(drawn.size() == 1);
  CHECK(drawn[0].geometry->getVertexArray() == original->getVertexArray());
  CHECK(drawn[0].geometry->getPrimitiveSetList() == original->getPrimitiveSetList());
  CHECK(drawn[0].geometry != original);
  const auto whereItIs = [&] {
    osg::NodePath path = toSpool;
    const osg::NodePath below = plant.spool->getPartModel()->pathTo(*plant.spool, SurfaceId{7});
    path.insert(path.end(), below.begin() + 1, below.end());
    return osg::computeLocalToWorld(path);
  };
  CHECK(drawn[0].matrix == whereItIs());
  const osg::Node* shown = drawn[0].geometry;
  plant.spool->setPlacement(Transform::translation({1, 2, 3}) * Transform::rotation({0, 0, 1}, 0.5));
  drawn = drawnBelow(*plant.highlight);
  REQUIRE(drawn.size() == 1);
  CHECK(drawn[0].geometry == shown);
  CHECK(drawn[0].matrix == whereItIs());
  // Hidden with its part.
  plant.spool->setNodeMask(2);
  CHECK(drawnBelow(*plant.highlight, 1).empty());
  plant.spool->setNodeMask(~0U);
  plant.spool->resetPlacement();

  const TriangleId triangles[] = {TriangleId{3}, TriangleId{4}};
  plant.highlight->showTriangles(toSpool, triangles);
  plant.highlight->showBoxes(toSpool, HierarchyKind::wide, 2);
  CHECK(plant.highlight->getNumShown() == 3);
  CHECK(sceneStateOf(*plant.scene) == before);
  CHECK(plant.root->getBound() == bound);
  CHECK(plant.highlight->hide(id));
  CHECK(!plant.highlight->hide(id));
  CHECK(drawnBelow(*plant.highlight).size() == 2);
  plant.highlight->hideAll();
  CHECK(drawnBelow(*plant.highlight).empty());
  CHECK(plant.highlight->getNumChildren() == 0);
  CHECK(sceneStateOf(*plant.scene) == before);
}

TEST_CASE("of vertices that are vertex attribute 0 the same array is drawn, if the original draws it") {
  const auto box = osgFitup::test::boxGeometry({}, 1);
  const osg::ref_ptr<osg::Array> vertices = box->getVertexArray();
  box->setVertexArray(nullptr);
  box->setVertexAttribArray(0, vertices, osg::Array::BIND_PER_VERTEX);
  const auto part = placed("part", {}, box);
  visit(*part);
  const osg::ref_ptr<Highlight> highlight = new Highlight;
  const SceneState before = sceneStateOf(*part);
  highlight->showSurface({part.get()}, SurfaceId{0});
  const auto drawn = drawnBelow(*highlight);
  REQUIRE(drawn.size() == 1);
  CHECK(drawn[0].geometry->getVertexArray() == vertices);
  CHECK(sceneStateOf(*part) == before);
  vertices->setBinding(osg::Array::BIND_UNDEFINED);
  CHECK(drawnBelow(*highlight).at(0).geometry->getVertexArray() == nullptr);
  CHECK(vertices->getBinding() == osg::Array::BIND_UNDEFINED);
}

TEST_CASE("triangles, lines and boxes that are shown are those that were asked for") {
  Plant plant;
  const osg::NodePath toSpool = plant.pathTo(*plant.spool);
  const CollisionModel& model = *plant.spool->getCollisionModel();
  const Transform worldFromSpool = toTransform(osg::computeLocalToWorld(toSpool));
  const auto pointsOf = [](const DrawnDrawable& drawn) {
    std::vector<osg::Vec3d> points;
    for (const osg::Vec3& v : dynamic_cast<const osg::Vec3Array&>(*drawn.geometry->getVertexArray()))
      points.push_back(osg::Vec3d(v) * drawn.matrix);
    return points;
  };
  const auto near = [](const osg::Vec3d& a, const Vec3& b) { return (a - toVec3d(b)).length() < 1e-3; };

  const TriangleId triangles[] = {TriangleId{5}, TriangleId{1000}};
  const auto id = plant.highlight->showTriangles(toSpool, triangles);
  auto points = pointsOf(drawnBelow(*plant.highlight).at(0));
  const DrawnDrawable shown = drawnBelow(*plant.highlight).at(0);
  const auto& corners = dynamic_cast<const osg::DrawElementsUInt&>(*shown.geometry->getPrimitiveSet(0));
  REQUIRE(corners.size() == 6);
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(
        near(points.at(corners[i]),
             worldFromSpool.apply(model.mesh().origin() + model.mesh().triangle(triangles[i / 3]).v[i % 3])));
  plant.highlight->hide(id);

  const auto boxes = levelBoxes(model, HierarchyKind::wide, 2);
  plant.highlight->showBoxes(toSpool, HierarchyKind::wide, 2);
  const auto drawnBoxes = drawnBelow(*plant.highlight).at(0);
  points = pointsOf(drawnBoxes);
  REQUIRE(points.size() == 8 * boxes.size());
  CHECK(drawnBoxes.geometry->getPrimitiveSet(0)->getNumIndices() == 24 * boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    CHECK(near(points[8 * i + 7], worldFromSpool.apply(boxes[i].partFromBox.apply(boxes[i].half))));
    CHECK(near(points[8 * i], worldFromSpool.apply(boxes[i].partFromBox.apply(-boxes[i].half))));
  }
  plant.highlight->hideAll();

  osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
  plant.scene->accept(*visitor);
  REQUIRE(visitor->containsInterferences());
  plant.highlight->showInterference(visitor->getSceneAssembly(), visitor->getReport(), {}, HighlightStyle{});
  const auto drawn = drawnBelow(*plant.highlight);
  const auto lines = std::find_if(drawn.begin(), drawn.end(), [](const DrawnDrawable& d) {
    return d.geometry->getPrimitiveSet(0)->getMode() == GL_LINES;
  });
  REQUIRE(lines != drawn.end());
  points = pointsOf(*lines);
  std::size_t next = 0;
  for (const Interference& hit : visitor->getInterferences())
    for (std::size_t i = 0; i < hit.getNumPoints(); ++i)
      CHECK(near(points.at(next++), toVec3(hit.getWorldIntersectPoint(i))));
  CHECK(next == points.size());

  const osg::observer_ptr<Highlight> highlight(plant.highlight);
  plant.root->removeChild(plant.highlight);
  plant.highlight = nullptr;
  CHECK_FALSE(highlight.valid());
}

TEST_CASE("interference along a track: exactly the surfaces of each report, kept while they stay") {
  Plant plant;
  const SceneState before = sceneStateOf(*plant.scene);
  const Track track = models::makeSpoolTrack(plant.assembly);
  const Transform design = plant.spool->getDesignPlacement();
  std::map<const void*, const void*> overlayOf;
  std::size_t kept = 0;
  for (std::size_t step = 0; step < track.steps.size(); step += 29) {
    plant.spool->setPlacement(track.steps[step][0].transform() * design);
    osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
    visitor->setIntersectionLimit(osgUtil::Intersector::LIMIT_ONE_PER_DRAWABLE);
    plant.scene->accept(*visitor);
    plant.highlight->showInterference(visitor->getSceneAssembly(), visitor->getReport());
    const auto drawn = drawnBelow(*plant.highlight);
    CHECK(byArray(drawn) == surfacesOf(*visitor));
    CHECK(plant.highlight->getNumShown() == drawn.size());
    std::map<const void*, const void*> now;
    for (const DrawnDrawable& d : drawn) now[d.geometry->getVertexArray()] = d.geometry;
    for (const auto& [array, geometry] : now)
      if (const auto found = overlayOf.find(array); found != overlayOf.end()) {
        CHECK(found->second == geometry);
        ++kept;
      }
    overlayOf = now;
  }
  CHECK(kept > 0);
  plant.spool->resetPlacement();
  CHECK(sceneStateOf(*plant.scene) == before);
}

TEST_CASE("what is shown of a part while its surfaces are out of contact is drawn") {
  Plant plant;
  const osg::NodePath toSpool = plant.pathTo(*plant.spool);
  osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
  plant.scene->accept(*visitor);
  REQUIRE(visitor->containsInterferences());
  const auto& scene = visitor->getSceneAssembly();
  plant.highlight->showInterference(scene, visitor->getReport());
  const std::size_t inContact = drawnBelow(*plant.highlight).size();
  CHECK(inContact > 1);
  plant.highlight->showInterference(scene, {});
  CHECK(drawnBelow(*plant.highlight).empty());
  const auto id = plant.highlight->showSurface(toSpool, SurfaceId{7});
  CHECK(drawnBelow(*plant.highlight).size() == 1);
  plant.highlight->showInterference(scene, visitor->getReport());
  CHECK(drawnBelow(*plant.highlight).size() == inContact + 1);
  plant.highlight->showInterference(scene, {});
  CHECK(drawnBelow(*plant.highlight).size() == 1);
  plant.highlight->hide(id);
  CHECK(drawnBelow(*plant.highlight).empty());
  plant.highlight->showInterference(scene, visitor->getReport());
  CHECK(drawnBelow(*plant.highlight).size() == inContact);
  HighlightStyle other;
  other.inFront = true;
  plant.highlight->showInterference(scene, visitor->getReport(), other);
  CHECK(drawnBelow(*plant.highlight).size() == inContact);
  CHECK(plant.highlight->getNumShown() == inContact);
}

TEST_CASE("a highlight is seen by drawing alone, and outlives what it shows") {
  Plant plant;
  const osg::NodePath toSpool = plant.pathTo(*plant.spool);
  plant.highlight->showBoxes(toSpool, HierarchyKind::scd, 0);
  plant.highlight->showSurface(toSpool, SurfaceId{0});
  osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
  visitor->setBuildMissingModels(false);
  plant.root->accept(*visitor);
  CHECK(visitor->getWarnings().empty());
  osg::ref_ptr<osgUtil::LineSegmentIntersector> picker = new osgUtil::LineSegmentIntersector(
      osg::Vec3d(plant.scene->getBound().center()) + osg::Vec3d(0, 0, 1e4),
      osg::Vec3d(plant.scene->getBound().center()) - osg::Vec3d(0, 0, 1e4));
  osgUtil::IntersectionVisitor picks(picker);
  plant.highlight->accept(picks);
  CHECK(!picker->containsIntersections());

  osg::ref_ptr<osg::Group> loose = new osg::Group;
  CHECK_THROWS_AS(plant.highlight->showSurface({loose}, SurfaceId{0}), InputError);
  CHECK_THROWS_AS(plant.highlight->showSurface({}, SurfaceId{0}), InputError);
  const TriangleId wrong[] = {TriangleId{1'000'000}};
  CHECK_THROWS_AS(plant.highlight->showTriangles(toSpool, wrong), InputError);
  // A surface that does not exist shows nothing, but has an id.
  CHECK(plant.highlight->hide(plant.highlight->showSurface(toSpool, SurfaceId{100'000})));

  CHECK(drawnBelow(*plant.highlight).size() == 2);
  osg::observer_ptr<osg::Group> scene(plant.scene.get());
  plant.root->removeChild(plant.scene);
  plant.scene = nullptr;
  visitor = nullptr;
  CHECK(!scene.valid());  // the highlight does not own it
  CHECK(drawnBelow(*plant.highlight).empty());
}

TEST_CASE("what was kept of a part is not shown for another drawable once the model is rebuilt") {
  osg::ref_ptr<osg::Group> root = new osg::Group, scene = new osg::Group;
  osg::ref_ptr<osg::MatrixTransform> part = placed("part", {}, boxGeometry({0, 0, 0}, 1));
  osg::ref_ptr<osg::MatrixTransform> inner =
      new osg::MatrixTransform;  // without a name, so it belongs to the part
  inner->addChild(boxGeometry({3, 0, 0}, 1));
  part->addChild(inner);
  scene->addChild(part);
  scene->addChild(placed("other", Transform::translation({3.4, 0, 0}), boxGeometry({}, 1)));
  root->addChild(scene);
  osg::ref_ptr<Highlight> highlight = new Highlight;
  root->addChild(highlight);
  const auto check = [&](std::size_t expected) {
    osg::ref_ptr<CollisionModelVisitor> builder = new CollisionModelVisitor;
    builder->setRebuild(true);
    scene->accept(*builder);
    osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
    scene->accept(*visitor);
    highlight->showInterference(visitor->getSceneAssembly(), visitor->getReport());
    CHECK(surfacesOf(*visitor).size() == expected);
    CHECK(byArray(drawnBelow(*highlight)) == surfacesOf(*visitor));
    CHECK(highlight->getNumShown() == expected);
  };
  check(2);
  part->insertChild(0, boxGeometry({10, 0, 0}, 1));  // surfaces have other numbers
  check(2);
  part->setChild(0, boxGeometry({3, 0.5F, 0}, 1));  // an additional surface, with the number of another one
  check(3);
  inner->setMatrix(osg::Matrixd::translate(0, 0.25, 0));
  check(3);
  inner->setMatrix(osg::Matrixd::translate(0, 25, 0));
  check(2);
}

TEST_CASE("the matrix of a viewer's camera, where a scene is visited from it, is not taken for a placement") {
  Plant plant;
  osg::ref_ptr<osg::Camera> camera = new osg::Camera;
  camera->setViewMatrixAsLookAt({5000, -9000, 3000}, {0, 0, 0}, {0, 0, 1});
  camera->addChild(plant.root);
  osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
  camera->accept(*visitor);
  REQUIRE(visitor->containsInterferences());
  plant.highlight->showInterference(visitor->getSceneAssembly(), visitor->getReport());
  CHECK(byArray(drawnBelow(*plant.highlight)) == surfacesOf(*visitor));
}

}  // namespace highlight_tests
