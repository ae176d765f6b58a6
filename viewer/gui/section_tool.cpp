#include <viewer/gui/section_tool.h>

#include <cmath>

#include <osg/BlendFunc>
#include <osg/Geode>

#include <viewer/gui/overlay_shapes.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

SectionTool::SectionTool(Document& document) : document_(document), node_(new osg::Group) {
  drawOverEverything(*node_);
  node_->getOrCreateStateSet()->setMode(GL_BLEND, osg::StateAttribute::ON);
  node_->getOrCreateStateSet()->setAttribute(new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
}

void SectionTool::update(const Camera& camera, const Box& visible, double pixels) {
  handles_.clear();
  if (document_.session() != nullptr) {
    const std::vector<SectionPlane>& planes = document_.session()->state().sections;
    for (std::size_t i = 0; i < planes.size(); ++i)
      if (const auto unit = SectionHandle::of(planes, i, visible, 1))
        handles_.push_back(*SectionHandle::of(planes, i, visible, pixels * camera.worldPerPixel(unit->foot)));
  }
  draw();
}

const SectionHandle* SectionTool::handleAt(const Camera& camera, PicturePoint point, double reach) const {
  for (const SectionHandle& handle : handles_)
    if (handle.isAt(camera, point, reach)) return &handle;
  return nullptr;
}

const SectionHandle* SectionTool::headAt(const Camera& camera, PicturePoint point, double reach) const {
  const SectionHandle* handle = handleAt(camera, point, reach);
  return handle != nullptr && handle->isHeadAt(camera, point, reach) ? handle : nullptr;
}

bool SectionTool::setLit(std::optional<std::size_t> plane) {
  if (plane == lit_) return false;
  lit_ = plane;
  draw();
  return true;
}

void SectionTool::begin(const SectionHandle& handle, const Ray& ray) {
  dragged_ = handle.plane;
  drag_.emplace(document_.session()->state().sections, handle, ray);
  document_.session()->endMerging();
  document_.chooseSection(dragged_);
}

void SectionTool::moveTo(const Ray& ray) {
  if (!drag_) return;
  const SectionPlane plane = drag_->moveTo(ray);
  const std::vector<SectionPlane>& planes = document_.session()->state().sections;
  // A key may have removed the plane meanwhile.
  if (dragged_ >= planes.size() || plane == planes[dragged_]) return;
  document_.session()->edit(
      "Section", [&](SessionState& state) { state.sections[dragged_] = plane; }, "section");
}

QString SectionTool::displacement() const {
  const std::vector<SectionPlane>& planes = document_.session()->state().sections;
  if (!drag_ || dragged_ >= planes.size()) return {};
  const SectionPlane& plane = planes[dragged_];
  const LengthUnit unit = document_.lengthUnit();
  constexpr int digits = 6;
  for (int i = 0; i < 3; ++i)
    if (std::abs(plane.normal[i]) > 1 - 1e-9)  // the coordinate of the plane, whatever side it faces
      return viewer::tr("%1 = %2 %3")
          .arg(QChar::fromLatin1(static_cast<char>('x' + i)),
               numberText(unit.shown(plane.offset * plane.normal[i]), leastShown, digits), unit.name);
  return viewer::tr("%1 %2").arg(numberText(unit.shown(plane.offset), leastShown, digits), unit.name);
}

void SectionTool::finish() {
  drag_.reset();
  if (document_.session() != nullptr) document_.session()->endMerging();
}

void SectionTool::draw() {
  node_->removeChildren(0, node_->getNumChildren());
  osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  for (const SectionHandle& handle : handles_) {
    const osg::Vec4 line =
        lit_ == handle.plane ? osg::Vec4(1.0F, 0.75F, 0.1F, 1) : osg::Vec4(0.15F, 0.45F, 0.6F, 1);
    const Vec3 arrow[] = {handle.foot, handle.tip};
    geode->addDrawable(makeShape(handle.border, GL_LINE_LOOP, line));
    geode->addDrawable(makeShape(arrow, GL_LINES, line));
    geode->addDrawable(makeArrowTip(handle.foot, handle.tip, line));
  }
  if (!handles_.empty()) node_->addChild(geode);
}

}  // namespace fitup::viewer
