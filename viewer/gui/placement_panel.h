#pragma once

#include <array>
#include <set>

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>

#include <viewer/gui/drag_controller.h>
#include <viewer/gui/number_field.h>

namespace fitup::viewer {

/// Moves the selected parts by numbers: a shift along the axes of the world and turns about them, through the
/// middle of the selection (x first, then y, then z). Shows the distance from the design placement. Holds the
/// steps of snapping and of nudges by keys.
class PlacementPanel : public QWidget {
  Q_OBJECT

 public:
  PlacementPanel(Document& document, DragController& drag, QWidget* parent = nullptr);
  /// In the assembly's unit and in degrees; stops at contact if the drag mode says so.
  void moveBy(const Vec3& shift, const Vec3& degrees);

 private:
  void followSelection();
  void refresh();
  void makeSteps();
  void followSteps();
  /// Shows the fields in the unit of lengths; what was typed keeps its length.
  void followUnit();
  void setLengthDecimals(int decimals);

  Document& document_;
  DragController& drag_;
  QLabel *what_, *where_, *shiftBy_;
  std::array<NumberField*, 6> fields_{};
  std::set<NodeId> ofFields_;  ///< the selected parts that the numbers in the fields are for
  LengthUnit unit_;            ///< of the fields
  QPushButton *apply_, *reset_;
  QCheckBox* snaps_;
  NumberField *distanceStep_, *angleStep_;
};

}  // namespace fitup::viewer
