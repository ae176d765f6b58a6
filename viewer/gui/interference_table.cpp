#include <viewer/gui/interference_table.h>

#include <algorithm>
#include <functional>

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStyledItemDelegate>
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

/// Draws a line above the first row of each pair of parts.
class PairLines : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    if (index.row() == 0 || !index.data(FindingsFilter::isFirstOfPairRole).toBool()) return;
    painter->save();
    painter->setPen(option.palette.color(QPalette::Mid));
    painter->drawLine(option.rect.topLeft(), option.rect.topRight());
    painter->restore();
  }
};

}  // namespace

InterferenceTable::InterferenceTable(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      model_(new InterferenceModel(document, this)),
      view_(new QTableView),
      search_(new QLineEdit),
      verdicts_(new QComboBox),
      statuses_(new QComboBox),
      count_(new ElidedLabel) {
  sorted_ = new FindingsFilter(*model_, this);
  view_->setModel(sorted_);
  view_->setItemDelegate(new PairLines(view_));
  view_->setSortingEnabled(true);
  view_->horizontalHeader()->setSortIndicatorClearable(true);
  view_->sortByColumn(-1, Qt::AscendingOrder);
  view_->setSelectionBehavior(QAbstractItemView::SelectRows);
  view_->setShowGrid(false);
  view_->setWordWrap(false);
  view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 6);
  view_->verticalHeader()->hide();
  view_->horizontalHeader()->setStretchLastSection(true);
  const int widths[] = {100, 150, 100, 150, 85, 110, 75, 90};
  for (int i = 0; i < InterferenceModel::columns; ++i) view_->setColumnWidth(i, widths[i]);
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

  connect(search_, &QLineEdit::textChanged, this,
          [this](const QString& text) { sorted_->setFilterRegularExpression(searchFor(text)); });
  connect(statuses_, &QComboBox::currentIndexChanged, this, [this] {
    const QVariant chosen = statuses_->currentData();
    sorted_->setStatus(chosen.isValid() ? std::optional(static_cast<ReviewStatus>(chosen.toInt()))
                                        : std::nullopt);
  });
  connect(verdicts_, &QComboBox::currentIndexChanged, this, [this] {
    const QVariant chosen = verdicts_->currentData();
    sorted_->setVerdict(chosen.isValid() ? std::optional(static_cast<Severity>(chosen.toInt()))
                                         : std::nullopt);
  });
  connect(copy_, &QAction::triggered, this, &InterferenceTable::copyRows);
  connect(view_, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    if (index.column() != InterferenceModel::comment)
      emit lookAt(model_->finding(sorted_->mapToSource(index).row()));
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
  connect(sorted_, &QAbstractItemModel::modelAboutToBeReset, this, &InterferenceTable::keepPlace);
  connect(sorted_, &QAbstractItemModel::modelReset, this, &InterferenceTable::restorePlace);
  connect(model_, &QAbstractItemModel::rowsRemoved, this, &InterferenceTable::keepPair);
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

std::optional<int> InterferenceTable::currentRow() const {
  const QModelIndexList rows = view_->selectionModel()->selectedRows();
  if (rows.isEmpty()) return std::nullopt;
  return sorted_->mapToSource(rows.front()).row();
}

std::optional<Finding> InterferenceTable::current() const {
  const std::optional<int> row = currentRow();
  return row ? std::optional(model_->finding(*row)) : std::nullopt;
}

void InterferenceTable::keepPlace() {
  kept_.clear();
  for (const QModelIndex& row : view_->selectionModel()->selectedRows())
    kept_.push_back(model_->finding(sorted_->mapToSource(row).row()));
  keptScroll_ = view_->verticalScrollBar()->value();
}

/// The row of a pair of parts goes once its depth is known. Who looks at it then looks at its faces.
void InterferenceTable::keepPair() {
  if (!chosen_ || current()) return;
  const Finding before = *chosen_;
  for (int row = 0; row < sorted_->rowCount(); ++row) {
    const Finding& finding = model_->finding(sorted_->mapToSource(sorted_->index(row, 0)).row());
    if (finding.a != before.a || finding.b != before.b) continue;
    view_->selectRow(row);
    return;
  }
}

void InterferenceTable::restorePlace() {
  // The selection disappears with the rows, without a signal.
  QItemSelection selection;
  for (const Finding& finding : kept_)
    if (const auto row = model_->rowOf(finding))
      if (const QModelIndex index = sorted_->mapFromSource(model_->index(*row, 0)); index.isValid())
        selection.select(index, index);
  kept_.clear();
  if (selection.isEmpty()) emit chosen(std::nullopt);
  view_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  view_->verticalScrollBar()->setValue(keptScroll_);
  count();
}

void InterferenceTable::count() {
  if (!document_.check().answer().report && document_.check().isChecking()) {
    count_->tell(tr("checking..."));
    return;
  }
  const int all = model_->rowCount(), shown = sorted_->rowCount();
  QString text = viewer::countText(static_cast<std::size_t>(all), tr("finding"), tr("findings"));
  if (shown != all) text = tr("%1 of %2").arg(shown).arg(text);
  if (const auto& report = document_.check().answer().report) {
    if (report != counted_) {
      counted_ = report;
      counts_ = countsText(*report);
    }
    if (all > 0) text += QStringLiteral(": ") + counts_;
  }
  if (document_.check().settings().mode == QueryMode::firstSurfacePair)
    text += tr(", one pair of faces for each pair of parts");
  if (model_->hidden() > 0) text += tr(", %1 more not listed").arg(model_->hidden());
  count_->tell(text);
}

void InterferenceTable::copyRows() {
  QList<int> rows;
  for (const QModelIndex& row : view_->selectionModel()->selectedRows()) rows.append(row.row());
  if (rows.isEmpty()) return;
  std::ranges::sort(rows);
  const auto line = [](const std::function<QString(int)>& cell) {
    QStringList cells;
    // Tabs and line ends within a text are escaped (`shown`).
    for (int i = 0; i < InterferenceModel::columns; ++i) cells << cell(i);
    return cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
  };
  QString text =
      line([this](int i) { return sorted_->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString(); });
  for (const int row : rows) text += line([&](int i) { return sorted_->index(row, i).data().toString(); });
  QGuiApplication::clipboard()->setText(text);
}

void InterferenceTable::step(int by) {
  if (sorted_->rowCount() == 0) return;
  const QModelIndexList rows = view_->selectionModel()->selectedRows();
  const int row = rows.isEmpty() ? 0 : std::clamp(rows.front().row() + by, 0, sorted_->rowCount() - 1);
  view_->selectRow(row);
  emit lookAt(model_->finding(sorted_->mapToSource(sorted_->index(row, 0)).row()));
}

std::vector<int> InterferenceTable::chosenRows() const {
  std::vector<int> rows;
  for (const QModelIndex& row : view_->selectionModel()->selectedRows()) rows.push_back(row.row());
  std::ranges::sort(rows);
  for (int& row : rows) row = sorted_->mapToSource(sorted_->index(row, 0)).row();
  return rows;
}

std::vector<Finding> InterferenceTable::chosenFindings() const {
  std::vector<Finding> findings;
  for (const int row : chosenRows()) findings.push_back(model_->finding(row));
  return findings;
}

std::optional<ReviewStatus> InterferenceTable::status() const {
  std::optional<ReviewStatus> common;
  for (const int row : chosenRows()) {
    if (common && *common != model_->statusOf(row)) return std::nullopt;
    common = model_->statusOf(row);
  }
  return common;
}

void InterferenceTable::setStatus(ReviewStatus status) { model_->setStatus(chosenRows(), status); }

}  // namespace fitup::viewer
