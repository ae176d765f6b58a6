#pragma once

#include <vector>

#include <QLabel>
#include <osg/Group>

#include <viewer/core/camera.h>
#include <viewer/gui/measure_tool.h>

namespace fitup::viewer {

/// Measurements in the view: a line between the nearest points, drawn over the model, and the number at it.
class MeasureOverlay {
 public:
  /// `view` is what the numbers lie on.
  MeasureOverlay(const Document& document, const MeasureTool& tool, QWidget& view);
  /// What is drawn; world coordinates.
  [[nodiscard]] osg::Group* node() noexcept { return node_.get(); }

  /// Draws what is measured now.
  void show(const Camera& camera);
  /// Puts the numbers where their lines are in the picture.
  void place(const Camera& camera);
  /// As they are shown, in the order of the measurements.
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
};

}  // namespace fitup::viewer
