#include <viewer/gui/gizmo_node.h>

#include <cmath>
#include <numbers>

#include <osg/Depth>
#include <osg/Geometry>
#include <osg/LineWidth>

#include <osgFitup/conversions.h>

namespace fitup::viewer {
namespace {

osg::Vec4 colourOf(GizmoHandle handle, bool lit) {
  if (lit) return {1.0F, 0.85F, 0.1F, 1};
  static const osg::Vec4 colours[] = {
      {0.85F, 0.15F, 0.15F, 1}, {0.1F, 0.6F, 0.15F, 1}, {0.15F, 0.3F, 0.9F, 1}};
  return colours[static_cast<std::size_t>(handle) % 3];
}

osg::ref_ptr<osg::Geometry> makeGeometry(const osg::Vec3Array& points, GLenum mode, const osg::Vec4& colour) {
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setVertexArray(new osg::Vec3Array(points));
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array(osg::Array::BIND_OVERALL);
  colours->push_back(colour);
  geometry->setColorArray(colours);
  geometry->addPrimitiveSet(new osg::DrawArrays(mode, 0, static_cast<GLsizei>(points.size())));
  geometry->setUseDisplayList(false);
  return geometry;
}

/// The cone at the tip of an arrow.
osg::ref_ptr<osg::Geometry> makeTip(const Gizmo& gizmo, GizmoHandle handle, const osg::Vec4& colour) {
  const Vec3 axis = axisOf(handle), tip = gizmo.centre + axis * (1.06 * gizmo.size),
             base = gizmo.centre + axis * (0.9 * gizmo.size);
  const Vec3 u{axis.y, axis.z, axis.x}, v{axis.z, axis.x, axis.y};
  osg::ref_ptr<osg::Vec3Array> fan = new osg::Vec3Array;
  fan->push_back(osgFitup::toVec3d(tip));
  for (int i = 0; i <= 12; ++i) {
    const double angle = 2 * std::numbers::pi * i / 12;
    fan->push_back(
        osgFitup::toVec3d(base + (u * std::cos(angle) + v * std::sin(angle)) * (0.045 * gizmo.size)));
  }
  return makeGeometry(*fan, GL_TRIANGLE_FAN, colour);
}

}  // namespace

GizmoNode::GizmoNode() : geode_(new osg::Geode) {
  addChild(geode_);
  setCullingActive(false);
  osg::StateSet* state = getOrCreateStateSet();
  const auto off = osg::StateAttribute::OFF | osg::StateAttribute::OVERRIDE;
  state->setMode(GL_LIGHTING, off);
  state->setMode(GL_CULL_FACE, off);
  state->setAttributeAndModes(new osg::Depth(osg::Depth::ALWAYS, 0, 1, false));
  state->setAttributeAndModes(new osg::LineWidth(3));
  state->setRenderBinDetails(40, "RenderBin");
}

void GizmoNode::show(const std::optional<Gizmo>& gizmo, std::optional<GizmoHandle> lit) {
  geode_->removeDrawables(0, geode_->getNumDrawables());
  if (!gizmo) return;
  for (const GizmoHandle handle : allGizmoHandles) {
    const osg::Vec4 colour = colourOf(handle, handle == lit);
    osg::ref_ptr<osg::Vec3Array> line = new osg::Vec3Array;
    for (const Vec3& point : gizmo->outline(handle)) line->push_back(osgFitup::toVec3d(point));
    geode_->addDrawable(makeGeometry(*line, GL_LINE_STRIP, colour));
    if (!turns(handle)) geode_->addDrawable(makeTip(*gizmo, handle, colour));
  }
}

}  // namespace fitup::viewer
