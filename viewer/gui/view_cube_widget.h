#pragma once

#include <optional>

#include <QWidget>

#include <viewer/core/view_cube.h>

namespace fitup::viewer {

/// The view cube in a corner of the view, with the axes of the world.
class ViewCubeWidget : public QWidget {
  Q_OBJECT

 public:
  explicit ViewCubeWidget(QWidget* parent);
  void show(const Camera& camera);

 signals:
  /// A part of the cube was clicked on.
  void chosen(const Vec3& sight);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void setHovered(std::optional<QPointF> at);

  Camera camera_;
  std::optional<QPointF> hovered_;
};

}  // namespace fitup::viewer
