#pragma once

#include <QAction>

#include <viewer/gui/document.h>

namespace fitup::viewer {

/// The action, which cannot be chosen before a model is open.
inline QAction* withModel(QAction* action, const Document& document) {
  action->setEnabled(document.session() != nullptr);
  QObject::connect(&document, &Document::opened, action, [action] { action->setEnabled(true); });
  return action;
}

/// The action with a tooltip, which menus show too.
inline QAction* withTip(QAction* action, const QString& tip) {
  action->setToolTip(tip);
  return action;
}

}  // namespace fitup::viewer
