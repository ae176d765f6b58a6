#include <viewer/gui/keys_dialog.h>

#include <algorithm>

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMenuBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <viewer/gui/commands.h>
#include <viewer/gui/menu_entries.h>
#include <viewer/gui/mouse_text.h>
#include <viewer/gui/scene_view.h>

namespace fitup::viewer {

KeysDialog::KeysDialog(MainWindow& window)
    : QDialog(&window), window_(window), field_(new QLineEdit), list_(new QTreeWidget) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("keys"));
  setWindowTitle(tr("Keys and mouse"));
  resize(900, 560);
  field_->setPlaceholderText(tr("Search"));
  field_->setAccessibleName(tr("Search"));
  field_->setClearButtonEnabled(true);
  list_->setHeaderLabels({tr("Command or effect"), tr("Keys or mouse")});
  list_->setAccessibleName(windowTitle());
  list_->setAlternatingRowColors(true);
  list_->setUniformRowHeights(true);
  list_->setSelectionMode(QAbstractItemView::SingleSelection);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);  // Return ends a field, not the dialog
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* all = new QVBoxLayout(this);
  all->addWidget(field_);
  all->addWidget(list_, 1);
  all->addWidget(buttons);
  connect(field_, &QLineEdit::textChanged, this, &KeysDialog::search);
  connect(&window.view(), &SceneView::settingsChanged, this, &KeysDialog::fill);
  fill();
  field_->setFocus();
}

void KeysDialog::fill() {
  list_->clear();
  const auto group = [this](const QString& name) {
    auto* item = new QTreeWidgetItem(list_, {name});
    QFont bold = item->font(0);
    bold.setBold(true);
    item->setFont(0, bold);
    item->setFlags(Qt::ItemIsEnabled);
    item->setFirstColumnSpanned(true);
    return item;
  };
  const NavigationPreset preset = window_.view().navigation();
  QTreeWidgetItem* mouse = group(
      tr("Mouse and keys in the view (%1)")
          .arg(withoutMnemonic(window_.commands().action("navigation " + std::string(name(preset))).text())));
  for (const auto& [input, effect] : mouseEffects(preset)) {
    auto* item = new QTreeWidgetItem(mouse, {effect, input});
    item->setToolTip(0, effect);
    item->setToolTip(1, input);
  }
  QTreeWidgetItem* menu = nullptr;
  for (const PlacedCommand& placed : commandsInMenus(*window_.menuBar(), window_.commands())) {
    if (menu == nullptr || menu->text(0) != placed.menu) menu = group(placed.menu);
    auto* item = new QTreeWidgetItem(menu, {placed.text, keysText(placed.command->entry.keys)});
    item->setToolTip(0, placed.command->entry.tip);
  }
  list_->expandAll();
  list_->header()->resizeSection(0, 540);
  search();
}

void KeysDialog::search() {
  const QStringList words = field_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    QTreeWidgetItem& group = *list_->topLevelItem(i);
    bool isAnyShown = false;
    for (int j = 0; j < group.childCount(); ++j) {
      QTreeWidgetItem& item = *group.child(j);
      const QString text = item.text(0) + ' ' + item.text(1) + ' ' + item.toolTip(0) + ' ' + group.text(0);
      const bool isShown = std::all_of(words.begin(), words.end(), [&](const QString& word) {
        return text.contains(word, Qt::CaseInsensitive);
      });
      item.setHidden(!isShown);
      isAnyShown |= isShown;
    }
    group.setHidden(!isAnyShown);
  }
}

}  // namespace fitup::viewer
