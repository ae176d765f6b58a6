#include <viewer/gui/value_list.h>

#include <algorithm>
#include <set>

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QShortcut>
#include <QStyledItemDelegate>

#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

namespace {

/// Cuts paths in the middle, because they differ at their ends, and other values at the end.
class ValuePainter : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (option->text.contains(QLatin1Char('/'))) option->textElideMode = Qt::ElideMiddle;
  }
};

}  // namespace

ValueList::ValueList(QWidget* parent) : QTreeWidget(parent) {
  setColumnCount(2);
  setHeaderHidden(true);
  setRootIsDecorated(false);
  setIndentation(10);
  setItemDelegate(new ValuePainter(this));
  setUniformRowHeights(true);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setContextMenuPolicy(Qt::CustomContextMenu);
  header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  auto* copyKey = new QShortcut(QKeySequence::Copy, this);
  copyKey->setContext(Qt::WidgetShortcut);
  connect(copyKey, &QShortcut::activated, this, &ValueList::copyChosen);
  connect(this, &QTreeWidget::customContextMenuRequested, this, &ValueList::showMenu);
}

void ValueList::show(const std::vector<Line>& lines) {
  const bool same =
      std::equal(lines.begin(), lines.end(), lines_.begin(), lines_.end(),
                 [](const Line& a, const Line& b) { return a.group == b.group && a.name == b.name; });
  if (!same) {
    clear();
    QTreeWidgetItem* group = nullptr;
    for (const Line& line : lines) {
      if (group == nullptr || group->text(0) != line.group) {
        group = new QTreeWidgetItem(this, {line.group});
        QFont bold = font();
        bold.setBold(true);
        group->setFont(0, bold);
        group->setToolTip(0, tipOf(line.group));
        group->setFirstColumnSpanned(true);
        group->setExpanded(true);
      }
      new QTreeWidgetItem(group, {line.name});
    }
  }
  auto line = lines.begin();
  for (int g = 0; g < topLevelItemCount(); ++g)
    for (int i = 0; i < topLevelItem(g)->childCount(); ++i, ++line) {
      QTreeWidgetItem& item = *topLevelItem(g)->child(i);
      if (item.text(1) == line->value) continue;
      item.setText(1, line->value);
      item.setToolTip(1, tipOf(line->value));
      QPixmap square(12, 12);
      if (line->colour.isValid()) square.fill(line->colour);
      item.setIcon(1, line->colour.isValid() ? QIcon(square) : QIcon());
    }
  lines_ = lines;
}

std::vector<int> ValueList::chosenGroups() const {
  std::set<int> groups;
  for (QTreeWidgetItem* item : selectedItems())
    groups.insert(indexOfTopLevelItem(item->parent() != nullptr ? item->parent() : item));
  return {groups.begin(), groups.end()};
}

QString ValueList::text(const std::vector<Line>& lines) {
  QString all, group;
  for (const Line& line : lines) {
    if (line.group != group) all += line.group + QLatin1Char('\n');
    group = line.group;
    all += line.name + QLatin1Char('\t') + line.value + QLatin1Char('\n');
  }
  return all;
}

void ValueList::copyChosen() const {
  QStringList names, values;
  for (const QTreeWidgetItem* item : selectedItems()) {
    if (item->parent() == nullptr) continue;
    names.push_back(item->text(0) + QLatin1Char('\t') + item->text(1));
    values.push_back(item->text(1));
  }
  if (!values.empty())
    QGuiApplication::clipboard()->setText(values.size() == 1 ? values.front()
                                                             : names.join(QLatin1Char('\n')));
}

void ValueList::showMenu(const QPoint& point) {
  QMenu menu;
  menu.addAction(tr("Copy"), this, &ValueList::copyChosen);
  menu.addAction(tr("Copy all"), this, [this] { QGuiApplication::clipboard()->setText(text(lines_)); });
  emit menuAboutToShow(menu);
  menu.exec(viewport()->mapToGlobal(point));
}

}  // namespace fitup::viewer
