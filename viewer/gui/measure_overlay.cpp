#include <viewer/gui/measure_overlay.h>

#include <algorithm>

#include <osg/Geode>
#include <osg/Point>

#include <viewer/gui/measure_text.h>
#include <viewer/gui/overlay_shapes.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

MeasureOverlay::MeasureOverlay(const Document& document, const MeasureTool& tool, QWidget& view)
    : document_(document), tool_(tool), view_(view), node_(new osg::Group) {
  drawOverEverything(*node_);
}

void MeasureOverlay::show(const Camera& camera) {
  node_->removeChildren(0, node_->getNumChildren());
  std::size_t count = 0;
  for (const MeasureTool::Entry& entry : tool_.entries()) {
    if (isHidden_ || !entry.value || !entry.value->distance) continue;
    const Vec3 ends[] = {entry.value->firstPoint, entry.value->secondPoint};
    const osg::Vec4 colour(0.05F, 0.05F, 0.05F, 1);
    osg::ref_ptr<osg::Geode> geode = new osg::Geode;
    geode->addDrawable(makeShape(ends, GL_LINES, colour));
    osg::ref_ptr<osg::Geometry> points = makeShape(ends, GL_POINTS, colour);
    points->getOrCreateStateSet()->setAttribute(new osg::Point(overlayPointSize));
    geode->addDrawable(points);
    node_->addChild(geode);
    if (count == numbers_.size()) {
      auto* label = new QLabel(&view_);
      label->setStyleSheet(QStringLiteral(
          "QLabel { background: rgba(255, 255, 255, 225); border: 1px solid #333; padding: 1px 4px; }"));
      label->setTextFormat(Qt::PlainText);
      label->setAttribute(Qt::WA_TransparentForMouseEvents);
      numbers_.push_back({label, {}});
    }
    Number& number = numbers_[count++];
    number.at = 0.5 * (ends[0] + ends[1]);
    number.label->setText(labelText(*entry.value, shown(document_.session()->assembly().unit())));
    number.label->adjustSize();
  }
  for (std::size_t i = count; i < numbers_.size(); ++i) delete numbers_[i].label;
  numbers_.resize(count);
  place(camera);
}

void MeasureOverlay::place(const Camera& camera) {
  const double ratio = view_.devicePixelRatioF();
  for (const auto& [label, at] : numbers_) {
    const auto point = camera.project(at);
    label->setVisible(point.has_value());
    if (!point) continue;
    label->move(static_cast<int>(point->x / ratio) + 8,
                static_cast<int>(point->y / ratio) - label->height() / 2);
  }
}

QStringList MeasureOverlay::numbers() const {
  QStringList texts;
  for (const Number& number : numbers_) texts.push_back(number.label->text());
  return texts;
}

}  // namespace fitup::viewer
