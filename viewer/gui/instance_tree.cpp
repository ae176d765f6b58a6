#include <viewer/gui/instance_tree.h>

#include <functional>
#include <utility>

#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <viewer/core/check_scope.h>
#include <viewer/gui/scope_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

constexpr int nodeRole = Qt::UserRole;

NodeId nodeOf(const QTreeWidgetItem& item) { return NodeId{item.data(0, nodeRole).toUInt()}; }

QIcon colourIcon(const Assembly& assembly, NodeId id, const PartLooks& looks) {
  const AssemblyNode& node = assembly.node(id);
  const auto look = looks.find(id);
  Colour colour;
  if (look != looks.end() && look->second.colour)
    colour = viewer::colourOf(look->second);
  else if (node.colour)
    colour = *node.colour;
  else if (!assembly.part(*node.part).surfaces().empty())
    colour = assembly.part(*node.part).surfaces().front().colour.value_or(Colour{});
  QPixmap square(12, 12);
  const unsigned transparency = look != looks.end() ? look->second.transparency : 0;
  square.fill(
      QColor::fromRgbF(colour.red, colour.green, colour.blue, 1 - static_cast<float>(transparency) / 100));
  return QIcon(square);
}

}  // namespace

InstanceTree::InstanceTree(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      search_(new QLineEdit),
      scope_(new QLabel),
      tree_(new QTreeWidget),
      menu_(new QMenu(this)) {
  search_->setPlaceholderText(tr("Search parts"));
  search_->setClearButtonEnabled(true);
  tree_->setHeaderHidden(true);
  tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  tree_->setContextMenuPolicy(Qt::CustomContextMenu);
  tree_->setUniformRowHeights(true);
  tree_->setAccessibleName(tr("Parts"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->addWidget(search_);
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
  connect(tree_, &QTreeWidget::itemChanged, this, &InstanceTree::checked);
  connect(tree_, &QTreeWidget::customContextMenuRequested, this, [this](const QPoint& point) {
    if (document_.session() != nullptr) menu_->exec(tree_->viewport()->mapToGlobal(point));
  });
  connect(&document_, &Document::opened, this, &InstanceTree::build);
  connect(&document_, &Document::selectionChanged, this, &InstanceTree::follow);
  connect(&document_, &Document::stateChanged, this, &InstanceTree::follow);
}

void InstanceTree::build() {
  const QSignalBlocker blocker(tree_);
  tree_->clear();
  items_.clear();
  looks_.clear();
  search_->clear();
  const Assembly& assembly = document_.session()->assembly();
  for (std::uint32_t i = 0; i < assembly.nodes().size(); ++i) {
    const AssemblyNode& node = assembly.nodes()[i];
    auto* item =
        node.parent ? new QTreeWidgetItem(items_.at(index(*node.parent))) : new QTreeWidgetItem(tree_);
    item->setText(0, shown(node.name));
    item->setToolTip(0, tipOf(shown(assembly.path(NodeId{i}))));
    item->setData(0, nodeRole, i);
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    item->setCheckState(0, Qt::Checked);
    if (node.part) item->setIcon(0, colourIcon(assembly, NodeId{i}, {}));
    items_.push_back(item);
  }
  if (items_.size() <= 60)
    tree_->expandAll();
  else
    tree_->expandToDepth(0);
  follow();
}

void InstanceTree::showLooks() {
  const PartLooks& looks = document_.session()->state().looks;
  if (looks == looks_) return;
  const PartLooks before = std::exchange(looks_, looks);
  for (const PartLooks& some : {before, looks})
    for (const auto& [node, look] : some)
      items_.at(index(node))->setIcon(0, colourIcon(document_.session()->assembly(), node, looks));
}

void InstanceTree::follow() {
  if (document_.session() == nullptr || items_.empty()) return;
  const QSignalBlocker blocker(tree_);
  following_ = true;
  showLooks();
  const SessionState& state = document_.session()->state();
  const Assembly& assembly = document_.session()->assembly();
  const std::set<NodeId> scope =
      state.rules.check ? instancesInScope(assembly, state.rules) : std::set<NodeId>{};
  scope_->setVisible(state.rules.check.has_value());
  if (state.rules.check)
    scope_->setText(
        tr("Checked: %1. <a href=\"all\">All again</a>").arg(viewer::scopeText(assembly, state.rules)));
  QTreeWidgetItem* firstSelected = nullptr;
  // Children come after their parents.
  for (std::size_t i = items_.size(); i-- > 0;) {
    const NodeId node{static_cast<std::uint32_t>(i)};
    QTreeWidgetItem& item = *items_[i];
    const bool isPart = assembly.node(node).part.has_value();
    Qt::CheckState check = state.hidden.contains(node) ? Qt::Unchecked : Qt::Checked;
    if (!isPart && item.childCount() > 0) {
      check = item.child(0)->checkState(0);
      for (int c = 1; c < item.childCount(); ++c)
        if (item.child(c)->checkState(0) != check) check = Qt::PartiallyChecked;
    }
    if (item.checkState(0) != check) item.setCheckState(0, check);
    QFont font = item.font(0);
    font.setItalic(state.ghosted.contains(node));
    font.setBold(state.motions.contains(node));
    if (font != item.font(0)) item.setFont(0, font);
    const QBrush colour = state.rules.check && isPart && !scope.contains(node) ? QBrush(Qt::gray) : QBrush();
    if (colour != item.foreground(0)) item.setForeground(0, colour);
    const bool isSelected = document_.selection().contains(node);
    if (isPart && item.isSelected() != isSelected) item.setSelected(isSelected);
    if (!isPart && item.isSelected())
      for (const NodeId below : assembly.instancesBelow(node))
        if (!document_.selection().contains(below)) item.setSelected(false);
    if (isSelected) firstSelected = &item;
  }
  if (firstSelected != nullptr && !tree_->hasFocus()) tree_->scrollToItem(firstSelected);
  following_ = false;
}

void InstanceTree::filter(const QString& text) {
  for (std::size_t i = items_.size(); i-- > 0;) {
    QTreeWidgetItem& item = *items_[i];
    bool shown = item.text(0).contains(text, Qt::CaseInsensitive);
    for (int c = 0; c < item.childCount(); ++c) shown = shown || !item.child(c)->isHidden();
    item.setHidden(!shown);
    if (shown && !text.isEmpty()) item.setExpanded(true);
  }
}

void InstanceTree::selected() {
  if (following_ || document_.session() == nullptr) return;
  std::set<NodeId> nodes;
  for (const QTreeWidgetItem* item : tree_->selectedItems())
    for (const NodeId node : document_.session()->assembly().instancesBelow(nodeOf(*item)))
      nodes.insert(node);
  document_.select(std::move(nodes));
}

void InstanceTree::checked(QTreeWidgetItem* item) {
  if (following_ || document_.session() == nullptr) return;
  const bool hide = item->checkState(0) == Qt::Unchecked;
  const NodeId below = nodeOf(*item);
  document_.session()->edit(hide ? "Hide" : "Show", [&](SessionState& state) {
    for (const NodeId node : document_.session()->assembly().instancesBelow(below)) {
      if (hide)
        state.hidden.insert(node);
      else
        state.hidden.erase(node);
    }
  });
}

}  // namespace fitup::viewer
