#include <osgFitup/interference_visitor.h>

#include <algorithm>
#include <set>

#include <catch2/catch.hpp>
#include <osg/Geode>
#include <osg/MatrixTransform>
#include <osg/ShapeDrawable>

#include <fitup/base/error.h>
#include <fitup_field/field_kinds.h>
#include <models/process_plant.h>
#include <osgFitup/collision_model_visitor.h>
#include <osgFitup/conversions.h>
#include <osgFitup/create_scene.h>
#include <support/interference_checks.h>
#include <support/placements.h>
#include <support/random_assembly.h>
#include <support/tiny_meshes.h>

#include "scene_checks.h"

namespace interference_visitor_tests {

using namespace fitup;
using namespace osgFitup;
using namespace fitup::test;
using namespace osgFitup::test;
using osgUtil::Intersector;

namespace {

osg::ref_ptr<InterferenceVisitor> ask(osg::Node& root,
                                      InterferenceVisitor::IntersectionLimit limit = Intersector::NO_LIMIT) {
  osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
  visitor->setIntersectionLimit(limit);
  root.accept(*visitor);
  return visitor;
}

InterferenceReport byToolkit(const Assembly& assembly, const CollisionModels& models, QueryMode mode) {
  InterferenceOptions options;
  options.request.mode = mode;
  return checkAllPairs(fitup::Scene(assembly, models), {}, options);
}

std::vector<std::string> pathsOf(const Assembly& assembly) {
  std::vector<std::string> paths;
  for (std::uint32_t i = 0; i < assembly.nodes().size(); ++i) paths.push_back(assembly.path(NodeId{i}));
  return paths;
}

/// Makes the scene as another program would: plain transforms, a Geode for each part and a Geometry for each
/// surface, with 32-bit or double vertices, indexed or not.
osg::ref_ptr<osg::Group> plainScene(const Assembly& assembly, bool doubles, bool indexed) {
  std::vector<osg::ref_ptr<osg::Geode>> parts;
  for (std::uint32_t p = 0; p < assembly.partCount(); ++p) {
    const TriangleMesh& mesh = assembly.part(PartId{p});
    osg::ref_ptr<osg::Geode> geode = new osg::Geode;
    for (const Surface& surface : mesh.surfaces()) {
      osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
      osg::ref_ptr<osg::Vec3Array> floats = new osg::Vec3Array;
      osg::ref_ptr<osg::Vec3dArray> exact = new osg::Vec3dArray;
      osg::ref_ptr<osg::DrawElementsUInt> elements = new osg::DrawElementsUInt(GL_TRIANGLES);
      for (std::uint32_t t = 0; t < surface.triangleCount; ++t)
        for (const std::uint32_t corner : mesh.triangles()[surface.firstTriangle + t]) {
          const Vec3 point = mesh.pointInPart(corner);
          elements->push_back(static_cast<unsigned int>(exact->size()));
          exact->push_back(toVec3d(point));
          floats->push_back(osg::Vec3(toVec3d(point)));
        }
      geometry->setVertexArray(doubles ? static_cast<osg::Array*>(exact.get()) : floats.get());
      if (indexed)
        geometry->addPrimitiveSet(elements);
      else
        geometry->addPrimitiveSet(
            new osg::DrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(3 * surface.triangleCount)));
      geode->addChild(geometry);
    }
    parts.push_back(geode);
  }
  osg::ref_ptr<osg::Group> root = new osg::Group;
  std::vector<osg::ref_ptr<osg::MatrixTransform>> nodes;
  for (const AssemblyNode& node : assembly.nodes()) {
    osg::ref_ptr<osg::MatrixTransform> transform = new osg::MatrixTransform(toMatrix(node.parentFromNode));
    transform->setName(node.name);
    if (node.part) transform->addChild(parts[index(*node.part)]);
    (node.parent ? static_cast<osg::Group&>(*nodes[index(*node.parent)]) : *root).addChild(transform);
    nodes.push_back(transform);
  }
  return root;
}

}  // namespace

TEST_CASE("the plant's reports through its scene graph are the toolkit's, along the spool's motion") {
  Assembly plant = models::makeProcessPlant();
  const CollisionModels models = buildCollisionModels(plant);
  const Track track = models::makeSpoolTrack(plant);
  const auto root = createScene(fitup::Scene(plant, models));
  const NodeId spool = plant.at(models::spoolPath);
  PartNode& node = *findPartNode(*root, models::spoolPath);
  REQUIRE(plant.node(*plant.node(spool).parent).parentFromNode == Transform{});
  std::size_t hits = 0;
  for (std::size_t step = 0; step < track.steps.size(); step += 11) {
    const Transform placement = track.steps[step][0].transform() * node.getDesignPlacement();
    plant.setPlacement(spool, placement);
    node.setPlacement(placement);
    for (const auto& [limit, mode] :
         {std::pair(Intersector::NO_LIMIT, QueryMode::allTrianglePairs),
          std::pair(Intersector::LIMIT_ONE_PER_DRAWABLE, QueryMode::allSurfacePairs)}) {
      const auto visitor = ask(*root, limit);
      CHECK(differenceByPath(plant, byToolkit(plant, models, mode), visitor->getSceneAssembly().assembly(),
                             visitor->getReport()) == "");
      CHECK(problemOfHits(*visitor, 1e-3) == "");
      hits += visitor->getInterferences().size();
      CHECK(visitor->getWarnings().empty());
    }
    const auto one = ask(*root, Intersector::LIMIT_ONE);
    CHECK(one->getInterferences().size() == 1);
    CHECK(problemOfHits(*one, 1e-3) == "");
  }
  CHECK(hits > 1000);
}

TEST_CASE("the plant as a scene of plain nodes: the same reports, floats and doubles, indexed or not") {
  const Assembly plant = models::makeProcessPlant();
  const auto expected = byToolkit(plant, buildCollisionModels(plant), QueryMode::allTrianglePairs);
  for (const bool doubles : {false, true}) {
    const auto root = plainScene(plant, doubles, !doubles);
    const auto visitor = ask(*root);
    CHECK(visitor->getWarnings().empty());
    CHECK(differenceByPath(plant, expected, visitor->getSceneAssembly().assembly(), visitor->getReport()) ==
          "");
    CHECK(problemOfHits(*visitor, 1e-3) == "");
    CHECK(!visitor->getInterferences().empty());
  }
  // Models that have to be built carry the hierarchy of the query.
  for (const HierarchyKind kind : {HierarchyKind::scd, field::dop}) {
    const auto root = plainScene(plant, false, true);
    osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
    InterferenceOptions options;
    options.request.hierarchy = kind;
    visitor->setOptions(options);
    root->accept(*visitor);
    CHECK(differenceByPath(plant, expected, visitor->getSceneAssembly().assembly(), visitor->getReport()) ==
          "");
  }
}

TEST_CASE("random assemblies there and back: paths, placements, reports, placements of every kind") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Assembly assembly = randomAssembly(seed, 30);
    assembly.setUnit("in");
    assembly.setUpAxis(UpAxis::y);
    const CollisionModels models = buildCollisionModels(assembly);
    const auto root = createScene(fitup::Scene(assembly, models));
    const SceneAssembly back = createAssembly(*root);
    CHECK(back.assembly().name() == assembly.name());
    CHECK(back.assembly().unit() == "in");
    CHECK(back.assembly().upAxis() == UpAxis::y);
    CHECK(back.assembly().contentHash() == assembly.contentHash());
    CHECK(pathsOf(back.assembly()) == pathsOf(assembly));
    CHECK(back.drawablesOutsideParts == 0);
    REQUIRE(back.instances.size() == assembly.instances().size());
    for (const SceneInstance& instance : back.instances) {
      const NodeId original = instance.node;
      CHECK(back.assembly().worldFromNode(instance.node) == assembly.worldFromNode(original));
      CHECK(back.assembly().node(instance.node).colour == assembly.node(original).colour);
      CHECK(instance.part->getCollisionModel() == models[index(assembly.partOf(original))]);
      CHECK(dynamic_cast<PartNode&>(*instance.path.back()).getInstancePath() == assembly.path(original));
    }
    const auto visitor = ask(*root);
    CHECK(differenceByPath(assembly, byToolkit(assembly, models, QueryMode::allTrianglePairs),
                           visitor->getSceneAssembly().assembly(), visitor->getReport()) == "");
    CHECK(problemOfHits(*visitor, 1e-4) == "");
  }
}

TEST_CASE("nodes come back in their order, subassemblies without parts too, edited graphs depth first") {
  Assembly assembly("crossed");
  const PartId box = assembly.addPart(fitup::test::sixSidedBox(2, 2, 2, 1));
  const NodeId left = assembly.addNode("left", Transform::translation({-5, 0, 0}));
  const NodeId right = assembly.addNode("right", Transform::translation({5, 0, 0}));
  const NodeId bare = assembly.addNode("bare", Transform::translation({0, 5, 0}), right);
  assembly.addNode("box", {}, right, box);
  assembly.addNode("deeper", {}, bare);
  assembly.addNode("box", {}, left, box);
  assembly.addNode("last", {}, left);
  const auto root = createScene(fitup::Scene(assembly));
  const SceneAssembly back = createAssembly(*root);
  CHECK(pathsOf(back.assembly()) == pathsOf(assembly));
  CHECK(back.assembly().contentHash() == assembly.contentHash());
  REQUIRE(back.nodes.size() == 7);
  for (std::uint32_t i = 0; i < 7; ++i) CHECK(back.nodes[i]->getName() == assembly.node(NodeId{i}).name);
  CHECK(back.at(NodeId{5}).path.front() == root);
  CHECK(back.at(NodeId{5}).path.back()->getName() == "box");

  back.nodes[1]->asGroup()->addChild(createScene(fitup::Scene(assembly))->getChild(0));
  CHECK(pathsOf(createAssembly(*root).assembly()) ==
        std::vector<std::string>{"left", "left/box", "left/last", "right", "right/bare", "right/bare/deeper",
                                 "right/box", "right/left", "right/left/box", "right/left/last"});

  // As many nodes as before, but others.
  const auto other = createScene(fitup::Scene(assembly));
  osg::Group& otherRight = *other->getChild(1)->asGroup();
  other->getChild(0)->asGroup()->addChild(otherRight.getChild(1));  // the box
  otherRight.removeChild(1);
  CHECK(pathsOf(createAssembly(*other).assembly()) ==
        std::vector<std::string>{"left", "left/box#1", "left/last", "left/box#2", "right", "right/bare",
                                 "right/bare/deeper"});
}

TEST_CASE("instances below instances: a part that others ride on, mirrored and coloured") {
  Assembly assembly("riders");
  const PartId box = assembly.addPart(fitup::test::sixSidedBox(2, 2, 2, 1));
  const NodeId carrier =
      assembly.addNode("carrier", Transform::scaling(-1, 1, 1), {}, box, Colour{1, 0, 0, 1});
  const NodeId group = assembly.addNode("group", Transform::translation({1.5, 0, 0}), carrier);
  const NodeId rider = assembly.addNode("rider", Transform::translation({0, 0.5, 0}), group, box);
  assembly.addNode("rider", Transform::translation({0.25, 9, 0}), group, box, Colour{0, 1, 0, 1});
  const CollisionModels models = buildCollisionModels(assembly);
  const auto root = createScene(fitup::Scene(assembly, models));
  const SceneAssembly back = createAssembly(*root);
  CHECK(back.assembly().contentHash() == assembly.contentHash());
  CHECK(back.assembly().path(back.instances[2].node) == "carrier/group/rider#2");
  CHECK(back.assembly().node(carrier).colour == Colour{1, 0, 0, 1});
  CHECK(back.assembly().node(rider).colour == std::nullopt);
  const auto visitor = ask(*root);
  CHECK(fitup::test::difference(visitor->getReport(),
                                byToolkit(assembly, models, QueryMode::allTrianglePairs)) == "");
  REQUIRE(visitor->getReport().pairs.size() == 1);
  CHECK(problemOfHits(*visitor, 1e-6) == "");
  // The carrier moves the parts on it.
  findPartNode(*root, "carrier")->setPlacement(Transform::translation({0, 0, 100}));
  CHECK(createAssembly(*root).assembly().worldFromNode(rider).t == Vec3{1.5, 0.5, 100});
}

TEST_CASE("sets of nodes: the pairs that brute force finds between them") {
  const Assembly assembly = randomAssembly(7, 30);
  const auto root = createScene(fitup::Scene(assembly));
  const SceneAssembly scene = createAssembly(*root);
  const auto all = designPlacements(scene.assembly());
  const auto& instances = scene.instances;
  osg::Node* subassembly = nullptr;  // with several instances, but not all
  for (unsigned i = 0; i < root->getNumChildren(); ++i) {
    const std::size_t below = scene.instancesBelow(*root->getChild(i)).size();
    if (below > 3 && below < instances.size() - 3) subassembly = root->getChild(i);
  }
  REQUIRE(subassembly != nullptr);
  const auto isIn = [&](const std::vector<osg::Node*>& nodes, std::size_t i) {
    return std::any_of(nodes.begin(), nodes.end(), [&](osg::Node* node) {
      return std::any_of(instances[i].path.begin(), instances[i].path.end(),
                         [&](const auto& n) { return n == node; });
    });
  };
  osg::Node* const part = instances[2].path.back().get();
  osg::Node* const other = instances[20].path.back().get();
  using Nodes = std::vector<osg::Node*>;
  for (const auto& [first, second] :
       {std::pair(Nodes{subassembly}, Nodes{}), std::pair(Nodes{}, Nodes{subassembly}),
        std::pair(Nodes{subassembly}, Nodes{part, other}), std::pair(Nodes{subassembly}, Nodes{subassembly}),
        std::pair(Nodes{part}, Nodes{other}), std::pair(Nodes{root.get()}, Nodes{part})}) {
    osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
    for (osg::Node* node : first) visitor->addFirst(node);
    for (osg::Node* node : second) visitor->addSecond(node);
    root->accept(*visitor);
    const auto expected = loopOverPairs(
        scene.assembly(), scene.scene.collisionModels(), all, [&](std::size_t i, std::size_t j) {
          const auto in1 = [&](std::size_t k) { return first.empty() ? !isIn(second, k) : isIn(first, k); };
          const auto in2 = [&](std::size_t k) { return second.empty() ? !isIn(first, k) : isIn(second, k); };
          return (in1(i) && in2(j)) || (in1(j) && in2(i));
        });
    CHECK(fitup::test::difference(visitor->getReport(), expected) == "");
    CHECK(visitor->getReport().consideredPairs == expected.consideredPairs);
  }
}

TEST_CASE("node masks select parts, options reach the toolkit") {
  const auto box = boxGeometry({}, 2);
  osg::ref_ptr<osg::Group> root = new osg::Group;
  for (const char* name : {"a", "b", "c"}) root->addChild(placed(name, {}, box));
  root->getChild(1)->setNodeMask(2);
  CHECK(ask(*root)->getReport().pairs.size() == 3);
  osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
  visitor->setTraversalMask(1);
  root->accept(*visitor);
  CHECK(visitor->getReport().pairs.size() == 1);
  InterferenceOptions options;
  options.rules.rules.push_back({.a = "a", .b = "c"});
  visitor->setOptions(options);
  root->accept(*visitor);
  CHECK(!visitor->containsInterferences());
  CHECK(visitor->getReport().excludedPairs == 1);
  CHECK_THROWS_AS(visitor->setIntersectionLimit(Intersector::LIMIT_NEAREST), InputError);
  std::stop_source stop;
  stop.request_stop();
  visitor->setOptions({});
  visitor->setProgress(Progress(stop.get_token()));
  root->accept(*visitor);
  CHECK(visitor->getReport().status == ReportStatus::cancelled);
}

TEST_CASE("each primitive type interferes as its triangles do") {
  // A bar through a wall that is drawn in every way; the wall's primitives are known one by one.
  const auto bar = placed("bar", Transform::scaling(0.2, 0.2, 10), boxGeometry({0, 0, 0}, 1));
  for (const GLenum mode :
       {GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN, GL_QUADS, GL_QUAD_STRIP, GL_POLYGON}) {
    osg::ref_ptr<osg::Vec3Array> corners = new osg::Vec3Array;
    std::set<unsigned int> expected;
    // The square [-1, 1]^2 comes after one far away that the bar misses; lines before it count as primitives.
    corners->push_back({50, 50, 0});
    corners->push_back({60, 50, 0});
    const auto square = [&](float x) {
      if (mode == GL_TRIANGLES)
        for (const auto& [u, v] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, -1),
                                   std::pair(1, 1), std::pair(-1, 1)})
          corners->push_back({x + static_cast<float>(u), static_cast<float>(v), 0.25F});
      else if (mode == GL_TRIANGLE_STRIP || mode == GL_QUAD_STRIP)
        for (const auto& [u, v] : {std::pair(-1, -1), std::pair(1, -1), std::pair(-1, 1), std::pair(1, 1)})
          corners->push_back({x + static_cast<float>(u), static_cast<float>(v), 0.25F});
      else
        for (const auto& [u, v] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)})
          corners->push_back({x + static_cast<float>(u), static_cast<float>(v), 0.25F});
    };
    square(100);
    const auto count = static_cast<GLsizei>(corners->size() - 2);
    square(0);
    osg::ref_ptr<osg::Geometry> wall = new osg::Geometry;
    wall->setVertexArray(corners);
    wall->addPrimitiveSet(new osg::DrawArrays(GL_LINES, 0, 2));
    wall->addPrimitiveSet(new osg::DrawArrays(mode, 2, count));
    wall->addPrimitiveSet(new osg::DrawArrays(mode, 2 + count, count));
    const bool quads = mode == GL_QUADS || mode == GL_QUAD_STRIP;
    expected = quads ? std::set<unsigned int>{2} : std::set<unsigned int>{3, 4};
    osg::ref_ptr<osg::Group> root = new osg::Group;
    root->addChild(placed("wall", {}, wall));
    root->addChild(bar);
    const auto visitor = ask(*root);
    std::set<unsigned int> met;
    for (const Interference& hit : visitor->getInterferences()) {
      CHECK(hit.sides[0].getDrawable() == wall.get());
      met.insert(hit.sides[0].primitiveIndex);
      for (std::size_t i = 0; i < hit.getNumPoints(); ++i)
        CHECK(hit.getLocalIntersectPoint(0, i).z() == Approx(0.25));
    }
    INFO(mode);
    CHECK(met == expected);
    CHECK(problemOfHits(*visitor, 1e-5) == "");
  }
}

TEST_CASE("shared geometry under different transforms: hits name the right path, in order (OSG#1034)") {
  const auto box = boxGeometry({}, 2);
  osg::ref_ptr<osg::TessellationHints> coarse = new osg::TessellationHints;
  coarse->setDetailRatio(0.5F);
  const osg::ref_ptr<osg::ShapeDrawable> shape =
      new osg::ShapeDrawable(new osg::Sphere({0, 0, 0}, 0.8F), coarse);
  osg::ref_ptr<osg::Group> root = new osg::Group;
  std::vector<osg::ref_ptr<osg::MatrixTransform>> boxes, spheres;
  // Non-uniform scale, a mirror and nesting; sphere k meets only box k.
  for (int k = 0; k < 6; ++k) {
    const double x = 10.0 * k;
    boxes.push_back(placed(
        "box " + std::to_string(k),
        Transform::translation({x, 0, 0}) * Transform::scaling(1 + 0.3 * k, 1, k % 2 == 0 ? 1 : -1), box));
    const auto inner = placed("sphere " + std::to_string(k), Transform::scaling(0.5, 1, 1 + 0.1 * k), shape);
    spheres.push_back(inner);
    root->addChild(boxes.back());
    root->addChild(placed("arm " + std::to_string(k), Transform::translation({x, 1, 0}), inner));
  }
  const auto visitor = ask(*root);
  const auto& report = visitor->getReport();
  REQUIRE(report.pairs.size() == 6);
  CHECK(visitor->getSceneAssembly().assembly().partCount() == 2);
  CHECK(problemOfHits(*visitor, 1e-4) == "");
  std::size_t next = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    REQUIRE(!report.pairs[k].report.trianglePairs.empty());
    for (std::size_t i = 0; i < report.pairs[k].report.trianglePairs.size(); ++i) {
      const Interference& hit = visitor->getInterferences()[next++];
      CHECK(hit.sides[0].getNodePath() == osg::RefNodePath{root.get(), boxes[k].get(), box.get()});
      CHECK(hit.sides[1].getNodePath()[2] == spheres[k]);
      CHECK(hit.sides[1].getDrawable() == shape.get());
      CHECK(std::abs(hit.getWorldIntersectPoint(0).x() - 10.0 * static_cast<double>(k)) < 1);
      CHECK(std::abs(hit.getLocalIntersectPoint(1, 0).length() - 0.8) < 0.05);
    }
  }
  CHECK(next == visitor->getInterferences().size());
  // The toolkit, on the same meshes with separately computed placements.
  const SceneAssembly& scene = visitor->getSceneAssembly();
  CHECK(fitup::test::difference(report, loopOverPairs(scene.assembly(), scene.scene.collisionModels(),
                                                      designPlacements(scene.assembly()),
                                                      [](std::size_t, std::size_t) { return true; })) == "");
}

TEST_CASE("a set that selects no part is reported") {
  Assembly assembly("two");
  const PartId cube = assembly.addPart(fitup::test::sixSidedBox(1, 1, 1, 1));
  for (const char* name : {"a", "b"}) assembly.addNode(name, {}, {}, cube);
  const auto root = createScene(fitup::Scene(assembly));
  const osg::ref_ptr<osg::Node> elsewhere = new osg::Group;
  elsewhere->setName("elsewhere");
  const osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
  visitor->addFirst(elsewhere);
  root->accept(*visitor);
  REQUIRE_FALSE(visitor->getWarnings().empty());
  CHECK(visitor->getWarnings().back().element == "elsewhere");
  CHECK(visitor->getWarnings().back().message ==
        "selects no part: it is inside a part, outside the visited scene, or hidden");
  CHECK(visitor->getWarnings().back().incomplete);
  visitor->clearSets();
  root->accept(*visitor);
  CHECK(visitor->getWarnings().empty());
}

TEST_CASE("geometry outside of parts is given models, or counted") {
  Assembly assembly("one");
  assembly.addNode("box", {}, {}, assembly.addPart(fitup::test::sixSidedBox(1, 1, 1, 1)));
  const auto root = createScene(fitup::Scene(assembly));
  const auto loose = boxGeometry({}, 2);
  loose->addPrimitiveSet(new osg::DrawArrays(GL_LINES, 0, 2));
  root->addChild(loose);
  root->addChild(boxGeometry({0.5F, 0, 0}, 0.5F));
  osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
  visitor->setBuildMissingModels(false);
  root->accept(*visitor);
  CHECK(!visitor->containsInterferences());
  REQUIRE(visitor->getWarnings().size() == 2);
  CHECK(visitor->getWarnings()[0].message == "2 drawables that belong to no part with a model: not checked");
  CHECK(visitor->getWarnings()[0].incomplete);
  CHECK(visitor->getWarnings()[1].message ==
        "nothing was checked: the model has fewer than two parts; drawables of one part are not checked "
        "against "
        "each other (name the transform of each part, or call markAsPart)");
  CHECK(visitor->getWarnings()[1].incomplete);
  const auto built = ask(*root);
  CHECK(built->getWarnings().empty());
  CHECK(built->getReport().consideredPairs == 3);
  CHECK(built->getReport().pairs.size() == 1);
  osg::ref_ptr<osg::Group> empty = new osg::Group;
  CHECK(!ask(*empty)->containsInterferences());
}

}  // namespace interference_visitor_tests
