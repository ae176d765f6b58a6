#include <osgFitup/conversions.h>

#include <fitup/base/error.h>
#include <osgFitup/detail/scene_motion.h>

namespace osgFitup {

osg::Matrixd toMatrix(const fitup::Transform& f) {
  const auto& m = f.m;
  return {m[0][0], m[1][0], m[2][0], 0, m[0][1], m[1][1], m[2][1], 0,
          m[0][2], m[1][2], m[2][2], 0, f.t.x,   f.t.y,   f.t.z,   1};
}

fitup::Transform toTransform(const osg::Matrixd& matrix) {
  if (matrix(0, 3) != 0 || matrix(1, 3) != 0 || matrix(2, 3) != 0 || matrix(3, 3) != 1)
    throw fitup::PlacementError("matrix has a projective part");
  fitup::Transform f;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      f.m[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = matrix(column, row);
  f.t = {matrix(3, 0), matrix(3, 1), matrix(3, 2)};
  return f;
}

fitup::Transform parentFromNode(const osg::Transform& node) { return toTransform(detail::matrixOf(node)); }

}  // namespace osgFitup
