#include <osgFitup/conversions.h>

#include <catch2/catch.hpp>
#include <osg/PositionAttitudeTransform>

#include <fitup/base/error.h>
#include <support/placements.h>

namespace conversions_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("transforms and matrices: exact in both directions, points go the same way") {
  Random random(1);
  for (const auto kind : allPlacementClasses)
    for (int i = 0; i < 20; ++i) {
      const Transform f = randomPlacement(kind, random, 100);
      const osg::Matrixd matrix = osgFitup::toMatrix(f);
      CHECK(osgFitup::toTransform(matrix) == f);
      const Vec3 p{0.25 * i, -3, 17.5};
      const osg::Vec3d byMatrix = osgFitup::toVec3d(p) * matrix;
      CHECK(norm(osgFitup::toVec3(byMatrix) - f.apply(p)) < 1e-11);
      // Row vectors: the matrix that is applied first is on the left.
      const Transform g = randomPlacement(kind, random, 100);
      CHECK(norm(osgFitup::toVec3(osgFitup::toVec3d(p) * (matrix * osgFitup::toMatrix(g))) -
                 (g * f).apply(p)) < 1e-8);
    }
}

TEST_CASE("matrices with a projective part are refused") {
  CHECK_THROWS_AS(osgFitup::toTransform(osg::Matrixd::perspective(40, 1, 1, 10)), PlacementError);
  osg::Matrixd scaledW;
  scaledW(3, 3) = 2;
  CHECK_THROWS_AS(osgFitup::toTransform(scaledW), PlacementError);
}

TEST_CASE("placements of transform nodes") {
  osg::ref_ptr<osg::PositionAttitudeTransform> node = new osg::PositionAttitudeTransform;
  node->setPosition({1, 2, 3});
  node->setScale({2, 2, 2});
  node->setPivotPoint({1, 0, 0});
  const Transform f = osgFitup::parentFromNode(*node);
  CHECK(f.apply({1, 0, 0}) == Vec3{1, 2, 3});
  CHECK(f.apply({2, 1, 0}) == Vec3{3, 4, 3});
}

}  // namespace conversions_tests
