// What lies over the model in the view: notes, labels, and what tools have taken.
#include <viewer/gui/scene_view.h>

#include <algorithm>
#include <vector>

#include <viewer/gui/measure_panel.h>
#include <viewer/gui/nearness_text.h>
#include <viewer/gui/way_out.h>

namespace fitup::viewer {

void SceneView::resizeEvent(QResizeEvent* event) {
  QOpenGLWidget::resizeEvent(event);
  placeOverlays();
}

void SceneView::placeOverlays() {
  legend_->move(8, height() - legend_->height() - 8);
  cube_->move(width() - cube_->width() - 8, 8);
  explode_->move(width() - explode_->width() - 8, height() - explode_->height() - 8);
  for (QWidget* widget : {static_cast<QWidget*>(note_), static_cast<QWidget*>(matePanel_)})
    widget->move(std::max(0, (width() - widget->width()) / 2), 8);
}

void SceneView::setWayOut(WayOut& wayOut) {
  interaction_.setWayOut(wayOut);
  const auto follow = [this] {
    updateHandles();
    update();
  };
  connect(&wayOut, &WayOut::changed, this, follow);
  connect(&wayOut, &WayOut::guideDragged, this, &SceneView::hasten);
  connect(&wayOut, &WayOut::guideDragged, this, follow);
}

void SceneView::showMate() {
  presenter_.showMate(mates_.current());
  showNote();
}

void SceneView::showMateTool() {
  showTaken();
  updateHandles();
  showNote();
}

/// The first of two faces that are measured or mated, or the first part.
void SceneView::showTaken() {
  if (const auto& face = mate_.first()) return presenter_.showMeasured(face->instance, {&face->surface, 1});
  std::vector<SurfaceId> surfaces;
  const auto& from = measure_.pending();
  if (from && from->surface && !from->pointInPart) surfaces.push_back(*from->surface);
  if (from && !from->surface && !from->edge && document_.session() != nullptr) {
    const Assembly& assembly = document_.session()->assembly();
    for (std::uint32_t s = 0; s < assembly.meshOf(from->instance).surfaces().size(); ++s)
      surfaces.push_back(SurfaceId{s});
  }
  presenter_.showMeasured(from ? from->instance : NodeId{}, surfaces);
}

void SceneView::showMeasured() {
  showTaken();
  measured_.show(camera_);
  updateHandles();
  showNote();
}

void SceneView::showNote() {
  const QString text =
      interaction_.isPlacingPivot()
          ? tr("Pivot: click a corner, an edge, the centre of a circle or a round face. Esc ends it.")
      : mate_.isActive()            ? QString()
      : mates_.current() != nullptr ? mates_.text()
                                    : measureHint(document_, measure_);
  note_->setText(text);
  note_->setVisible(!text.isEmpty());
  note_->adjustSize();
  placeOverlays();
  update();
}

void SceneView::showDisplacement(const QString& text, const PicturePoint& at) {
  displaced_ = text;
  displacedAt_ = at;
  const LiveAnswer& answer = document_.check().answer();
  QString note;
  if (!text.isEmpty() && document_.session() != nullptr && drag_.isActive() && drag_.stop())
    note = stopText(*document_.session(), *drag_.stop());
  else if (!text.isEmpty() && document_.session() != nullptr && !drag_.holding().empty())
    note = holdText(*document_.session(), drag_.holding());
  else if (!text.isEmpty() && document_.session() != nullptr && answer.drag &&
           document_.check().settings().distance)
    note = nearnessLabel(*document_.session(), answer, document_.selection(), document_.lengthUnit());
  displacement_->setText(note.isEmpty() ? text : text + '\n' + note);
  displacement_->setVisible(!text.isEmpty());
  displacement_->adjustSize();
  constexpr int beside = 18;
  const double ratio = devicePixelRatioF();
  const int x = static_cast<int>(at.x / ratio) + beside, y = static_cast<int>(at.y / ratio) + beside;
  displacement_->move(std::clamp(x, 0, std::max(0, width() - displacement_->width())),
                      std::clamp(y, 0, std::max(0, height() - displacement_->height())));
}

}  // namespace fitup::viewer
