#pragma once

#include <QMenu>

#include <viewer/gui/drag_controller.h>

namespace fitup::viewer {

class InstanceTree;

/// Undo and redo, and what of the parts is shown.
class EditActions : public QObject {
  Q_OBJECT

 public:
  EditActions(Document& document, DragController& drag, InstanceTree& tree, QObject* parent);
  void addTo(QMenu& menu);

 private:
  void refresh();

  Document& document_;
  DragController& drag_;
  InstanceTree& tree_;
  QAction *undo_, *redo_;
};

}  // namespace fitup::viewer
