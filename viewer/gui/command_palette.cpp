#include <viewer/gui/command_palette.h>

#include <algorithm>

#include <QApplication>
#include <QKeyEvent>
#include <QMenuBar>
#include <QPainter>
#include <QSettings>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <viewer/core/fuzzy_match.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/file_commands.h>
#include <viewer/gui/menu_entries.h>
#include <viewer/gui/samples.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

constexpr int mostUsed = 8, widest = 680, mostRows = 14;
constexpr int placeRole = Qt::UserRole + 1, keysRole = Qt::UserRole + 2, whyRole = Qt::UserRole + 3;
const char* const usedSetting = "palette/used";

/// Draws the text, its menu in grey, and the keys at the right.
class RowPainter : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem row = option;
    initStyleOption(&row, index);
    const QString text = row.text, why = index.data(whyRole).toString();
    row.text.clear();
    row.state &= ~QStyle::State_HasFocus;
    const QWidget* list = option.widget;
    list->style()->drawControl(QStyle::CE_ItemViewItem, &row, painter, list);
    const bool isSelected = row.state.testFlag(QStyle::State_Selected);
    QColor colour = row.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text), pale = colour;
    pale.setAlphaF(0.6F);
    if (!why.isEmpty()) colour = pale;
    painter->save();
    QRect rest = row.rect.adjusted(8, 0, -8, 0);
    const auto draw = [&](const QString& words, const QColor& pen, Qt::Alignment side) {
      const QString fitting = row.fontMetrics.elidedText(words, Qt::ElideRight, rest.width());
      painter->setPen(pen);
      painter->drawText(rest, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine, fitting);
      const int width = row.fontMetrics.horizontalAdvance(fitting) + 12;
      side == Qt::AlignRight ? rest.setRight(rest.right() - width) : rest.setLeft(rest.left() + width);
    };
    painter->setFont(row.font);
    draw(index.data(keysRole).toString(), pale, Qt::AlignRight);
    draw(text, colour, Qt::AlignLeft);
    const QString place = index.data(placeRole).toString();
    draw(why.isEmpty() ? place : CommandPalette::tr("%1 - %2").arg(place, why), pale, Qt::AlignLeft);
    painter->restore();
  }

  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {0, option.fontMetrics.height() + 8};
  }
};

/// The text matters most; a word may also be that of the menu.
std::optional<int> scoreOf(const CommandPalette::Entry& entry, const std::u16string& typed) {
  constexpr int inPlace = 12;
  const std::optional<int> ofText = fuzzyScore(typed, entry.text.toCaseFolded().toStdU16String());
  if (ofText) return ofText;
  const auto withPlace =
      fuzzyScore(typed, QString(entry.text + ' ' + entry.place).toCaseFolded().toStdU16String());
  return withPlace ? std::optional(*withPlace - inPlace) : std::nullopt;
}

}  // namespace

CommandPalette::CommandPalette(MainWindow& window)
    : OverlayFrame(&window), window_(window), field_(new QLineEdit), list_(new QListWidget) {
  setObjectName(QStringLiteral("palette"));
  setAccessibleName(tr("Find a command"));
  field_->setPlaceholderText(tr("Find a command, a recent file or a view"));
  field_->setAccessibleName(tr("Find a command"));
  field_->setClearButtonEnabled(true);
  list_->setAccessibleName(tr("Commands"));
  list_->setItemDelegate(new RowPainter(list_));
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setUniformItemSizes(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->addWidget(field_);
  layout->addWidget(list_);
  field_->installEventFilter(this);
  window.installEventFilter(this);
  connect(field_, &QLineEdit::textChanged, this, &CommandPalette::fill);
  connect(list_, &QListWidget::itemClicked, this, &CommandPalette::execute);
  if (window_.isInteractive()) used_ = QSettings().value(usedSetting).toStringList();
  hide();
}

void CommandPalette::open(const QString& text) {
  if (isHidden()) focusBefore_ = QApplication::focusWidget();
  collect();
  field_->setText(text);
  fill();
  place();
  show();
  raise();
  field_->setFocus();
}

void CommandPalette::close() {
  if (isHidden()) return;
  hide();
  if (focusBefore_ != nullptr) focusBefore_->setFocus();
}

void CommandPalette::collect() {
  entries_.clear();
  Commands& commands = window_.commands();
  for (const PlacedCommand& placed : commandsInMenus(*window_.menuBar(), commands)) {
    const Command& command = *placed.command;
    entries_.push_back({QString::fromStdString(command.id), placed.text, placed.menu,
                        keysText(command.entry.keys), commands.whyNot(command),
                        [&commands, &command] { commands.trigger(command); }});
  }
  if (window_.document().session() != nullptr)
    for (const auto& [name, viewpoint] : window_.document().session()->state().namedViews)
      entries_.push_back({{}, shown(name), tr("Named view"), {}, {}, [this, viewpoint = viewpoint] {
                            window_.view().setViewpoint(viewpoint);
                          }});
  for (const Sample& sample : samples())
    entries_.push_back(
        {{}, sample.title, tr("Sample"), {}, {}, [this, name = sample.name] { openSample(window_, name); }});
  for (const RecentFile& recent : window_.files().recent())
    entries_.push_back(
        {{}, recent.text, tr("Recent file"), {}, {}, [this, recent] { window_.open(recent.files); }});
}

void CommandPalette::fill() {
  constexpr int ofUsed = 4, ofPossible = 5;
  const std::u16string typed = field_->text().toCaseFolded().toStdU16String();
  struct Match {
    std::size_t entry;
    int score;
  };
  std::vector<Match> matches;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (const auto score = scoreOf(entries_[i], typed)) {
      const qsizetype use = entries_[i].key.isEmpty() ? -1 : used_.indexOf(entries_[i].key);
      // Without a text, what was used comes first, in its order.
      const int bonus = use < 0 ? 0 : typed.empty() ? mostUsed - static_cast<int>(use) : ofUsed;
      // With one, what can be executed comes before what matches a little better.
      const int possible = !typed.empty() && entries_[i].why.isEmpty() ? ofPossible : 0;
      matches.push_back({i, *score + bonus + possible});
    }
  std::stable_sort(matches.begin(), matches.end(),
                   [](const Match& a, const Match& b) { return a.score > b.score; });
  list_->clear();
  for (const Match& match : matches) {
    const Entry& entry = entries_[match.entry];
    auto* item = new QListWidgetItem(entry.text, list_);
    item->setData(Qt::UserRole, QVariant::fromValue(match.entry));
    item->setData(placeRole, entry.place);
    item->setData(keysRole, entry.keys);
    item->setData(whyRole, entry.why);
    item->setData(Qt::AccessibleTextRole,
                  QStringList{entry.text, entry.place, entry.keys, entry.why}.join(QStringLiteral(", ")));
  }
  list_->setCurrentRow(0);
  place();
}

void CommandPalette::place() {
  const int top = window_.menuBar()->height() + 6, margin = 24,
            width = std::min(widest, window_.width() - 2 * margin);
  const int rows = std::clamp(list_->count(), 1, mostRows),
            height = rows * (list_->fontMetrics().height() + 8) + 4;
  list_->setFixedHeight(std::min(height, window_.height() - top - field_->sizeHint().height() - 60));
  setGeometry((window_.width() - width) / 2, top, width, sizeHint().height());
}

void CommandPalette::choose(int by) {
  if (list_->count() == 0) return;
  list_->setCurrentRow(std::clamp(list_->currentRow() + by, 0, list_->count() - 1));
}

void CommandPalette::execute() {
  const QListWidgetItem* item = list_->currentItem();
  if (item == nullptr) return;
  const Entry entry = entries_[item->data(Qt::UserRole).value<std::size_t>()];
  if (!entry.why.isEmpty()) return;  // the row says why
  close();
  if (!entry.key.isEmpty()) used(entry.key);
  entry.execute();
}

void CommandPalette::used(const QString& key) {
  used_.removeAll(key);
  used_.prepend(key);
  used_ = used_.mid(0, mostUsed);
  if (window_.isInteractive()) QSettings().setValue(usedSetting, used_);
}

bool CommandPalette::eventFilter(QObject* object, QEvent* event) {
  if (object == &window_) {
    if (event->type() == QEvent::Resize && isVisible()) place();
    return false;
  }
  if (event->type() == QEvent::FocusOut) {
    const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
    // Another window, and the menu of the field, do not end the search.
    if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason) hide();
    return false;
  }
  if (event->type() != QEvent::KeyPress) return false;
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
      choose(1);
      return true;
    case Qt::Key_Up:
      choose(-1);
      return true;
    case Qt::Key_PageDown:
      choose(mostRows - 1);
      return true;
    case Qt::Key_PageUp:
      choose(1 - mostRows);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      execute();
      return true;
    case Qt::Key_Escape:
      close();
      return true;
    default:
      return false;
  }
}

}  // namespace fitup::viewer
