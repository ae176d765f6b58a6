#include <viewer/gui/instance_line.h>

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QTreeWidget>

#include <viewer/core/cap_styles.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

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

InstanceLine::InstanceLine(const Context& context, NodeId node) : context_(context), node_(node) {
  setFlags(flags() | Qt::ItemIsUserCheckable);
}

QString InstanceLine::tip() const {
  const Assembly& assembly = context_.document.session()->assembly();
  return tipOf((QStringList{shown(assembly.path(node_))} + context_.states.texts(node_)).join('\n'));
}

QVariant InstanceLine::data(int column, int role) const {
  if (context_.document.session() == nullptr) return {};
  const InstanceStates& states = context_.states;
  if (role == Qt::ToolTipRole) return tip();
  if (column == nameColumn) return nameData(role);
  if (role == Qt::AccessibleTextRole) return states.texts(node_).join(QStringLiteral(", "));
  if (role == Qt::DecorationRole && treeWidget() != nullptr) {
    const QTreeWidget& tree = *treeWidget();
    const QPixmap signs = stateSigns(states.signs(node_), tree.fontMetrics().height(), tree.palette(),
                                     tree.devicePixelRatioF());
    if (!signs.isNull()) return signs;
  }
  return {};
}

QVariant InstanceLine::nameData(int role) const {
  const Session& session = *context_.document.session();
  const AssemblyNode& node = session.assembly().node(node_);
  const InstanceStates& states = context_.states;
  switch (role) {
    case Qt::DisplayRole:
      return shown(node.name);
    case countRole:
      return node.part ? QVariant() : QString::number(states.instances(node_));
    case Qt::AccessibleDescriptionRole:
      return states.texts(node_).join(QStringLiteral(", "));
    case Qt::CheckStateRole:
      if (!states.anyHidden(node_)) return Qt::Checked;
      return states.allHidden(node_) ? Qt::Unchecked : Qt::PartiallyChecked;
    case Qt::DecorationRole:
      return node.part ? colourIcon(session.assembly(), node_, session.state().looks) : QVariant();
    case Qt::FontRole: {
      QFont font = treeWidget() != nullptr ? treeWidget()->font() : QFont();
      font.setItalic(states.isGhosted(node_));
      font.setBold(states.isMoved(node_));
      return font;
    }
    case Qt::ForegroundRole: {
      const bool isHidden = states.instances(node_) > 0 && states.allHidden(node_);
      if (!isHidden && !states.isOutOfScope(node_)) return {};
      return QApplication::palette().brush(QPalette::PlaceholderText);
    }
    default:
      return {};
  }
}

void InstanceLine::setData(int column, int role, const QVariant& value) {
  if (column != nameColumn || role != Qt::CheckStateRole || context_.document.session() == nullptr) return;
  context_.toggled(node_, value.toInt() != Qt::Unchecked);
}

void InstanceLineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const {
  const QString count = index.data(InstanceLine::countRole).toString();
  if (count.isEmpty()) return QStyledItemDelegate::paint(painter, option, index);
  QStyleOptionViewItem line = option;
  initStyleOption(&line, index);
  const QStyle& style = *option.widget->style();
  const int gap = line.fontMetrics.height() / 2;
  QRect rest = style.subElementRect(QStyle::SE_ItemViewItemText, &line, option.widget);
  // The count stays if the name is too long.
  const int margin = style.pixelMetric(QStyle::PM_FocusFrameHMargin, &line, option.widget) + 1;
  const int room = rest.width() - 2 * margin - gap - line.fontMetrics.horizontalAdvance(count);
  line.text = line.fontMetrics.elidedText(line.text, Qt::ElideRight, room);
  style.drawControl(QStyle::CE_ItemViewItem, &line, painter, option.widget);
  rest.setLeft(rest.left() + margin + line.fontMetrics.horizontalAdvance(line.text) + gap);
  const bool isSelected = line.state.testFlag(QStyle::State_Selected);
  painter->save();
  painter->setFont(line.font);
  painter->setPen(isSelected ? line.palette.color(QPalette::HighlightedText)
                             : line.palette.color(QPalette::PlaceholderText));
  painter->drawText(rest, Qt::AlignVCenter | Qt::AlignLeft, count);
  painter->restore();
}

bool InstanceLineDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
                                       const QStyleOptionViewItem& option, const QModelIndex& index) {
  if (event->type() == QEvent::MouseButtonDblClick) {
    QStyleOptionViewItem line = option;
    initStyleOption(&line, index);
    const QRect box =
        option.widget->style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &line, option.widget);
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const bool isOnBox =
        index.column() == InstanceLine::nameColumn && box.contains(mouse->position().toPoint());
    if (mouse->button() == Qt::LeftButton && !isOnBox) emit doubleClicked();
  }
  return QStyledItemDelegate::editorEvent(event, model, option, index);
}

}  // namespace fitup::viewer
