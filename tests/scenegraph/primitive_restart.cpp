// Tests the index that restarts primitives, as state sets of nodes pass it down.
#include <osgFitup/detail/primitive_restart.h>

#include <catch2/catch.hpp>
#include <osg/PrimitiveRestartIndex>
#include <osg/State>
#include <osgDB/WriteFile>

#include <osgFitup/detail/drawable_triangles.h>
#include <osgFitup/refit_parts.h>
#include <support/placements.h>
#include <support/run_program.h>
#include <support/temporary_folder.h>

#include "scene_checks.h"

namespace primitive_restart_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;
using fitup::test::Random;
using osgFitup::detail::PrimitiveRestart;
using Flags = osg::StateAttribute;

namespace {

osg::ref_ptr<osg::StateSet> restartAt(unsigned int index, unsigned int flags = Flags::ON) {
  osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
  state->setAttributeAndModes(new osg::PrimitiveRestartIndex(index), flags);
  state->setMode(GL_PRIMITIVE_RESTART, flags);
  return state;
}

/// Makes two strips of two triangles each, separated by index 9, which has a vertex far away.
osg::ref_ptr<osg::Geometry> strips() {
  const osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array;
  for (int i = 0; i < 8; ++i)
    points->push_back({static_cast<float>(i / 2), static_cast<float>(i % 2), i < 4 ? 0.0F : 3.0F});
  points->push_back({50, 50, 50});
  points->push_back({90, 90, 90});
  const osg::ref_ptr<osg::DrawElementsUShort> elements = new osg::DrawElementsUShort(GL_TRIANGLE_STRIP);
  for (const GLushort i : {0, 1, 2, 3, 9, 4, 5, 6, 7}) elements->push_back(i);
  const osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setVertexArray(points);
  geometry->addPrimitiveSet(elements);
  return geometry;
}

std::size_t trianglesOfPart(osg::Node& root, const osg::Node& part) {
  visit(root);
  return meshOf(part).triangleCount();
}

}  // namespace

TEST_CASE("restarts are inherited, overridden and protected as osg::State has it") {
  Random random(11);
  std::size_t restarting = 0;
  for (int round = 0; round < 3000; ++round) {
    const osg::ref_ptr<osg::State> byOsg = new osg::State;
    PrimitiveRestart restart;
    std::vector<osg::ref_ptr<osg::StateSet>> kept;  // osg::State does not own them
    for (std::uint64_t depth = 1 + random.below(5); depth > 0; --depth) {
      const osg::ref_ptr<osg::StateSet> state = kept.emplace_back(new osg::StateSet);
      const auto flags = [&] {
        return static_cast<unsigned int>(random.below(8));
      };  // ON, OVERRIDE, PROTECTED
      if (random.below(2) == 0) state->setMode(GL_PRIMITIVE_RESTART, flags());
      if (random.below(2) == 0)
        state->setAttribute(new osg::PrimitiveRestartIndex(static_cast<unsigned int>(random.below(100))),
                            flags());
      restart.apply(state);
      restart.apply(nullptr);
      byOsg->pushStateSet(state);
    }
    const osg::ref_ptr<osg::StateSet> now = new osg::StateSet;
    byOsg->captureCurrentState(*now);
    std::optional<unsigned int> expected;
    if ((now->getMode(GL_PRIMITIVE_RESTART) & Flags::ON) != 0) {
      const auto* const index = dynamic_cast<const osg::PrimitiveRestartIndex*>(
          now->getAttribute(osg::StateAttribute::PRIMITIVERESTARTINDEX));
      expected = index != nullptr ? index->getRestartIndex() : 0;
    }
    INFO(round);
    CHECK(restart.index() == expected);
    restarting += expected ? 1 : 0;
  }
  CHECK(restarting > 500);
}

TEST_CASE("a restart that a group above says ends strips below it") {
  // Without restarts, the strip has seven triangles, three of which lead to the vertex far away.
  const auto shape = strips();
  const osg::ref_ptr<osg::Group> root = new osg::Group, above = new osg::Group;
  const auto part = placed("part", {}, shape);
  root->addChild(above);
  above->addChild(part);
  CHECK(trianglesOfPart(*root, *part) == 7);
  const auto with = [&](osg::StateSet* onRoot, osg::StateSet* onAbove, osg::StateSet* onPart,
                        osg::StateSet* own) {
    root->setStateSet(onRoot);
    above->setStateSet(onAbove);
    part->setStateSet(onPart);
    shape->setStateSet(own);
    setPartModel(*part, nullptr);
    const std::size_t triangles = trianglesOfPart(*root, *part);
    CHECK(visit(*root)->getWarnings().empty());
    CHECK((meshOf(*part).boundsInPart().max.x < 4) == (triangles == 4));
    return triangles;
  };
  const osg::ref_ptr<osg::StateSet> nine = restartAt(9), eight = restartAt(8), off = restartAt(9, Flags::OFF),
                                    insists = restartAt(9, Flags::ON | Flags::OVERRIDE),
                                    offInsists = restartAt(9, Flags::OFF | Flags::OVERRIDE),
                                    keeps = restartAt(9, Flags::ON | Flags::PROTECTED);
  CHECK(with(nine, nullptr, nullptr, nullptr) == 4);
  CHECK(with(nullptr, nine, nullptr, nullptr) == 4);
  CHECK(with(nullptr, nullptr, nine, nullptr) == 4);
  CHECK(with(nullptr, nullptr, nullptr, nine) == 4);
  CHECK(with(nine, nullptr, eight, nullptr) == 7);
  CHECK(with(eight, nullptr, nine, nullptr) == 4);
  CHECK(with(nine, nullptr, off, nullptr) == 7);
  CHECK(with(insists, nullptr, off, eight) == 4);
  CHECK(with(offInsists, nullptr, nullptr, nine) == 7);
  CHECK(with(offInsists, nullptr, nullptr, keeps) == 4);
  // It is also drawn with the state above the visited node.
  root->setStateSet(nine);
  above->setStateSet(nullptr);
  part->setStateSet(nullptr);
  shape->setStateSet(nullptr);
  setPartModel(*part, nullptr);
  CHECK(trianglesOfPart(*above, *part) == 4);
}

TEST_CASE("a part under a restart is refitted, shared and looked at anew with it") {
  const auto shape = strips();
  shape->setDataVariance(osg::Object::DYNAMIC);
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  const auto part = placed("part", {}, shape), other = placed("other", {}, shape);
  root->addChild(part);
  root->addChild(other);
  part->setStateSet(restartAt(9));
  CHECK(visit(*root)->getBuiltModels() == 2);  // the same drawable has other triangles here
  CHECK(meshOf(*part).triangleCount() == 4);
  CHECK(meshOf(*other).triangleCount() == 7);
  for (osg::Vec3& p : dynamic_cast<osg::Vec3Array&>(*shape->getVertexArray())) p.z() += 1;
  shape->getVertexArray()->dirty();
  const RefitResult refit = refitParts(createAssembly(*root));
  CHECK(refit.warnings.empty());
  CHECK(refit.refittedModels == 2);
  CHECK(meshOf(*part).boundsInPart().min.z == 1);
  CHECK(visit(*root)->getBuiltModels() == 0);
}

TEST_CASE("a part that restarts otherwise in another place of the scene is named") {
  const auto part = placed("part", {}, strips());
  const osg::ref_ptr<osg::Group> root = new osg::Group, plain = new osg::Group, restarts = new osg::Group;
  for (const auto& group : {plain, restarts}) {
    root->addChild(group);
    group->addChild(part);
  }
  restarts->setStateSet(restartAt(10));  // no index has this number, so nothing changes
  CHECK(visit(*root)->getWarnings().empty());
  restarts->setStateSet(restartAt(9));
  setPartModel(*part, nullptr);
  const auto visitor = visit(*root);
  REQUIRE(visitor->getWarnings().size() == 1);
  CHECK(visitor->getWarnings()[0].incomplete);
  CHECK(visitor->getWarnings()[0].element == "Group/Group/part/Geometry");
  CHECK(visitor->getWarnings()[0].message.find("different primitive restart indices at different places") !=
        std::string::npos);
  CHECK(meshOf(*part).triangleCount() == 7);
}

#if defined(FITUP_OSG_IMPORTER)
TEST_CASE("files hand restarts down, and a stored model of other triangles is not used") {
  const fitup::test::TemporaryFolder folder;
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  const auto part = placed("part", {}, strips());
  root->addChild(part);
  fitup::test::RunOptions options;
  options.folder = folder.path();
  for (const std::string extension : {"osgt", "osgb", "osgx"})
    for (const std::string stored : {"none", "honest", "other"}) {
      root->setStateSet(stored == "honest" ? restartAt(9).get() : nullptr);
      setPartModel(*part, nullptr);
      if (stored != "none") visit(*root, true);
      root->setStateSet(restartAt(9));
      const std::string file = "strips." + extension;
      REQUIRE(osgDbOfThisBuild().writeNode(*root, (folder / file).string(), nullptr).success());
      const auto info = fitup::test::runProgram(FITUP_PROGRAM, {"info", file, "--no-cache", "-q"}, options);
      INFO(info.text());
      CHECK(info.exitCode == 0);
      CHECK(info.out.find("triangles      4 ") != std::string::npos);
      CHECK((info.err.find("is replaced by") != std::string::npos) == (stored == "other"));
    }
}
#endif

}  // namespace primitive_restart_tests
