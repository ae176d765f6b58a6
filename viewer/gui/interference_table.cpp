#include <viewer/gui/interference_table.h>

#include <algorithm>
#include <functional>
#include <initializer_list>

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStyle>
#include <QStyleOptionHeader>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include <viewer/gui/count_text.h>
#include <viewer/gui/quantity_text.h>

namespace fitup::viewer {
namespace {

constexpr Severity allVerdicts[] = {Severity::clash, Severity::undecided, Severity::tooNear,
                                    Severity::contact};

QString verdictText(Severity severity) {
  switch (severity) {
    case Severity::clash:
      return InterferenceTable::tr("clash");
    case Severity::undecided:
      return InterferenceTable::tr("undecided");
    case Severity::tooNear:
      return InterferenceTable::tr("too near");
    case Severity::contact:
      return InterferenceTable::tr("contact");
    default:
      return {};
  }
}

/// Returns what to search for. A dot and a comma between digits mean the same, as in all fields.
QRegularExpression searchFor(const QString& text) {
  static const QRegularExpression fraction(QStringLiteral(R"((?<=\d)\\[.,](?=\d))"));
  return QRegularExpression(QRegularExpression::escape(text).replace(fraction, QStringLiteral("[.,]")),
                            QRegularExpression::CaseInsensitiveOption);
}

/// Cuts names of parts where they differ least: in the middle, and paths within what precedes the last name.
class RowPainter : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, 3);
  }

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() != InterferenceModel::partA && index.column() != InterferenceModel::partB) return;
    option->textElideMode = Qt::ElideMiddle;
    const qsizetype slash = option->text.lastIndexOf(QLatin1Char('/'));
    if (slash < 0) return;
    const int margin = QApplication::style()->pixelMetric(QStyle::PM_FocusFrameHMargin, option) + 1;
    const QFontMetrics& metrics = option->fontMetrics;
    const QString name = option->text.mid(slash);
    const int left = option->rect.width() - 2 * margin - metrics.horizontalAdvance(name);
    if (left > 3 * metrics.averageCharWidth())
      option->text = metrics.elidedText(option->text.left(slash), Qt::ElideMiddle, left) + name;
  }
};

/// A heading whose arrow points down for descending values, as in other programs.
class Heading : public QHeaderView {
 public:
  explicit Heading(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  }

 protected:
  void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override {
    QHeaderView::initStyleOptionForIndex(option, section);
    // Styles of a platform turn it themselves.
    if (option->sortIndicator == QStyleOptionHeader::None || style()->objectName() != QLatin1String("fusion"))
      return;
    option->sortIndicator = option->sortIndicator == QStyleOptionHeader::SortUp ? QStyleOptionHeader::SortDown
                                                                                : QStyleOptionHeader::SortUp;
  }
};

}  // namespace

InterferenceTable::InterferenceTable(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      model_(new InterferenceModel(document, this)),
      view_(new QTreeView),
      search_(new QLineEdit),
      verdicts_(new QComboBox),
      statuses_(new QComboBox),
      count_(new ElidedLabel) {
  sorted_ = new FindingsFilter(*model_, this);
  view_->setModel(sorted_);
  view_->setHeader(new Heading(view_));
  view_->setItemDelegate(new RowPainter(view_));
  view_->setSortingEnabled(true);
  view_->header()->setSortIndicatorClearable(true);
  view_->sortByColumn(-1, Qt::AscendingOrder);
  view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view_->setUniformRowHeights(true);
  view_->setAllColumnsShowFocus(true);
  view_->setExpandsOnDoubleClick(false);
  view_->setIndentation(16);
  view_->header()->setSectionsMovable(false);
  view_->header()->setStretchLastSection(false);
  view_->setTextElideMode(Qt::ElideRight);
  view_->viewport()->installEventFilter(this);
  view_->setAccessibleName(tr("Interference"));
  search_->setPlaceholderText(tr("Search findings"));
  search_->setAccessibleName(tr("Search findings"));
  search_->setClearButtonEnabled(true);
  verdicts_->setToolTip(tr("Show only findings of this verdict"));
  verdicts_->setAccessibleName(tr("Verdicts"));
  verdicts_->addItem(tr("all verdicts"));
  for (const Severity verdict : allVerdicts)
    verdicts_->addItem(verdictText(verdict), static_cast<int>(verdict));
  statuses_->setToolTip(tr("Show only findings of this status"));
  statuses_->setAccessibleName(tr("Statuses"));
  statuses_->addItem(tr("all statuses"));
  for (const ReviewStatus status : allStatuses)
    statuses_->addItem(statusText(status), static_cast<int>(status));
  copy_ = new QAction(tr("&Copy rows"), view_);
  copy_->setShortcut(QKeySequence::Copy);
  copy_->setShortcutContext(Qt::WidgetShortcut);
  copy_->setToolTip(tr("Copies the chosen rows with their headings, for a spreadsheet"));
  view_->addAction(copy_);

  auto* line = new QHBoxLayout;
  line->addWidget(search_, 1);
  line->addWidget(verdicts_);
  line->addWidget(statuses_);
  line->addWidget(count_, 3);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->addLayout(line);
  layout->addWidget(view_);

  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    sorted_->setFilterRegularExpression(searchFor(text));
    showChosen();
  });
  connect(statuses_, &QComboBox::currentIndexChanged, this, [this] {
    const QVariant chosen = statuses_->currentData();
    sorted_->setStatus(chosen.isValid() ? std::optional(static_cast<ReviewStatus>(chosen.toInt()))
                                        : std::nullopt);
    showChosen();
  });
  connect(verdicts_, &QComboBox::currentIndexChanged, this, [this] {
    const QVariant chosen = verdicts_->currentData();
    sorted_->setVerdict(chosen.isValid() ? std::optional(static_cast<Severity>(chosen.toInt()))
                                         : std::nullopt);
    showChosen();
  });
  connect(copy_, &QAction::triggered, this, &InterferenceTable::copyRows);
  connect(view_, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
    if (index.column() != InterferenceModel::comment) emit lookAt(sorted_->finding(index));
  });
  connect(view_, &QTreeView::collapsed, this, [this](const QModelIndex& pair) {
    const QModelIndexList rows = view_->selectionModel()->selectedRows();
    if (std::ranges::any_of(rows, [&](const QModelIndex& row) { return row.parent() == pair; }))
      view_->setCurrentIndex(pair);
  });
  connect(view_->header(), &QHeaderView::sectionResized, this, [this] { fitsColumns_ &= isFitting_; });
  connect(view_->header(), &QHeaderView::sortIndicatorChanged, this, [this] {
    fitColumns();
    showChosen();
  });
  connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    if (const auto finding = current())
      chosen_ = finding;
    else  // by the user, or because its row is about to be removed
      QMetaObject::invokeMethod(
          this,
          [this] {
            if (!current()) chosen_.reset();
          },
          Qt::QueuedConnection);
    emit chosen(current());
  });
  connect(model_, &QAbstractItemModel::dataChanged, this, &InterferenceTable::detailsChanged);
  connect(sorted_, &QAbstractItemModel::modelAboutToBeReset, this, &InterferenceTable::keepPlace);
  connect(sorted_, &QAbstractItemModel::modelReset, this, &InterferenceTable::restorePlace);
  connect(model_, &QAbstractItemModel::rowsRemoved, this, &InterferenceTable::choosePair);
  for (const auto about :
       {&QAbstractItemModel::rowsAboutToBeInserted, &QAbstractItemModel::rowsAboutToBeRemoved})
    connect(sorted_, about, this, &InterferenceTable::keepInSight);
  connect(sorted_, &QAbstractItemModel::layoutAboutToBeChanged, this, &InterferenceTable::keepInSight);
  connect(model_, &InterferenceModel::hiddenChanged, this, &InterferenceTable::count);
  connect(&document_.check(), &LiveCheck::settingsChanged, this, &InterferenceTable::count);
  connect(&document_.check(), &LiveCheck::asked, this, &InterferenceTable::count);
  // Connected after the model, which receives the answer first.
  connect(&document_.check(), &LiveCheck::answered, this, &InterferenceTable::count);
  connect(&document_.check(), &LiveCheck::depthsFound, this, &InterferenceTable::count);
  connect(sorted_, &QAbstractItemModel::rowsInserted, this, &InterferenceTable::count);
  connect(sorted_, &QAbstractItemModel::rowsRemoved, this, &InterferenceTable::count);
  // The sorting proxy removes its rows before the model does, and emits no signal for inserted rows that it
  // filters out.
  connect(model_, &QAbstractItemModel::rowsInserted, this, &InterferenceTable::count);
  connect(model_, &QAbstractItemModel::rowsRemoved, this, &InterferenceTable::count);
  count();
}

std::optional<Finding> InterferenceTable::current() const {
  const QModelIndexList rows = view_->selectionModel()->selectedRows();
  return rows.isEmpty() ? std::nullopt : std::optional(sorted_->finding(rows.front()));
}

std::optional<FindingDetails> InterferenceTable::details() const {
  const QModelIndexList rows = view_->selectionModel()->selectedRows();
  if (rows.isEmpty()) return std::nullopt;
  const auto text = [&](InterferenceModel::Column column) {
    return rows.front().siblingAtColumn(column).data().toString();
  };
  return FindingDetails{sorted_->finding(rows.front()), text(InterferenceModel::faceA),
                        text(InterferenceModel::faceB), text(InterferenceModel::status),
                        text(InterferenceModel::comment)};
}

// ---- columns ----

bool InterferenceTable::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Resize) fitColumns();
  return QWidget::eventFilter(object, event);
}

void InterferenceTable::fitColumns() {
  if (!fitsColumns_) return;
  isFitting_ = true;
  const QAbstractItemView& contents = *view_;
  const QHeaderView& header = *view_->header();
  const QFontMetrics metrics = view_->fontMetrics();
  constexpr int margin = 14, leastOfPart = 115, roomy = 230, most = 260;
  using Model = InterferenceModel;
  const auto widthOf = [&](const QString& text) { return metrics.horizontalAdvance(text) + margin; };
  const auto widthFor = [&](Model::Column column) {
    const int ofHeading =
        header.sortIndicatorSection() == column
            ? header.sectionSizeHint(column)
            : widthOf(sorted_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    return std::max(ofHeading, std::min(contents.sizeHintForColumn(column), most));
  };
  int left = view_->viewport()->width();
  const auto set = [&](std::initializer_list<Model::Column> columns, int width) {
    for (const Model::Column column : columns) view_->setColumnWidth(column, width);
    left -= static_cast<int>(columns.size()) * width;
  };
  for (const Model::Column column : {Model::depth, Model::comment}) set({column}, widthFor(column));
  int status = widthFor(Model::status);  // the longest one, so that a change of one fits
  for (const ReviewStatus each : allStatuses) status = std::max(status, widthOf(statusText(each)));
  set({Model::status}, status);
  // Not by their contents, so that nothing moves when the rows of faces are shown.
  const int face = widthOf(tr("face 12 (freeform)")), verdict = widthOf(tr("clash or contact"));
  const bool isRoomy = left - 2 * face - verdict >= 2 * roomy;
  set({Model::verdict}, isRoomy ? verdict : widthFor(Model::verdict));
  set({Model::faceA, Model::faceB}, isRoomy ? face : widthOf(tr("1234 pairs")));
  set({Model::partA, Model::partB}, std::max(left / 2, leastOfPart));
  isFitting_ = false;
}

// ---- the place of the chosen rows ----

void InterferenceTable::keepPlace() {
  kept_ = chosenFindings();
  keptOpen_.clear();
  for (int row = 0; row < sorted_->rowCount(); ++row)
    if (const QModelIndex pair = sorted_->index(row, 0); view_->isExpanded(pair))
      keptOpen_.emplace(sorted_->finding(pair).a, sorted_->finding(pair).b);
  keptScroll_ = view_->verticalScrollBar()->value();
  keepInSight();
}

void InterferenceTable::restorePlace() {
  for (int row = 0; row < sorted_->rowCount() && !keptOpen_.empty(); ++row)
    if (const QModelIndex pair = sorted_->index(row, 0);
        keptOpen_.contains({sorted_->finding(pair).a, sorted_->finding(pair).b}))
      view_->expand(pair);
  // The selection disappears with the rows, without a signal.
  QItemSelection selection;
  for (const Finding& finding : kept_)
    if (const QModelIndex row = sorted_->mapFromSource(model_->indexOf(finding)); row.isValid())
      selection.select(row, row);
  kept_.clear();
  if (selection.isEmpty()) emit chosen(std::nullopt);
  emit detailsChanged();
  view_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  // The scroll bar does not know the rows yet.
  view_->doItemsLayout();
  view_->verticalScrollBar()->setValue(keptScroll_);
  count();
}

/// If the chosen pair of faces is gone, its pair of parts is chosen.
void InterferenceTable::choosePair() {
  if (!chosen_ || current()) return;
  const Finding before = *chosen_;
  if (const QModelIndex row = sorted_->mapFromSource(model_->indexOf(before)); row.isValid())
    view_->setCurrentIndex(row);
}

void InterferenceTable::showChosen() {
  if (const QModelIndexList rows = shownRows(); !rows.isEmpty()) view_->scrollTo(rows.front());
}

bool InterferenceTable::isInSight() const {
  const QModelIndexList rows = view_->selectionModel()->selectedRows();
  return !rows.isEmpty() && view_->viewport()->rect().intersects(view_->visualRect(rows.front()));
}

void InterferenceTable::keepInSight() {
  if (keepsInSight_ || !isInSight()) return;
  keepsInSight_ = true;
  QTimer::singleShot(0, this, [this] {
    keepsInSight_ = false;
    showChosen();
  });
}

// ---- numbers and rows ----

void InterferenceTable::count() {
  const LiveCheck& check = document_.check();
  const std::shared_ptr<const InterferenceReport>& report = check.answer().report;
  fitColumns();
  if (!report) return count_->tell(check.isChecking() ? tr("checking...") : tr("0 findings"));
  if (report != counted_) {
    counted_ = report;
    counts_ = countsText(*report);
  }
  if (model_->rowCount() == 0) return count_->tell(tr("0 findings"));
  QString text = counts_;
  if (sorted_->rowCount() != model_->rowCount())
    text = tr("%1 shown of %2").arg(sorted_->rowCount()).arg(text);
  if (check.settings().mode == QueryMode::firstSurfacePair) text += tr(" (first pair of faces only)");
  if (model_->hidden() > 0) text += tr(", %1 more not listed").arg(model_->hidden());
  count_->tell(check.isCatchingUp() ? tr("so far: %1").arg(text) : text);
}

void InterferenceTable::copyRows() {
  const QModelIndexList rows = shownRows();
  if (rows.isEmpty()) return;
  const auto line = [](const std::function<QString(int)>& cell) {
    QStringList cells;
    // Tabs and line ends within a text are escaped (`shown`).
    for (int i = 0; i < InterferenceModel::columns; ++i) cells << cell(i);
    return cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
  };
  QString text =
      line([this](int i) { return sorted_->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString(); });
  for (const QModelIndex& row : rows)
    text += line([&](int i) { return row.siblingAtColumn(i).data().toString(); });
  QApplication::clipboard()->setText(text);
}

void InterferenceTable::step(int by) {
  const QModelIndexList rows = view_->selectionModel()->selectedRows();
  QModelIndex row = rows.isEmpty() ? sorted_->index(0, 0) : rows.front();
  if (!rows.isEmpty())
    if (const QModelIndex next = by > 0 ? view_->indexBelow(row) : view_->indexAbove(row); next.isValid())
      row = next.siblingAtColumn(0);
  if (!row.isValid()) return;
  view_->setCurrentIndex(row);
  emit lookAt(sorted_->finding(row));
}

QModelIndexList InterferenceTable::shownRows() const {
  QModelIndexList rows = view_->selectionModel()->selectedRows();
  const auto place = [](const QModelIndex& row) {
    return row.parent().isValid() ? std::pair(row.parent().row(), row.row()) : std::pair(row.row(), -1);
  };
  std::ranges::sort(rows, {}, place);
  return rows;
}

std::vector<QModelIndex> InterferenceTable::chosenRows() const {
  std::vector<QModelIndex> rows;
  for (const QModelIndex& row : shownRows()) rows.push_back(sorted_->mapToSource(row));
  return rows;
}

std::vector<Finding> InterferenceTable::chosenFindings() const {
  std::vector<Finding> findings;
  for (const QModelIndex& row : chosenRows()) findings.push_back(model_->finding(row));
  return findings;
}

std::optional<ReviewStatus> InterferenceTable::status() const {
  std::optional<ReviewStatus> common;
  for (const QModelIndex& row : chosenRows()) {
    const std::optional<ReviewStatus> status = model_->statusOf(row);
    if (!status || (common && *common != *status)) return std::nullopt;
    common = status;
  }
  return common;
}

void InterferenceTable::setStatus(ReviewStatus status) { model_->setStatus(chosenRows(), status); }

}  // namespace fitup::viewer
