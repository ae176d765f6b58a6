#include <viewer/gui/view_cube_widget.h>

#include <algorithm>

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

namespace fitup::viewer {
namespace {

constexpr int side = 124;  // in pixels of the widget

QPointF point(const PicturePoint& p) { return {p.x, p.y}; }

QPolygonF polygon(const std::array<PicturePoint, 4>& corners) {
  QPolygonF polygon;
  for (const PicturePoint& corner : corners) polygon << point(corner);
  return polygon;
}

QString nameOf(StandardView view) {
  switch (view) {
    case StandardView::front:
      return ViewCubeWidget::tr("FRONT");
    case StandardView::back:
      return ViewCubeWidget::tr("BACK");
    case StandardView::left:
      return ViewCubeWidget::tr("LEFT");
    case StandardView::right:
      return ViewCubeWidget::tr("RIGHT");
    case StandardView::top:
      return ViewCubeWidget::tr("TOP");
    case StandardView::bottom:
      return ViewCubeWidget::tr("BOTTOM");
    case StandardView::isometric:
      break;
  }
  return {};
}

/// Draws a name as if it were printed on the face.
void drawName(QPainter& painter, const ViewCube::Face& face) {
  const QPolygonF from({{0, 0}, {100, 0}, {100, 100}, {0, 100}});
  QTransform onFace;
  if (!QTransform::quadToQuad(from, polygon(face.corners), onFace)) return;
  QFont font = painter.font();
  font.setPixelSize(21);
  font.setBold(true);
  QPainterPath path;
  path.addText(0, 0, font, nameOf(face.view));
  const QRectF around = path.boundingRect();
  constexpr double widest = 86;  // of the face's 100
  const double scale = std::min(1.0, widest / std::max(around.width(), 1.0));
  QTransform place = QTransform::fromTranslate(50, 50);
  place.scale(scale, scale);
  place.translate(-around.center().x(), -around.center().y());
  painter.fillPath(onFace.map(place.map(path)), QColor(45, 55, 68));
}

}  // namespace

ViewCubeWidget::ViewCubeWidget(QWidget* parent) : QWidget(parent) {
  setFixedSize(side, side);
  setMouseTracking(true);
  setToolTip(tr("Click on a face, an edge or a corner to look at it"));
  setAccessibleName(tr("View cube"));
  camera_.setPicture(side, side);
}

void ViewCubeWidget::show(const Camera& camera) {
  camera_ = camera;
  update();
}

void ViewCubeWidget::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const ViewCube cube(camera_, side);
  // Axes and letters would drown in a part behind them.
  QColor backing = palette().color(QPalette::Base);
  backing.setAlpha(150);
  painter.setPen(Qt::NoPen);
  painter.setBrush(backing);
  painter.drawEllipse(QRectF(0, 0, side, side));
  const QColor colours[] = {QColor(200, 40, 40), QColor(40, 145, 50), QColor(40, 80, 210)};
  for (int axis = 0; axis < 3; ++axis) {
    const auto [from, to] = cube.axis(axis);
    painter.setPen(QPen(colours[axis], 2));
    painter.drawLine(point(from), point(to));
    painter.drawText(QRectF(point(to) - QPointF(8, 8), QSizeF(16, 16)), Qt::AlignCenter,
                     QString(QChar('X' + axis)));
  }
  for (const ViewCube::Face& face : cube.faces()) {
    const int light = 205 + static_cast<int>(40 * face.light);
    painter.setBrush(QColor(light, light, light + 5));
    painter.setPen(QPen(QColor(90, 100, 112), 1));
    painter.drawPolygon(polygon(face.corners));
    if (face.light > 0.25) drawName(painter, face);
  }
  if (hovered_)
    if (const auto zone = cube.zoneAt({hovered_->x(), hovered_->y()})) {
      painter.setPen(Qt::NoPen);
      painter.setBrush(QColor(40, 120, 235, 150));
      for (const auto& outline : zone->outlines) painter.drawPolygon(polygon(outline));
    }
}

void ViewCubeWidget::mouseMoveEvent(QMouseEvent* event) { setHovered(event->position()); }

void ViewCubeWidget::mousePressEvent(QMouseEvent* event) {
  const auto zone = ViewCube(camera_, side).zoneAt({event->position().x(), event->position().y()});
  if (!zone || event->button() != Qt::LeftButton) return event->ignore();
  emit chosen(zone->sight);
}

void ViewCubeWidget::leaveEvent(QEvent*) { setHovered({}); }

void ViewCubeWidget::setHovered(std::optional<QPointF> at) {
  hovered_ = at;
  update();
}

}  // namespace fitup::viewer
