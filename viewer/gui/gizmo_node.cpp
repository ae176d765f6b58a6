#include <viewer/gui/gizmo_node.h>

#include <array>

#include <osg/BlendFunc>

#include <viewer/gui/overlay_shapes.h>

namespace fitup::viewer {
namespace {

osg::Vec4 colourOf(GizmoHandle handle, bool lit) {
  if (lit) return {1.0F, 0.85F, 0.1F, 1};
  if (handle == GizmoHandle::centre) return {0.35F, 0.37F, 0.42F, 1};
  static const osg::Vec4 colours[] = {
      {0.85F, 0.15F, 0.15F, 1}, {0.1F, 0.6F, 0.15F, 1}, {0.15F, 0.3F, 0.9F, 1}};
  return colours[static_cast<std::size_t>(handle) % 3];
}

}  // namespace

GizmoNode::GizmoNode() : geode_(new osg::Geode) {
  addChild(geode_);
  drawOverEverything(*this);
  getOrCreateStateSet()->setMode(GL_BLEND, osg::StateAttribute::ON);
  getOrCreateStateSet()->setAttribute(new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
}

void GizmoNode::show(const std::optional<Gizmo>& gizmo, std::optional<GizmoHandle> lit,
                     const std::optional<Vec3>& hand) {
  geode_->removeDrawables(0, geode_->getNumDrawables());
  if (!gizmo) return;
  for (const GizmoHandle handle : allGizmoHandles) {
    const osg::Vec4 colour = colourOf(handle, handle == lit);
    const std::vector<Vec3> line = gizmo->outline(handle);
    if (handle == GizmoHandle::centre) {
      geode_->addDrawable(makePoints(line, colour));
      continue;
    }
    if (movesAcross(handle)) {
      osg::Vec4 clear = colour;
      clear.a() = 0.35F;
      const std::vector<Vec3> halves{line[0], line[1], line[2], line[0], line[2], line[3]};
      geode_->addDrawable(makeShape(halves, GL_TRIANGLES, clear));
    }
    geode_->addDrawable(makeShape(line, GL_LINE_STRIP, colour));
    if (!turns(handle) && !movesAcross(handle))
      geode_->addDrawable(makeArrowTip(line.front(), line.back(), colour));
  }
  if (!hand) return;
  const osg::Vec4 colour{0.25F, 0.25F, 0.3F, 1};
  geode_->addDrawable(makeShape(std::array{gizmo->centre, *hand}, GL_LINE_STRIP, colour));
  const double arm = 0.12 * gizmo->size;
  for (const Vec3& way : {Vec3{arm, 0, 0}, Vec3{0, arm, 0}, Vec3{0, 0, arm}})
    geode_->addDrawable(makeShape(std::array{*hand - way, *hand + way}, GL_LINE_STRIP, colour));
}

}  // namespace fitup::viewer
