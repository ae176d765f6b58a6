#include <viewer/gui/edit_actions.h>

#include <viewer/gui/instance_tree.h>
#include <viewer/gui/model_action.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

EditActions::EditActions(Document& document, DragController& drag, InstanceTree& tree, QObject* parent)
    : QObject(parent),
      document_(document),
      drag_(drag),
      tree_(tree),
      undo_(new QAction(tr("&Undo"), this)),
      redo_(new QAction(tr("&Redo"), this)) {
  undo_->setShortcut(QKeySequence(tr("Ctrl+Z")));
  redo_->setShortcuts({QKeySequence(tr("Ctrl+Y")), QKeySequence(tr("Ctrl+Shift+Z"))});
  undo_->setToolTip(tr("Takes the last change back"));
  redo_->setToolTip(tr("Makes again what was taken back"));
  connect(undo_, &QAction::triggered, this, [this] {
    if (!drag_.isActive()) document_.session()->undo();
  });
  connect(redo_, &QAction::triggered, this, [this] {
    if (!drag_.isActive()) document_.session()->redo();
  });
  connect(&document_, &Document::opened, this, &EditActions::refresh);
  connect(&document_, &Document::stateChanged, this, &EditActions::refresh);
  refresh();
}

void EditActions::addTo(QMenu& menu) {
  menu.addAction(undo_);
  menu.addAction(redo_);
  menu.addSeparator();
  const auto add = [&](const QString& text, const QString& key, const QString& tip, auto slot) {
    withModel(withTip(menu.addAction(text, QKeySequence(key), &tree_, slot), tip), document_);
  };
  add(tr("&Isolate"), tr("I"), tr("Only the selected parts stay visible"), &InstanceTree::isolate);
  add(tr("&Hide or show"), tr("H"), tr("The selected parts"), &InstanceTree::toggleHidden);
  add(tr("&Ghost"), tr("G"), tr("The selected parts let others shine through, or no longer do"),
      &InstanceTree::toggleGhosts);
  add(tr("Show &all"), tr("A"), tr("Nothing is hidden or a ghost any more"), &InstanceTree::showAll);
}

void EditActions::refresh() {
  const Session* session = document_.session();
  const auto* history = session != nullptr ? &session->history() : nullptr;
  undo_->setEnabled(history != nullptr && history->canUndo());
  redo_->setEnabled(history != nullptr && history->canRedo());
  undo_->setText(undo_->isEnabled() ? tr("&Undo: %1").arg(menuText(shown(history->undoLabel())))
                                    : tr("&Undo"));
  redo_->setText(redo_->isEnabled() ? tr("&Redo: %1").arg(menuText(shown(history->redoLabel())))
                                    : tr("&Redo"));
}

}  // namespace fitup::viewer
