#pragma once

#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSlider>

#include <viewer/gui/document.h>

namespace fitup::viewer {

/// The section plane: across which axis, where, and which side is cut away.
class SectionPanel : public QWidget {
  Q_OBJECT

 public:
  explicit SectionPanel(Document& document, QWidget* parent = nullptr);

 private:
  void follow();
  void apply();
  /// Of the chosen axis, without the side that is cut away.
  [[nodiscard]] Vec3 direction() const;
  /// Least and largest offset at which a plane across a direction meets the model.
  [[nodiscard]] std::pair<double, double> rangeAlong(const Vec3& direction) const;

  Document& document_;
  QCheckBox *on_, *flip_;
  QComboBox* axis_;
  QSlider* slider_;
  QDoubleSpinBox* offset_;
  Box bounds_;             ///< of the model by design
  Vec3 oblique_{1, 0, 0};  ///< normal of a plane that is across no axis
  bool following_ = false;
};

}  // namespace fitup::viewer
