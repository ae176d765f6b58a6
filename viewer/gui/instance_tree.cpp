#include <viewer/gui/instance_tree.h>

#include <algorithm>

#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <viewer/gui/scope_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
InstanceTree::InstanceTree(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      search_(new QLineEdit),
      matches_(new QLabel),
      scope_(new QLabel),
      tree_(new QTreeWidget),
      lines_{document} {
  lines_.toggled = [this](NodeId node, bool shows) { show(node, shows); };
  search_->setPlaceholderText(tr("Search parts"));
  search_->setAccessibleName(tr("Search parts"));
  search_->setClearButtonEnabled(true);
  tree_->setHeaderHidden(true);
  tree_->setColumnCount(InstanceLine::columns);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(InstanceLine::nameColumn, QHeaderView::Stretch);
  tree_->header()->setSectionResizeMode(InstanceLine::signsColumn, QHeaderView::Fixed);
  constexpr int mostSigns = 3;
  tree_->header()->setMinimumSectionSize(8);
  tree_->header()->resizeSection(InstanceLine::signsColumn, mostSigns * tree_->fontMetrics().height() + 8);
  tree_->setExpandsOnDoubleClick(false);
  auto* delegate = new InstanceLineDelegate(tree_);
  tree_->setItemDelegate(delegate);
  connect(delegate, &InstanceLineDelegate::doubleClicked, this, &InstanceTree::zoomRequested);
  tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  tree_->setUniformRowHeights(true);
  tree_->setAccessibleName(tr("Parts"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  auto* line = new QHBoxLayout;
  line->addWidget(search_, 1);
  line->addWidget(matches_);
  matches_->setTextFormat(Qt::PlainText);
  matches_->setToolTip(tr("Lines whose names have the text, of all lines"));
  matches_->hide();
  layout->addLayout(line);
  layout->addWidget(scope_);
  scope_->setWordWrap(true);
  scope_->hide();
  connect(scope_, &QLabel::linkActivated, this, [this] {
    document_.session()->edit("Check all parts", [](SessionState& state) { state.rules.check.reset(); });
  });
  layout->addWidget(tree_);
  setFocusProxy(tree_);  // the key of the panel leads to the parts
  connect(search_, &QLineEdit::textChanged, this, &InstanceTree::filter);
  connect(tree_, &QTreeWidget::itemSelectionChanged, this, &InstanceTree::selected);
  connect(&document_, &Document::opened, this, &InstanceTree::build);
  connect(&document_, &Document::selectionChanged, this, &InstanceTree::follow);
  connect(&document_, &Document::stateChanged, this, &InstanceTree::follow);
  // The lines ask the session for what they show.
  connect(&document_, &Document::aboutToClose, this, [this] {
    const QSignalBlocker blocker(tree_);
    tree_->clear();
    items_.clear();
  });
  const auto followAnswer = [this] {
    if (document_.session() == nullptr || items_.empty()) return;
    lines_.states.followAnswer();
    tree_->viewport()->update();
  };
  connect(&document_.check(), &LiveCheck::answered, this, followAnswer);
  connect(&document_.check(), &LiveCheck::depthsFound, this, followAnswer);
}

void InstanceTree::build() {
  const QSignalBlocker blocker(tree_);
  tree_->clear();
  items_.clear();
  search_->clear();
  lines_.states.begin();
  QList<QTreeWidgetItem*> roots;
  for (std::uint32_t i = 0; i < document_.session()->assembly().nodes().size(); ++i) {
    auto* item = new InstanceLine(lines_, NodeId{i});
    if (const auto& parent = document_.session()->assembly().nodes()[i].parent)
      items_.at(index(*parent))->addChild(item);
    else
      roots << item;
    items_.push_back(item);
  }
  tree_->addTopLevelItems(roots);
  if (items_.size() <= 60)
    tree_->expandAll();
  else
    tree_->expandToDepth(0);
  follow();
}

void InstanceTree::follow() {
  if (document_.session() == nullptr || items_.empty()) return;
  const QSignalBlocker blocker(tree_);
  following_ = true;
  lines_.states.followState();
  const SessionState& state = document_.session()->state();
  const Assembly& assembly = document_.session()->assembly();
  scope_->setVisible(state.rules.check.has_value());
  if (state.rules.check)
    scope_->setText(
        tr("Checked: %1. <a href=\"all\">All again</a>").arg(viewer::scopeText(assembly, state.rules)));
  QTreeWidgetItem* firstSelected = nullptr;
  QModelIndexList added, removed;
  // Children come after their parents.
  for (std::size_t i = items_.size(); i-- > 0;) {
    const NodeId node{static_cast<std::uint32_t>(i)};
    QTreeWidgetItem& item = *items_[i];
    const bool isPart = assembly.node(node).part.has_value();
    const bool isSelected = document_.selection().contains(node);
    bool staysSelected = isSelected;
    if (!isPart && item.isSelected())
      staysSelected = std::ranges::all_of(
          assembly.instancesBelow(node), [&](NodeId below) { return document_.selection().contains(below); });
    if (item.isSelected() != staysSelected)
      (staysSelected ? added : removed).push_back(tree_->indexFromItem(&item));
    if (isSelected) firstSelected = &item;
  }
  select(added, QItemSelectionModel::Select);
  select(removed, QItemSelectionModel::Deselect);
  tree_->viewport()->update();
  if (firstSelected != nullptr && !tree_->hasFocus()) tree_->scrollToItem(firstSelected);
  following_ = false;
}

/// All at once, by ranges of lines below one another: the tree takes a time for each range that grows with
/// their number.
void InstanceTree::select(QModelIndexList& lines, QItemSelectionModel::SelectionFlag how) {
  std::ranges::sort(lines, [](const QModelIndex& a, const QModelIndex& b) {
    return a.parent() == b.parent() ? a.row() < b.row() : a.parent() < b.parent();
  });
  QItemSelection ranges;
  for (qsizetype i = 0; i < lines.size();) {
    qsizetype last = i;
    while (last + 1 < lines.size() && lines[last + 1].parent() == lines[i].parent() &&
           lines[last + 1].row() == lines[last].row() + 1)
      ++last;
    ranges.append(QItemSelectionRange(lines[i], lines[last]));
    i = last + 1;
  }
  if (!ranges.isEmpty()) tree_->selectionModel()->select(ranges, how | QItemSelectionModel::Rows);
}

void InstanceTree::filter(const QString& text) {
  std::size_t matches = 0;
  for (std::size_t i = items_.size(); i-- > 0;) {
    QTreeWidgetItem& item = *items_[i];
    bool shown = item.text(0).contains(text, Qt::CaseInsensitive);
    if (shown) ++matches;
    for (int c = 0; c < item.childCount() && !shown; ++c) shown = !item.child(c)->isHidden();
    item.setHidden(!shown);
    if (shown && !text.isEmpty()) item.setExpanded(true);
  }
  matches_->setText(text.isEmpty() ? QString() : tr("%1 of %2").arg(matches).arg(items_.size()));
  matches_->setVisible(!text.isEmpty());
}

void InstanceTree::expandBelow(bool expand) {
  const QList<QTreeWidgetItem*> selected = tree_->selectedItems();
  if (selected.isEmpty()) return expand ? tree_->expandAll() : tree_->collapseAll();
  const Assembly& assembly = document_.session()->assembly();
  // Parents come before their children.
  std::vector<bool> isBelow(items_.size());
  for (const QTreeWidgetItem* item : selected)
    isBelow[index(static_cast<const InstanceLine*>(item)->node())] = true;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (const auto& parent = assembly.nodes()[i].parent; parent && isBelow[index(*parent)]) isBelow[i] = true;
    if (isBelow[i] && items_[i]->childCount() > 0) items_[i]->setExpanded(expand);
  }
}

void InstanceTree::reveal(NodeId node) {
  QTreeWidgetItem& line = lineOf(node);
  tree_->setCurrentItem(&line, 0, QItemSelectionModel::NoUpdate);
  tree_->scrollToItem(&line);
}

void InstanceTree::selected() {
  if (following_ || document_.session() == nullptr) return;
  std::set<NodeId> nodes;
  for (const QTreeWidgetItem* item : tree_->selectedItems())
    for (const NodeId node :
         document_.session()->assembly().instancesBelow(static_cast<const InstanceLine*>(item)->node()))
      nodes.insert(node);
  document_.select(std::move(nodes));
}

void InstanceTree::show(NodeId below, bool shows) {
  document_.session()->edit(shows ? "Show" : "Hide", [&](SessionState& state) {
    for (const NodeId node : document_.session()->assembly().instancesBelow(below)) {
      if (shows)
        state.hidden.erase(node);
      else
        state.hidden.insert(node);
    }
  });
}

}  // namespace fitup::viewer
