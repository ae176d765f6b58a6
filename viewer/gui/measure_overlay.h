#pragma once

#include <vector>

#include <QLabel>
#include <osg/Group>

#include <viewer/core/camera.h>
#include <viewer/gui/measure_tool.h>

namespace fitup::viewer {

/// Measurements in the view: the value that is meant (`meantValue`) with its lines, drawn over the model. For
/// the first target of the next measurement, its diameter.
class MeasureOverlay {
 public:
  /// `view` holds the labels of the numbers.
  MeasureOverlay(const Document& document, const MeasureTool& tool, QWidget& view);
  /// The drawn node; world coordinates.
  [[nodiscard]] osg::Group* node() noexcept { return node_.get(); }

  /// Shows measurements or hides them, from the next `show` on.
  void setHidden(bool hidden) { isHidden_ = hidden; }
  /// Draws the current measurements.
  void show(const Camera& camera);
  /// Moves the numbers to their lines in the picture.
  void place(const Camera& camera);
  /// Whether a widget over the view is one of its labels.
  [[nodiscard]] bool owns(const QWidget* label) const;
  /// The place of a label in a picture of the camera with so many device pixels for one of the widget's.
  [[nodiscard]] QPoint placeOf(const QWidget* label, const Camera& camera, double ratio) const;
  /// The shown texts, in the order of the measurements; last that of the first target of the next one.
  [[nodiscard]] QStringList numbers() const;

 private:
  struct Number {
    QLabel* label;
    Vec3 at;
  };

  const Document& document_;
  const MeasureTool& tool_;
  QWidget& view_;
  osg::ref_ptr<osg::Group> node_;
  std::vector<Number> numbers_;
  bool isHidden_ = false;
};

}  // namespace fitup::viewer
