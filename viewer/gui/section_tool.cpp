#include <viewer/gui/section_tool.h>

#include <osg/BlendFunc>
#include <osg/Geode>

#include <viewer/gui/overlay_shapes.h>

namespace fitup::viewer {

SectionTool::SectionTool(Document& document) : document_(document), node_(new osg::Group) {
  drawOverEverything(*node_);
  node_->getOrCreateStateSet()->setMode(GL_BLEND, osg::StateAttribute::ON);
  node_->getOrCreateStateSet()->setAttribute(new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
}

void SectionTool::update(const Camera& camera, const Box& visible, double pixels) {
  handle_.reset();
  if (document_.session() != nullptr) {
    const SectionPlane& plane = document_.session()->state().section;
    if (const auto unit = SectionHandle::of(plane, visible, 1))
      handle_ = SectionHandle::of(plane, visible, pixels * camera.worldPerPixel(unit->foot));
  }
  draw();
}

bool SectionTool::isAt(const Camera& camera, PicturePoint point, double reach) const {
  return handle_ && handle_->isAt(camera, point, reach);
}

bool SectionTool::setLit(bool lit) {
  if (lit == lit_) return false;
  lit_ = lit;
  draw();
  return true;
}

void SectionTool::begin(const Ray& ray) {
  if (!handle_) return;
  drag_.emplace(document_.session()->state().section, *handle_, ray);
  document_.session()->endMerging();
}

void SectionTool::moveTo(const Ray& ray) {
  if (!drag_) return;
  const SectionPlane plane = drag_->moveTo(ray);
  if (plane == document_.session()->state().section) return;
  document_.session()->edit(
      "Section", [&](SessionState& state) { state.section = plane; }, "section");
}

void SectionTool::finish() {
  drag_.reset();
  if (document_.session() != nullptr) document_.session()->endMerging();
}

void SectionTool::draw() {
  node_->removeChildren(0, node_->getNumChildren());
  if (!handle_) return;
  const osg::Vec4 line = lit_ ? osg::Vec4(1.0F, 0.75F, 0.1F, 1) : osg::Vec4(0.15F, 0.45F, 0.6F, 1);
  const osg::Vec4 area(0.2F, 0.55F, 0.75F, 0.06F);
  const Vec3 arrow[] = {handle_->foot, handle_->tip};
  osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  geode->addDrawable(makeShape(handle_->border, GL_TRIANGLE_FAN, area));
  geode->addDrawable(makeShape(handle_->border, GL_LINE_LOOP, line));
  geode->addDrawable(makeShape(arrow, GL_LINES, line));
  geode->addDrawable(makeArrowTip(handle_->foot, handle_->tip, line));
  node_->addChild(geode);
}

}  // namespace fitup::viewer
