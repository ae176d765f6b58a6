#include <viewer/gui/interference_model.h>

#include <algorithm>

#include <QBrush>
#include <QColor>

#include <fitup/io/report_build.h>

namespace fitup::viewer {

QString statusText(ReviewStatus status) {
  const std::string_view text = name(status);
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

InterferenceModel::InterferenceModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent), document_(document) {
  connect(&document_.check(), &LiveCheck::answered, this, &InterferenceModel::rebuild);
  connect(&document_, &Document::aboutToClose, this, [this] {
    beginResetModel();
    findings_.clear();
    ids_.clear();
    endResetModel();
  });
  connect(&document_, &Document::stateChanged, this, [this] {
    if (!findings_.empty()) emit dataChanged(index(0, status), index(rowCount() - 1, comment));
  });
}

void InterferenceModel::rebuild() {
  std::vector<Finding> next;
  if (document_.session() != nullptr && document_.check().answer().report)
    next = listFindings(document_.session()->assembly(), *document_.check().answer().report);
  hidden_ = next.size() > mostRows ? next.size() - mostRows : 0;
  next.resize(next.size() - hidden_);
  // While a part is dragged through another one the same pairs stay for long: then rows stay selected.
  const auto same = [](const Finding& a, const Finding& b) {
    return a.a == b.a && a.b == b.b && a.surfaces == b.surfaces;
  };
  if (std::equal(next.begin(), next.end(), findings_.begin(), findings_.end(), same)) {
    findings_ = std::move(next);
    if (!findings_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
    return;
  }
  beginResetModel();
  findings_ = std::move(next);
  ids_.assign(findings_.size(), {});
  endResetModel();
}

const std::string& InterferenceModel::idOfRow(int row) const {
  std::string& id = ids_.at(static_cast<std::size_t>(row));
  if (id.empty()) id = idOf(document_.session()->assembly(), finding(row));
  return id;
}

Review InterferenceModel::review(int row) const {
  const auto& reviews = document_.session()->state().reviews;
  const auto found = reviews.find(idOfRow(row));
  return found == reviews.end() ? Review{} : found->second;
}

void InterferenceModel::setStatus(const std::vector<int>& rows, ReviewStatus status) {
  if (rows.empty()) return;
  document_.session()->edit("Set status", [&](SessionState& state) {
    for (const int row : rows) state.reviews[idOfRow(row)].status = status;
  });
}

int InterferenceModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(findings_.size());
}

int InterferenceModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant InterferenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  switch (section) {
    case partA:
      return tr("Part A");
    case faceA:
      return tr("Face A");
    case partB:
      return tr("Part B");
    case faceB:
      return tr("Face B");
    case verdict:
      return tr("Verdict");
    case depth:
      return tr("Depth");
    case status:
      return tr("Status");
    case comment:
      return tr("Comment");
    default:
      return {};
  }
}

Qt::ItemFlags InterferenceModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  return index.column() == comment ? flags | Qt::ItemIsEditable : flags;
}

QVariant InterferenceModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || document_.session() == nullptr) return {};
  const Finding& row = finding(index.row());
  const Assembly& assembly = document_.session()->assembly();
  const auto face = [&](NodeId node, SurfaceId surface) {
    return QString::fromStdString(
        faceText(reportedSurface(assembly.part(*assembly.node(node).part), surface)));
  };
  if (role == Qt::ToolTipRole && (index.column() == partA || index.column() == partB))
    return QString::fromStdString(assembly.path(index.column() == partA ? row.a : row.b));
  if (role == Qt::ForegroundRole && index.column() == verdict && row.verdict == Verdict::clash)
    return QBrush(QColor(190, 20, 15));
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  switch (index.column()) {
    case partA:
      return QString::fromStdString(assembly.node(row.a).name);
    case partB:
      return QString::fromStdString(assembly.node(row.b).name);
    case faceA:
      return row.surfaces ? face(row.a, row.surfaces->a) : QString();
    case faceB:
      return row.surfaces ? face(row.b, row.surfaces->b) : QString();
    case verdict: {
      const std::string_view text = row.verdict ? name(*row.verdict) : "intersects";
      return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    }
    case depth:
      return row.depth ? QVariant(*row.depth) : QVariant();
    case status:
      return statusText(review(index.row()).status);
    case comment:
      return QString::fromStdString(review(index.row()).comment);
    default:
      return {};
  }
}

bool InterferenceModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || index.column() != comment) return false;
  const std::string text = value.toString().toStdString();
  if (text == review(index.row()).comment) return false;
  document_.session()->edit("Comment",
                            [&](SessionState& state) { state.reviews[idOfRow(index.row())].comment = text; });
  return true;
}

}  // namespace fitup::viewer
