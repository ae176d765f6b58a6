// Tests drawables that are divided into surfaces: by their primitive sets, or into smooth patches.
#include <array>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <osg/TemplatePrimitiveFunctor>
#include <osgDB/WriteFile>
#include <osgUtil/IntersectionVisitor>
#include <osgUtil/LineSegmentIntersector>

#include <fitup/base/error.h>
#include <fitup/io/read_assembly.h>
#include <osgFitup/collision_model_visitor.h>
#include <osgFitup/conversions.h>
#include <osgFitup/highlight.h>
#include <osgFitup/interference_monitor.h>
#include <osgFitup/interference_visitor.h>
#include <osgFitup/refit_parts.h>
#include <support/run_program.h>
#include <support/temporary_folder.h>

#include "scene_checks.h"

namespace surfaces_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;

namespace {

constexpr GLushort corners[6][4] = {{0, 1, 5, 4}, {1, 3, 7, 5}, {3, 2, 6, 7},
                                    {2, 0, 4, 6}, {0, 2, 3, 1}, {4, 5, 7, 6}};

/// Makes a cube of side 2: an edge as a line, the walls as quads, another edge, bottom and top as two lengths
/// of one set of triangles.
osg::ref_ptr<osg::Geometry> cube() {
  const osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array;
  for (unsigned int i = 0; i < 8; ++i)
    points->push_back(
        {(i & 1U) != 0 ? 1.0F : -1.0F, (i & 2U) != 0 ? 1.0F : -1.0F, (i & 4U) != 0 ? 1.0F : -1.0F});
  const osg::ref_ptr<osg::DrawElementsUShort> walls = new osg::DrawElementsUShort(GL_QUADS);
  for (int side = 0; side < 4; ++side)
    for (const GLushort i : corners[side]) walls->push_back(i);
  const auto first = static_cast<GLint>(points->size());
  for (int side = 4; side < 6; ++side)
    for (const int i : {0, 1, 2, 0, 2, 3}) points->push_back((*points)[corners[side][i]]);
  const osg::ref_ptr<osg::DrawArrayLengths> lids = new osg::DrawArrayLengths(GL_TRIANGLES, first);
  for (int side = 0; side < 2; ++side) lids->push_back(6);
  const osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setName("cube");
  geometry->setVertexArray(points);
  geometry->addPrimitiveSet(new osg::DrawArrays(GL_LINES, 0, 2));
  geometry->addPrimitiveSet(walls);
  geometry->addPrimitiveSet(new osg::DrawArrays(GL_LINES, 0, 2));
  geometry->addPrimitiveSet(lids);
  return geometry;
}

osg::ref_ptr<CollisionModelVisitor> visitBy(osg::Node& node, SceneSurfaces surfaces, double angle = 30) {
  osg::ref_ptr<CollisionModelVisitor> visitor = new CollisionModelVisitor;
  visitor->setSurfaces(surfaces, angle);
  node.accept(*visitor);
  return visitor;
}

std::vector<std::uint32_t> trianglesOfSurfaces(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> counts;
  for (const Surface& surface : mesh.surfaces()) counts.push_back(surface.triangleCount);
  return counts;
}
using Counts = std::vector<std::uint32_t>;

/// The corners of a drawable's primitives by OSG's own functor, in no order.
struct Primitives {
  using Corners = std::set<std::array<float, 3>>;
  std::vector<Corners> list;
  void add(std::initializer_list<osg::Vec3> points) {
    Corners& one = list.emplace_back();
    for (const osg::Vec3& p : points) one.insert({p.x(), p.y(), p.z()});
  }
  void operator()(const osg::Vec3& a, bool) { add({a}); }
  void operator()(const osg::Vec3& a, const osg::Vec3& b, bool) { add({a, b}); }
  void operator()(const osg::Vec3& a, const osg::Vec3& b, const osg::Vec3& c, bool) { add({a, b, c}); }
  void operator()(const osg::Vec3& a, const osg::Vec3& b, const osg::Vec3& c, const osg::Vec3& d, bool) {
    add({a, b, c, d});
  }
};

/// Checks that each triangle belongs to its stated primitive, and each primitive to one surface.
std::string problemOfNumbers(osg::Node& part, const osg::NodePath& toDrawable) {
  const PartModel& model = *partModelOf(part);
  const TriangleMesh& mesh = model.getCollisionModel()->mesh();
  osg::TemplatePrimitiveFunctor<Primitives> byOsg;
  toDrawable.back()->asDrawable()->accept(byOsg);
  std::set<std::uint32_t> seen;
  for (std::uint32_t p = 0; p < byOsg.list.size(); ++p) {
    const auto surface = model.surfaceAt(toDrawable, p);
    if (byOsg.list[p].size() < 3) {
      if (surface) return "a line has a surface";
      continue;
    }
    if (!surface) return "a primitive has no surface";
    const TriangleRange range = model.trianglesOf(*surface, p);
    if (range.count != byOsg.list[p].size() - 2) return "a primitive lacks triangles";
    for (std::uint32_t t = index(range.first); t < index(range.first) + range.count; ++t) {
      if (model.primitiveIndexOf(TriangleId{t}) != p) return "a triangle is of another primitive";
      if (mesh.surfaceOf(TriangleId{t}) != *surface) return "a triangle is of another surface";
      if (model.pathTo(part, *surface) != toDrawable) return "the surface leads elsewhere";
      for (const std::uint32_t corner : mesh.triangles()[t]) {
        const Vec3 point = mesh.pointInPart(corner);
        if (!byOsg.list[p].contains(
                {static_cast<float>(point.x), static_cast<float>(point.y), static_cast<float>(point.z)}))
          return "a corner is elsewhere";
      }
      seen.insert(t);
    }
  }
  return seen.size() == mesh.triangleCount() ? "" : "triangles without a primitive";
}

}  // namespace

TEST_CASE("a drawable becomes one surface, one for each primitive set, or smooth patches") {
  const auto box = cube();
  const auto part = placed("part", {}, box);
  const osg::NodePath path{part.get(), box.get()};
  const auto countsBy = [&](SceneSurfaces surfaces, double angle) {
    const auto visitor = visitBy(*part, surfaces, angle);
    CHECK(visitor->getBuiltModels() == 1);
    CHECK(visitor->getWarnings().empty());
    CHECK(problemOfNumbers(*part, path) == "");
    for (const Surface& surface : meshOf(*part).surfaces()) CHECK(surface.name == "cube");
    CHECK(meshOf(*part).triangleCount() == 12);
    return trianglesOfSurfaces(meshOf(*part));
  };
  CHECK(countsBy(SceneSurfaces::drawables, 30) == Counts{12});
  CHECK(countsBy(SceneSurfaces::primitiveSets, 30) == Counts{8, 4});
  CHECK(countsBy(SceneSurfaces::smoothPatches, 30) == Counts{2, 2, 2, 2, 2, 2});
  CHECK(countsBy(SceneSurfaces::smoothPatches, 91) == Counts{12});
  CHECK_THROWS_AS(visitBy(*part, SceneSurfaces::smoothPatches, 181), InputError);
}

TEST_CASE("a primitive is never divided, and a pick leads to its surface") {
  // A quad folded along its diagonal by 90 degrees, beside one that continues either half smoothly.
  const osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array;
  for (const osg::Vec3& p : {osg::Vec3(0, 0, 0), osg::Vec3(1, 0, 0), osg::Vec3(1, 1, 0),
                             osg::Vec3(0.5F, 0.5F, 0.7F), osg::Vec3(2, 0, 0), osg::Vec3(2, 1, 0)})
    points->push_back(p);
  const osg::ref_ptr<osg::DrawElementsUInt> quads = new osg::DrawElementsUInt(GL_QUADS);
  for (const unsigned int i : {0U, 1U, 2U, 3U, 1U, 4U, 5U, 2U}) quads->push_back(i);
  const osg::ref_ptr<osg::Geometry> folded = new osg::Geometry;
  folded->setVertexArray(points);
  folded->addPrimitiveSet(quads);
  const auto part = placed("part", {}, folded);
  visitBy(*part, SceneSurfaces::smoothPatches, 30);
  CHECK(trianglesOfSurfaces(meshOf(*part)) == Counts{4});
  CHECK(problemOfNumbers(*part, {part.get(), folded.get()}) == "");

  const auto box = cube();
  const auto other = placed("other", {}, box);
  visitBy(*other, SceneSurfaces::smoothPatches);
  const PartModel& model = *partModelOf(*other);
  std::set<SurfaceId> picked;
  for (const osg::Vec3d& axis : {osg::Vec3d(1, 0, 0), osg::Vec3d(0, 1, 0), osg::Vec3d(0, 0, 1)})
    for (const double side : {-1.0, 1.0}) {
      const osg::Vec3d from = axis * (5 * side) + osg::Vec3d(0.11, 0.23, 0.31),
                       to = from - axis * (4.5 * side);
      const osg::ref_ptr<osgUtil::LineSegmentIntersector> ray = new osgUtil::LineSegmentIntersector(from, to);
      osgUtil::IntersectionVisitor visitor(ray);
      other->accept(visitor);
      REQUIRE(ray->getIntersections().size() == 1);
      const auto& hit = *ray->getIntersections().begin();
      const auto surface = model.surfaceAt(hit.nodePath, hit.primitiveIndex);
      REQUIRE(surface);
      picked.insert(*surface);
      const Surface& range = meshOf(*other).surfaces()[index(*surface)];
      const Triangle triangle = meshOf(*other).triangle(TriangleId{range.firstTriangle});
      const Vec3 normal = cross(triangle.v[1] - triangle.v[0], triangle.v[2] - triangle.v[0]);
      CHECK(dot(normal, toVec3(axis)) * side > 0.9 * norm(normal));
    }
  CHECK(picked.size() == 6);
}

TEST_CASE("interferences of divided drawables name patches and primitives") {
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(placed("a", {}, cube()));
  root->addChild(placed("b", Transform::translation({0.3, 0.4, 1.6}), cube()));
  for (const SceneSurfaces surfaces :
       {SceneSurfaces::drawables, SceneSurfaces::primitiveSets, SceneSurfaces::smoothPatches}) {
    INFO(name(surfaces));
    const osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
    visitor->setSurfaces(surfaces);
    root->accept(*visitor);
    REQUIRE(visitor->containsInterferences());
    CHECK(problemOfHits(*visitor, 1e-6) == "");
    std::set<std::pair<SurfaceId, SurfaceId>> pairs;
    for (const Interference& hit : visitor->getInterferences())
      pairs.emplace(hit.sides[0].where->surface, hit.sides[1].where->surface);
    CHECK(pairs.size() == (surfaces == SceneSurfaces::drawables       ? 1U
                           : surfaces == SceneSurfaces::primitiveSets ? 3U
                                                                      : 6U));
    visitor->setIntersectionLimit(osgUtil::Intersector::LIMIT_ONE_PER_DRAWABLE);
    root->accept(*visitor);
    CHECK(visitor->getInterferences().size() == 1);
  }
}

TEST_CASE("a monitor divides drawables as it is asked to") {
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(placed("a", {}, cube()));
  root->addChild(placed("b", Transform::translation({0.3, 0.4, 1.6}), cube()));
  visit(*root);
  const osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(root);
  monitor->setSurfaces(SceneSurfaces::smoothPatches);
  CHECK(monitor->update());
  CHECK(trianglesOfSurfaces(meshOf(*root->getChild(0))) == Counts{2, 2, 2, 2, 2, 2});
  REQUIRE(monitor->getReport().pairs.size() == 1);
  CHECK(monitor->getReport().pairs[0].report.surfacePairs.size() == 6);
}

TEST_CASE("models of other surfaces than are asked for are built anew, others stay divided as they were") {
  const auto box = cube();
  const auto part = placed("part", {}, box);
  visitBy(*part, SceneSurfaces::primitiveSets);
  const auto first = partModelOf(*part)->getCollisionModel();
  CHECK(visitBy(*part, SceneSurfaces::primitiveSets)->getBuiltModels() == 0);
  CHECK(visit(*part)->getBuiltModels() == 0);
  CHECK(partModelOf(*part)->getCollisionModel() == first);
  CHECK(visitBy(*part, SceneSurfaces::smoothPatches)->getBuiltModels() == 1);
  CHECK(visitBy(*part, SceneSurfaces::smoothPatches)->getBuiltModels() == 0);
  CHECK(visitBy(*part, SceneSurfaces::smoothPatches, 91)->getBuiltModels() == 1);
  CHECK(visitBy(*part, SceneSurfaces::primitiveSets)->getBuiltModels() == 1);

  // Visitors and queries that notice an edit have the model rebuilt.
  box->insertPrimitiveSet(0, new osg::DrawArrays(GL_TRIANGLES, 8, 3));
  CHECK(visit(*part)->getBuiltModels() == 1);
  CHECK(trianglesOfSurfaces(meshOf(*part)) == Counts{1, 8, 4});
  box->removePrimitiveSet(0);
  const osg::ref_ptr<InterferenceVisitor> asking = new InterferenceVisitor;
  part->accept(*asking);
  CHECK(trianglesOfSurfaces(meshOf(*part)) == Counts{8, 4});
  // The same arrays in another drawable are no reason.
  const osg::ref_ptr<osg::Geometry> copy = new osg::Geometry(*box, osg::CopyOp::SHALLOW_COPY);
  const auto before = partModelOf(*part)->getCollisionModel();
  part->setChild(0, copy);
  CHECK(visit(*part)->getBuiltModels() == 0);
  CHECK(visitBy(*part, SceneSurfaces::primitiveSets)->getBuiltModels() == 0);
  CHECK(partModelOf(*part)->getCollisionModel() == before);
  // Vertices that move far, in patches too.
  visitBy(*part, SceneSurfaces::smoothPatches);
  auto& points = dynamic_cast<osg::Vec3Array&>(*copy->getVertexArray());
  points[5].z() += 1;
  points.dirty();
  CHECK(visit(*part)->getBuiltModels() == 1);
  CHECK(meshOf(*part).surfaces().size() > 1);
}

TEST_CASE("divided drawables are refitted when their vertices move") {
  for (const SceneSurfaces surfaces : {SceneSurfaces::primitiveSets, SceneSurfaces::smoothPatches}) {
    INFO(name(surfaces));
    const auto box = cube();
    box->setDataVariance(osg::Object::DYNAMIC);
    const auto part = placed("part", {}, box);
    visitBy(*part, surfaces);
    const Counts counts = trianglesOfSurfaces(meshOf(*part));
    auto& points = dynamic_cast<osg::Vec3Array&>(*box->getVertexArray());
    // A rigid motion keeps the patches, and shows whether each point belongs to its own triangles.
    for (osg::Vec3& p : points) p = osg::Vec3(p.y() + 5, -p.x(), p.z() + 0.5F);
    points.dirty();
    REQUIRE(needsRefit(*part));
    const RefitResult refit = refitParts(createAssembly(*part));
    CHECK(refit.warnings.empty());
    CHECK(refit.refittedModels == 1);
    CHECK(trianglesOfSurfaces(meshOf(*part)) == counts);
    CHECK(problemOfNumbers(*part, {part.get(), box.get()}) == "");
    CHECK(visitBy(*part, surfaces)->getBuiltModels() == 0);
  }
}

TEST_CASE("divided models go through files, and several surfaces of a drawable need numbers") {
  const fitup::test::TemporaryFolder folder;
  const auto box = cube();
  const auto part = placed("part", {}, box);
  visitBy(*part, SceneSurfaces::smoothPatches);
  visit(*part, true);  // unset: each keeps its division
  osgDB::Registry& osgDb = osgDbOfThisBuild();
  for (const std::string extension : {"osgb", "osgt", "osgx"}) {
    INFO(extension);
    const std::string file = (folder / ("part." + extension)).string();
    REQUIRE(osgDb.writeNode(*part, file, nullptr).success());
    auto read = osgDb.readNode(file, nullptr);
    REQUIRE(read.validNode());
    osg::Node& again = *read.getNode();
    REQUIRE(partModelOf(again) != nullptr);
    CHECK(trianglesOfSurfaces(meshOf(again)) == Counts{2, 2, 2, 2, 2, 2});
    CHECK(problemOfNumbers(again, {&again, again.asGroup()->getChild(0)}) == "");
    // The division of a model from a file is unknown.
    CHECK(visitBy(again, SceneSurfaces::primitiveSets)->getBuiltModels() == 1);
  }
  const PartModel& model = *partModelOf(*part);
  CHECK_THROWS_AS(osg::ref_ptr<PartModel>(new PartModel(model.getCollisionModel(), model.getSurfacePaths(),
                                                        PrimitiveNumbering::consecutive)),
                  InputError);
}

TEST_CASE("of a drawable with several surfaces the one that is asked for is highlighted") {
  const auto box = cube();
  const auto part = placed("part", {}, box);
  visitBy(*part, SceneSurfaces::smoothPatches);
  const osg::ref_ptr<Highlight> highlight = new Highlight;
  highlight->showSurface({part.get()}, SurfaceId{5});
  std::size_t triangles = 0;
  struct Drawn : osg::NodeVisitor {
    std::vector<osg::Geometry*> found;
    Drawn() : osg::NodeVisitor(UPDATE_VISITOR, TRAVERSE_ALL_CHILDREN) {}
    using osg::NodeVisitor::apply;
    void apply(osg::Geometry& geometry) override { found.push_back(&geometry); }
  } drawn;
  highlight->accept(drawn);
  for (const osg::Geometry* geometry : drawn.found) {
    osg::TemplatePrimitiveFunctor<Primitives> primitives;
    geometry->accept(primitives);
    triangles += primitives.list.size();
  }
  CHECK(triangles == 2);
}

#if defined(FITUP_OSG_IMPORTER)
TEST_CASE("the option --segment divides the drawables of scenes") {
  const fitup::test::TemporaryFolder folder;
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(placed("a", {}, cube()));
  root->addChild(placed("b", Transform::translation({0.3, 0.4, 1.6}), cube()));
  osgDB::Registry& osgDb = osgDbOfThisBuild();
  REQUIRE(osgDb.writeNode(*root, (folder / "bare.osgt").string(), nullptr).success());
  visit(*root);  // with models of another division
  REQUIRE(osgDb.writeNode(*root, (folder / "built.osgb").string(), nullptr).success());
  fitup::test::RunOptions options;
  options.folder = folder.path();
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.emplace_back("-q");
    return fitup::test::runProgram(FITUP_PROGRAM, arguments, options);
  };
  using Words = std::vector<std::string>;
  for (const std::string file : {"bare.osgt", "built.osgb"})
    for (const auto& [words, surfaces] :
         {std::pair(Words{}, 2), std::pair(Words{"--segment", "none"}, 2),
          std::pair(Words{"--segment", "primitives"}, 4), std::pair(Words{"--segment", "smooth"}, 12),
          std::pair(Words{"--segment", "30"}, 12), std::pair(Words{"--segment", "91"}, 2)}) {
      Words arguments{"info", file, "--no-cache"};
      arguments.insert(arguments.end(), words.begin(), words.end());
      const auto info = run(arguments);
      INFO(file << " " << (words.empty() ? "" : words[1]) << "\n" << info.text());
      CHECK(info.exitCode == 0);
      CHECK(info.out.find("surfaces       " + std::to_string(surfaces) + " ") != std::string::npos);
      CHECK(info.out.find("triangles      24 ") != std::string::npos);
    }
  // The cache distinguishes them, and a report names existing faces.
  options.environment = {{"XDG_CACHE_HOME", (folder / "cache").string()}};
  for (const auto& [word, pairs] :
       {std::pair("smooth", 6), std::pair("primitives", 3), std::pair("smooth", 6)}) {
    const auto check = run({"check", "bare.osgt", "--segment", word, "--mode", "surfaces"});
    INFO(word << "\n" << check.text());
    CHECK(check.exitCode == 1);
    CHECK(check.out.find(": " + std::to_string(pairs) + " pairs of faces\n") != std::string::npos);
  }
  const auto wrong = run({"info", "bare.osgt", "--segment", "sets"});
  CHECK(wrong.exitCode == 2);
  CHECK(wrong.err.find("--segment: sets: is not a number and not one of smooth, primitives, none") !=
        std::string::npos);
  REQUIRE(run({"convert", "bare.osgt", "divided.fitup", "--segment", "primitives"}).exitCode == 0);
  const Model model = readModelFile(folder / "divided.fitup");
  REQUIRE(model.assembly.partCount() == 2);
  const TriangleMesh& mesh = model.assembly.part(PartId{0});
  CHECK(trianglesOfSurfaces(mesh) == Counts{8, 4});
  // Numbers as primitives of the drawable: after a line the quads, after another line the triangles.
  Counts sources;
  for (std::uint32_t t = 0; t < 12; ++t) sources.push_back(mesh.sourceTriangle(TriangleId{t}));
  CHECK(sources == Counts{1, 1, 2, 2, 3, 3, 4, 4, 6, 7, 8, 9});
}
#endif

}  // namespace surfaces_tests
