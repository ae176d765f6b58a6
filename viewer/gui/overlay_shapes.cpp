#include <viewer/gui/overlay_shapes.h>

#include <cmath>
#include <numbers>
#include <vector>

#include <osg/Depth>
#include <osg/LineWidth>
#include <osg/Point>

#include <osgFitup/conversions.h>

namespace fitup::viewer {

osg::ref_ptr<osg::Geometry> makeShape(std::span<const Vec3> points, GLenum mode, const osg::Vec4& colour) {
  osg::ref_ptr<osg::Vec3Array> vertices = new osg::Vec3Array;
  for (const Vec3& point : points) vertices->push_back(osgFitup::toVec3d(point));
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setVertexArray(vertices);
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array(osg::Array::BIND_OVERALL);
  colours->push_back(colour);
  geometry->setColorArray(colours);
  geometry->addPrimitiveSet(new osg::DrawArrays(mode, 0, static_cast<GLsizei>(points.size())));
  geometry->setUseDisplayList(false);
  return geometry;
}

osg::ref_ptr<osg::Geometry> makePoints(std::span<const Vec3> points, const osg::Vec4& colour) {
  osg::ref_ptr<osg::Geometry> geometry = makeShape(points, GL_POINTS, colour);
  geometry->getOrCreateStateSet()->setAttribute(new osg::Point(overlayPointSize));
  return geometry;
}

osg::ref_ptr<osg::Geometry> makeArrowTip(const Vec3& from, const Vec3& to, const osg::Vec4& colour) {
  const Vec3 way = to - from;
  const double length = norm(way);
  const Vec3 axis = way * (1 / length);
  const Vec3 base = from + way * 0.9;
  const auto [u, v] = orthonormalBasis(axis);
  std::vector<Vec3> fan{from + way * 1.06};
  for (int i = 0; i <= 12; ++i) {
    const double angle = 2 * std::numbers::pi * i / 12;
    fan.push_back(base + (u * std::cos(angle) + v * std::sin(angle)) * (0.045 * length));
  }
  return makeShape(fan, GL_TRIANGLE_FAN, colour);
}

void drawOverEverything(osg::Node& node) {
  node.setCullingActive(false);
  osg::StateSet* state = node.getOrCreateStateSet();
  const auto off = osg::StateAttribute::OFF | osg::StateAttribute::OVERRIDE;
  state->setMode(GL_LIGHTING, off);
  state->setMode(GL_CULL_FACE, off);
  state->setAttributeAndModes(new osg::Depth(osg::Depth::ALWAYS, 0, 1, false));
  state->setAttributeAndModes(new osg::LineWidth(overlayLineWidth));
  state->setRenderBinDetails(40, "RenderBin");
}

}  // namespace fitup::viewer
