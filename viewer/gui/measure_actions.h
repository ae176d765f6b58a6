#pragma once

#include <QDockWidget>
#include <QMenu>

#include <viewer/gui/measure_panel.h>

namespace fitup::viewer {

/// Measuring: begins and ends it, takes what is selected, removes measurements.
class MeasureActions : public QObject {
  Q_OBJECT

 public:
  /// `dock` comes to the front when measuring begins.
  MeasureActions(Document& document, MeasureTool& tool, MeasurePanel& panel, QDockWidget& dock,
                 QObject* parent);
  void addTo(QMenu& menu);

 private:
  Document& document_;
  MeasureTool& tool_;
  MeasurePanel& panel_;
  QAction* measure_;
};

}  // namespace fitup::viewer
