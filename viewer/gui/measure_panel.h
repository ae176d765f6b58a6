#pragma once

#include <QLabel>
#include <QPushButton>

#include <viewer/gui/measure_tool.h>
#include <viewer/gui/value_list.h>

namespace fitup::viewer {

/// Lists the measurements, and what to do for the next one.
class MeasurePanel : public QWidget {
  Q_OBJECT

 public:
  MeasurePanel(Document& document, MeasureTool& tool, QWidget* parent = nullptr);
  /// The lines of the panel, "name<tab>value" each, below the measurement's number and targets; in the unit
  /// of the model, for scripts.
  [[nodiscard]] QString text() const;
  /// Removes the measurements chosen in the list.
  void removeChosen();

 private:
  void follow();
  [[nodiscard]] std::vector<ValueList::Line> lines(const LengthUnit& unit) const;

  Document& document_;
  MeasureTool& tool_;
  QLabel* hint_;
  QPushButton *measure_, *take_, *remove_;
  ValueList* list_;
};

/// Returns what the user should do next; empty while the tool is inactive.
QString measureHint(const Document& document, const MeasureTool& tool);

}  // namespace fitup::viewer
