#pragma once

#include <optional>

#include <QLabel>
#include <osg/Geode>

#include <viewer/core/camera.h>
#include <viewer/core/finding_place.h>

namespace fitup::viewer {

/// The depth of a finding in the view, as a dimension: an arrow with two heads from the deepest point to the
/// nearest point of the other surface, with its number beside it, over the model. Heads have the same size
/// however near the view is; those of a depth that is small in the picture point to it from outside.
class DepthArrow {
 public:
  /// `view` holds the label.
  explicit DepthArrow(QWidget& view);
  /// The drawn node; world coordinates.
  [[nodiscard]] osg::Group* node() noexcept { return node_.get(); }

  /// Sets what is shown from the next `place` on; empty: nothing.
  void show(const std::optional<DepthPlace>& place, const QString& text);
  /// Draws it for a camera with so many device pixels for one of the widget's.
  void place(const Camera& camera, double ratio);
  [[nodiscard]] bool owns(const QWidget* label) const { return label == label_; }
  /// The place of the label in a picture of the camera.
  [[nodiscard]] QPoint placeOfLabel(const Camera& camera, double ratio) const;
  /// What is written beside it; empty while it is not shown.
  [[nodiscard]] QString text() const { return place_ ? label_->text() : QString(); }

 private:
  std::optional<DepthPlace> place_;
  osg::ref_ptr<osg::Geode> node_;
  QLabel* label_;
};

}  // namespace fitup::viewer
