#include <viewer/gui/measure_actions.h>

#include <viewer/gui/model_action.h>

namespace fitup::viewer {

MeasureActions::MeasureActions(Document& document, MeasureTool& tool, MeasurePanel& panel, QDockWidget& dock,
                               QObject* parent)
    : QObject(parent),
      document_(document),
      tool_(tool),
      panel_(panel),
      measure_(new QAction(tr("&Measure"), this)) {
  measure_->setCheckable(true);
  measure_->setShortcut(QKeySequence(tr("R")));
  measure_->setToolTip(tr("Two clicks measure between faces; Ctrl: parts, Shift: points"));
  withModel(measure_, document_);
  connect(measure_, &QAction::triggered, &tool_, &MeasureTool::setActive);
  connect(&tool_, &MeasureTool::activeChanged, this, [this, &dock] {
    measure_->setChecked(tool_.isActive());
    if (!tool_.isActive()) return;
    dock.show();
    dock.raise();
  });
}

void MeasureActions::addTo(QMenu& menu) {
  menu.addAction(measure_);
  const auto add = [&](const QString& text, const QString& key, const QString& tip, auto* receiver,
                       auto slot) {
    withModel(withTip(menu.addAction(text, QKeySequence(key), receiver, slot), tip), document_);
  };
  add(tr("Measure the &selected"), tr("Shift+R"),
      tr("Between two selected parts, or from the selected part or its chosen face"), &tool_,
      &MeasureTool::takeSelected);
  add(tr("&Remove measurements"), tr("Ctrl+Shift+R"), tr("Those chosen in the list, or all if none is"),
      &panel_, &MeasurePanel::removeChosen);
}

}  // namespace fitup::viewer
