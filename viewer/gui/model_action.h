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

}  // namespace fitup::viewer
