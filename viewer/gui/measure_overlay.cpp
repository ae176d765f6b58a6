#include <viewer/gui/measure_overlay.h>

#include <algorithm>
#include <utility>

#include <osg/Geode>

#include <viewer/gui/measure_text.h>
#include <viewer/gui/overlay_label.h>
#include <viewer/gui/overlay_shapes.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

osg::ref_ptr<osg::Geometry> makeLines(const std::vector<std::pair<Vec3, Vec3>>& lines,
                                      const osg::Vec4& colour) {
  std::vector<Vec3> points;
  for (const auto& [from, to] : lines) points.insert(points.end(), {from, to});
  return makeShape(points, GL_LINES, colour);
}

osg::ref_ptr<osg::Geode> drawingOf(const MeantValue& meant) {
  const osg::Vec4 black(0.05F, 0.05F, 0.05F, 1), grey(0.45F, 0.45F, 0.45F, 1);
  osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  geode->addDrawable(makeLines(meant.extensions, grey));
  geode->addDrawable(makeLines(meant.lines, black));
  geode->addDrawable(makePoints(meant.ends, black));
  return geode;
}

const osg::Vec4 taken(0.9F, 0.6F, 0.0F, 1);

osg::ref_ptr<osg::Geode> dotAt(const Vec3& point) {
  osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  geode->addDrawable(makePoints({&point, 1}, taken));
  return geode;
}

/// The segments of an edge (`modelOfEdge`).
osg::ref_ptr<osg::Geode> drawingOf(const CollisionModel& edge, const Transform& worldFromPart) {
  std::vector<std::pair<Vec3, Vec3>> lines;
  const TriangleMesh& mesh = edge.mesh();
  for (const TriangleIndices& segment : mesh.triangles())
    lines.emplace_back(worldFromPart.apply(mesh.pointInPart(segment[0])),
                       worldFromPart.apply(mesh.pointInPart(segment[1])));
  osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  geode->addDrawable(makeLines(lines, taken));
  return geode;
}

}  // namespace

MeasureOverlay::MeasureOverlay(const Document& document, const MeasureTool& tool, QWidget& view)
    : document_(document), tool_(tool), view_(view), node_(new osg::Group) {
  drawOverEverything(*node_);
}

void MeasureOverlay::show(const Camera& camera) {
  node_->removeChildren(0, node_->getNumChildren());
  std::vector<MeantValue> shown;
  const auto add = [&](const std::optional<MeasuredValue>& value) {
    if (isHidden_ || !value) return;
    if (auto meant = meantValue(*value)) shown.push_back(std::move(*meant));
  };
  for (const MeasureTool::Entry& entry : tool_.entries()) add(entry.value);
  add(tool_.pendingValue());
  if (!isHidden_ && tool_.pending() && tool_.pending()->pointInPart)
    node_->addChild(dotAt(tool_.worldFromPart(*tool_.pending()).apply(*tool_.pending()->pointInPart)));
  if (!isHidden_ && tool_.pending() && tool_.pending()->edge)
    node_->addChild(drawingOf(*tool_.pending()->edge, tool_.worldFromPart(*tool_.pending())));
  while (numbers_.size() > shown.size()) {
    delete numbers_.back().label;
    numbers_.pop_back();
  }
  while (numbers_.size() < shown.size()) numbers_.push_back({makeOverlayLabel(view_), {}});
  for (std::size_t i = 0; i < shown.size(); ++i) {
    node_->addChild(drawingOf(shown[i]));
    numbers_[i].at = shown[i].label;
    numbers_[i].label->setText(labelText(shown[i], document_.lengthUnit()));
    numbers_[i].label->adjustSize();
  }
  place(camera);
}

void MeasureOverlay::place(const Camera& camera) {
  for (const auto& [label, at] : numbers_) {
    label->setVisible(camera.project(at).has_value());
    label->move(placeOf(label, camera, view_.devicePixelRatioF()));
  }
}

bool MeasureOverlay::owns(const QWidget* label) const {
  return std::ranges::find(numbers_, label, &Number::label) != numbers_.end();
}

QPoint MeasureOverlay::placeOf(const QWidget* label, const Camera& camera, double ratio) const {
  const auto number = std::ranges::find(numbers_, label, &Number::label);
  const auto point = camera.project(number->at);
  if (!point) return {};
  return {static_cast<int>(point->x / ratio) + 8, static_cast<int>(point->y / ratio) - label->height() / 2};
}

QStringList MeasureOverlay::numbers() const {
  QStringList texts;
  for (const Number& number : numbers_) texts.push_back(number.label->text());
  return texts;
}

}  // namespace fitup::viewer
