#pragma once

#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QSlider>

#include <viewer/gui/document.h>
#include <viewer/gui/number_field.h>

namespace fitup::viewer {

/// Controls the section plane: its axis, its offset, and the side that is cut away.
class SectionPanel : public QWidget {
  Q_OBJECT

 public:
  explicit SectionPanel(Document& document, QWidget* parent = nullptr);

 private:
  void follow();
  void apply();
  /// The direction of the chosen axis, regardless of the side that is cut away.
  [[nodiscard]] Vec3 direction() const;
  /// The least and largest offset at which a plane perpendicular to a direction meets the model.
  [[nodiscard]] std::pair<double, double> rangeAlong(const Vec3& direction) const;

  Document& document_;
  QCheckBox *on_, *flip_;
  QComboBox* axis_;
  QSlider* slider_;
  NumberField* offset_;
  Box bounds_;             ///< box of the model in its design placements
  Vec3 oblique_{1, 0, 0};  ///< normal of a plane that is perpendicular to no axis
  bool following_ = false;
};

}  // namespace fitup::viewer
