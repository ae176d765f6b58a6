// Tests every OSG file of the shared test data: two copies of it, moved apart by seeded amounts.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include <catch2/catch.hpp>
#include <osg/MatrixTransform>
#include <osgDB/ReadFile>

#include <fitup/base/borrowed.h>
#include <fitup/query/sort_and_sweep.h>
#include <osgFitup/collision_model_visitor.h>
#include <osgFitup/conversions.h>
#include <support/placements.h>
#include <support/report_checks.h>
#include <support/test_data.h>

#include "scene_checks.h"

namespace osg_files_tests {

using namespace fitup;
using namespace osgFitup;
using fitup::test::Random;

namespace {

double reachOf(const TriangleMesh& mesh) {
  const Box box = mesh.boundsInPart();
  return norm(box.halfExtent()) + norm(box.centre());
}

}  // namespace

TEST_CASE("OSG files: models hold what OSG draws, reports are the toolkit's") {
  const auto folder = fitup::test::sharedData("osg");
  if (!folder) {
    std::cerr << "skipped: OSG files are not there\n";
    return;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() >= 15);
  std::size_t hits = 0, filesWithTriangles = 0;
  Random random(2026);
  const osg::NotifySeverity level = osg::getNotifyLevel();
  osg::setNotifyLevel(osg::FATAL);  // textures that the files name do not exist
  for (const auto& file : files) {
    INFO(file.filename().string());
    const osg::ref_ptr<osg::Node> read = osgDB::readRefNodeFile(file.string());
    REQUIRE(read);
    osg::ref_ptr<osg::Group> root = new osg::Group;
    osg::ref_ptr<osg::MatrixTransform> stays = new osg::MatrixTransform, moves = new osg::MatrixTransform;
    for (const auto& node : {stays, moves}) {
      markAsPart(*node);
      node->addChild(read);
      root->addChild(node);
    }
    osg::ref_ptr<CollisionModelVisitor> builder = new CollisionModelVisitor;
    root->accept(*builder);
    for (const auto& warning : builder->getWarnings()) {
      const bool refers =
          file.filename() == "testuniqifier.osg" && warning.message == "is not loaded: teapot.osg";
      if (!refers) FAIL_CHECK(warning.element + ": " + warning.message);
    }
    const std::vector<Triangle> drawn = osgFitup::test::trianglesByOsg(*read);
    if (drawn.empty()) {
      CHECK(builder->getParts().empty());
      continue;
    }
    ++filesWithTriangles;
    REQUIRE(builder->getParts().size() == 2);
    CHECK(builder->getBuiltModels() == 1);
    const CollisionModel& model = *partModelOf(*stays)->getCollisionModel();
    const TriangleMesh& mesh = model.mesh();
    REQUIRE(mesh.triangleCount() == drawn.size());
    const double reach = reachOf(mesh);
    double farthest = 0;
    for (std::uint32_t t = 0; t < mesh.triangleCount(); ++t)
      for (std::size_t c = 0; c < 3; ++c)
        farthest = std::max(farthest, norm(mesh.pointInPart(mesh.triangles()[t][c]) - drawn[t].v[c]));
    CHECK(farthest <= 1e-6 * reach);

    const Vec3 size = mesh.boundsInPart().halfExtent();
    for (int k = 0; k < 3; ++k) {
      const Vec3 shift = random.inCube(1);
      Transform pose = Transform::translation({shift.x * size.x, shift.y * size.y, shift.z * size.z});
      if (k > 0) pose = pose * Transform::rotation(randomRotation(random));
      if (k > 1) pose = pose * Transform::scaling(0.8, 1.1, -0.9);
      moves->setMatrix(toMatrix(pose));
      osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
      root->accept(*visitor);
      const IntersectionReport expected =
          sweepIntersect({fitup::borrowed(model), {}}, {fitup::borrowed(model), pose});
      CHECK(visitor->getReport().pairs.size() == (expected.intersects() ? 1 : 0));
      if (expected.intersects())
        CHECK(fitup::test::sameAnswer(visitor->getReport().pairs.at(0).report, expected));
      CHECK(osgFitup::test::problemOfHits(*visitor, 1e-5 * reach) == "");
      hits += visitor->getInterferences().size();
    }
  }
  osg::setNotifyLevel(level);
  CHECK(filesWithTriangles >= 14);
  CHECK(hits > 1000);
}

}  // namespace osg_files_tests
