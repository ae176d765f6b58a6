#pragma once

#include <initializer_list>
#include <utility>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QListWidget>
#include <QSlider>

#include <viewer/gui/document.h>
#include <viewer/gui/number_field.h>

namespace fitup::viewer {

/// Lists the section planes and controls the chosen one: its axis, its offset, and the side that is cut away.
class SectionPanel : public QWidget {
  Q_OBJECT

 public:
  explicit SectionPanel(Document& document, QWidget* parent = nullptr);
  /// Shows a button below the list for each action.
  void addButtons(std::initializer_list<QAction*> actions);

 private:
  void follow();
  void followUnit();
  /// Of the field, in the unit of the model.
  [[nodiscard]] double offset() const;
  void setOffset(double offset);
  void followList();
  void apply();
  void turnOn(bool on);
  void turnOn(QListWidgetItem* item);
  /// The plane that the controls describe.
  [[nodiscard]] SectionPlane described() const;
  /// The direction of the chosen axis, regardless of the side that is cut away.
  [[nodiscard]] Vec3 direction() const;
  /// The least and largest offset at which a plane perpendicular to a direction meets the model.
  [[nodiscard]] std::pair<double, double> rangeAlong(const Vec3& direction) const;

  Document& document_;
  QCheckBox *on_, *flip_;
  QComboBox* axis_;
  QSlider* slider_;
  NumberField* offset_;
  QListWidget* planes_;
  QHBoxLayout* buttons_;
  Box bounds_;  ///< box of the model in its design placements
  LengthUnit unit_;
  double exact_ = 0, rounded_ = 0;  ///< the offset that was set last, and the field's number for it
  Vec3 oblique_{1, 0, 0};           ///< normal of a plane that is perpendicular to no axis
  bool following_ = false;
};

}  // namespace fitup::viewer
