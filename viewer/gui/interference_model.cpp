#include <viewer/gui/interference_model.h>

#include <algorithm>
#include <limits>

#include <QBrush>
#include <QColor>
#include <QGuiApplication>

#include <fitup/base/rounding.h>
#include <fitup/base/text.h>
#include <fitup/io/report_build.h>
#include <viewer/gui/depth_text.h>
#include <viewer/gui/library_texts.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/theme.h>

namespace fitup::viewer {

namespace {

/// Returns the rows to list, in their order; those that the table would show first take precedence.
std::vector<Finding> firstOf(std::vector<Finding> findings, std::size_t most) {
  if (findings.size() <= most) return findings;
  std::map<int, std::size_t> left;  // rows of each rank: those that there are, then those to list
  for (const Finding& finding : findings) ++left[rankOf(finding.severity)];
  for (auto& [rank, count] : left) {
    count = std::min(count, most);
    most -= count;
  }
  std::erase_if(findings, [&](const Finding& finding) {
    std::size_t& count = left.at(rankOf(finding.severity));
    if (count == 0) return true;
    --count;
    return false;
  });
  return findings;
}

QString verdictText(const Finding& finding) {
  if (finding.severity == Severity::tooNear && finding.clearance)
    return InterferenceModel::tr("too near: %1 of %2")
        .arg(measuredText(finding.found.distance.value_or(0), finding.found), numberText(*finding.clearance));
  if (finding.depthIsOpen && finding.surfaces) return InterferenceModel::tr("clash or contact");
  return translated(finding.found.verdict ? name(*finding.found.verdict) : "intersects");
}

QString depthTip(const Finding& finding) {
  if (!finding.found.depth) return {};
  if (finding.depthIsOpen)
    return InterferenceModel::tr("Deeper than the tolerance; the depth is being computed");
  if (finding.found.depthIsLowerBound)
    return InterferenceModel::tr("A part is not closed: the overlap may be deeper");
  const Assessment& found = finding.found;
  if (found.chordError > 0)
    return InterferenceModel::tr("The depth of the exact shapes differs by at most %1")
        .arg(depthBoundText(found));
  if (found.depthErrorBound > 0) return InterferenceModel::tr("± %1").arg(depthBoundText(found));
  return {};
}

}  // namespace

QString statusText(ReviewStatus status) { return translated(name(status)); }

InterferenceModel::InterferenceModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent), document_(document) {
  connect(&document_, &Document::opened, this,
          [this] { emit headerDataChanged(Qt::Horizontal, depth, depth); });
  connect(&document_.check(), &LiveCheck::answered, this, &InterferenceModel::rebuild);
  connect(&document_.check(), &LiveCheck::depthsFound, this, &InterferenceModel::rebuild);
  connect(&document_, &Document::aboutToClose, this, [this] {
    beginResetModel();
    findings_.clear();
    ids_.clear();
    formerReviews_.reset();
    reviewsByFormerId_.clear();
    reviews_.clear();
    faceTexts_.clear();
    endResetModel();
  });
  connect(&document_, &Document::stateChanged, this, &InterferenceModel::followReviews);
}

void InterferenceModel::rebuild() {
  std::vector<Finding> next;
  const LiveAnswer& answer = document_.check().answer();
  if (document_.session() != nullptr && answer.report)
    next = listFindings(document_.session()->assembly(), *answer.report, answer.options->rules);
  const std::size_t all = next.size();
  next = firstOf(std::move(next), mostRows);
  const std::size_t hidden = all - next.size();
  const bool countDiffers = hidden != hidden_;
  hidden_ = hidden;
  // While a part is dragged, most pairs stay, and their rows are not touched.
  const std::vector<FindingsChange> changes = changesBetween(findings_, next);
  if (changes.size() > mostStretches) {
    reset(changes, std::move(next));
  } else {
    change(changes, next);
    update(std::move(next));
  }
  if (countDiffers) emit hiddenChanged();
}

void InterferenceModel::reset(const std::vector<FindingsChange>& changes, std::vector<Finding> next) {
  // Ids of rows that stay are kept.
  std::vector<std::string> ids;
  std::size_t at = 0;
  const auto keepUntil = [&](std::size_t end) {
    for (; at < end; ++at) ids.push_back(std::move(ids_[at]));
  };
  beginResetModel();
  for (const FindingsChange& change : changes) {
    keepUntil(change.oldAt);
    if (change.inserts)
      ids.resize(ids.size() + change.count);
    else
      at += change.count;
  }
  keepUntil(ids_.size());
  findings_ = std::move(next);
  ids_ = std::move(ids);
  endResetModel();
}

void InterferenceModel::change(const std::vector<FindingsChange>& changes, const std::vector<Finding>& next) {
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    const int first = static_cast<int>(change->oldAt), last = first + static_cast<int>(change->count) - 1;
    const auto at = static_cast<std::ptrdiff_t>(change->oldAt),
               count = static_cast<std::ptrdiff_t>(change->count);
    if (change->inserts) {
      const auto from = next.begin() + static_cast<std::ptrdiff_t>(change->newAt);
      beginInsertRows({}, first, last);
      findings_.insert(findings_.begin() + at, from, from + count);
      ids_.insert(ids_.begin() + at, change->count, std::string());
      endInsertRows();
    } else {
      beginRemoveRows({}, first, last);
      findings_.erase(findings_.begin() + at, findings_.begin() + at + count);
      ids_.erase(ids_.begin() + at, ids_.begin() + at + count);
      endRemoveRows();
    }
  }
}

void InterferenceModel::update(std::vector<Finding> next) {
  const auto looksSame = [](const Finding& a, const Finding& b) {
    return a.found == b.found && a.severity == b.severity && a.ofPair == b.ofPair &&
           a.depthIsOpen == b.depthIsOpen && a.clearance == b.clearance && a.byRule == b.byRule &&
           a.copies == b.copies;
  };
  std::vector<std::pair<int, int>> stretches;
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (looksSame(next[i], findings_[i])) continue;
    const int row = static_cast<int>(i);
    if (!stretches.empty() && stretches.back().second + 1 == row)
      stretches.back().second = row;
    else
      stretches.emplace_back(row, row);
  }
  findings_ = std::move(next);
  for (const auto& [first, last] : stretches) emit dataChanged(index(first, partA), index(last, comment));
}

void InterferenceModel::followReviews() {
  if (document_.session() == nullptr || document_.session()->state().reviews == reviews_) return;
  reviews_ = document_.session()->state().reviews;
  reviewsByFormerId_.clear();
  if (!findings_.empty()) emit dataChanged(index(0, status), index(rowCount() - 1, comment));
}

std::optional<int> InterferenceModel::rowOf(const Finding& finding) const {
  const auto found =
      std::ranges::find_if(findings_, [&](const Finding& other) { return isSameFinding(finding, other); });
  return found == findings_.end() ? std::nullopt : std::optional(static_cast<int>(found - findings_.begin()));
}

const QString& InterferenceModel::faceText(NodeId instance, SurfaceId surface) const {
  const auto [at, fresh] = faceTexts_.try_emplace({instance, surface});
  if (fresh) {
    const Assembly& assembly = document_.session()->assembly();
    at->second = translated(fitup::faceText(reportedSurface(assembly.meshOf(instance), surface)));
  }
  return at->second;
}

QVariant InterferenceModel::sortValue(const QModelIndex& index) const {
  const Finding& row = finding(index.row());
  const auto face = [&](bool first) {
    return row.surfaces ? static_cast<int>(fitup::index(first ? row.surfaces->a : row.surfaces->b)) : -1;
  };
  switch (index.column()) {
    case faceA:
      return face(true);
    case faceB:
      return face(false);
    case verdict:
      return static_cast<int>(row.severity);
    case depth:  // separated pairs come after overlapping ones, the nearest first
      if (row.found.depth) return *row.found.depth;
      return row.found.distance ? -*row.found.distance : -std::numeric_limits<double>::max();
    case status:
      return static_cast<int>(review(index.row()).status);
    default:
      return data(index, Qt::DisplayRole);
  }
}

const std::string& InterferenceModel::idOfRow(int row) const {
  std::string& id = ids_.at(static_cast<std::size_t>(row));
  if (id.empty()) id = idOf(document_.session()->assembly(), finding(row));
  return id;
}

Review InterferenceModel::review(int row) const {
  const auto& reviews = document_.session()->state().reviews;
  if (reviews.empty()) return finding(row).byRule;
  const std::string& id = idOfRow(row);
  if (const auto found = reviews.find(id); found != reviews.end()) return found->second;
  const auto [former, isNew] = reviewsByFormerId_.try_emplace(id);
  if (isNew) {
    if (!formerReviews_) formerReviews_.emplace(document_.session()->assembly());
    former->second = formerReviews_->find(reviews, finding(row).a, finding(row).b, finding(row).surfaces);
  }
  return former->second.value_or(finding(row).byRule);
}

void InterferenceModel::setStatus(const std::vector<int>& rows, ReviewStatus status) {
  if (rows.empty()) return;
  document_.session()->edit("Set status", [&](SessionState& state) {
    for (const int row : rows)
      state.reviews.try_emplace(idOfRow(row), review(row)).first->second.status = status;
  });
}

int InterferenceModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(findings_.size());
}

int InterferenceModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant InterferenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  if (section == depth && document_.session() != nullptr)
    return tr("%1 (%2)").arg(nameOf(depth), shown(document_.session()->assembly().unit()));
  return nameOf(static_cast<Column>(section));
}

QString InterferenceModel::nameOf(Column column) {
  switch (column) {
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
  if (role == sortRole) return sortValue(index);
  const Finding& row = finding(index.row());
  const Assembly& assembly = document_.session()->assembly();
  const bool isPart = index.column() == partA || index.column() == partB;
  if (isPart && (role == searchRole || role == Qt::ToolTipRole)) {
    const QString path = shown(assembly.path(index.column() == partA ? row.a : row.b));
    return role == searchRole ? path : tipOf(path);
  }
  if (role == searchRole) return data(index, Qt::DisplayRole);
  if (role == Qt::ToolTipRole && index.column() == depth) return depthTip(row);
  if (role == Qt::ToolTipRole && index.column() == verdict) {
    if (row.depthIsOpen && row.surfaces)
      return tr("The parts clash. Which of their faces do is known when the depth is.");
    if (!row.undecidedBecause.empty()) return tipOf(translated(row.undecidedBecause));
    if (row.found.chordError > 0)
      return tr("Judged on the exact shapes; chord errors may change depths and distances by %1")
          .arg(numberText(roundedUp(row.found.chordError)));
  }
  if (role == Qt::ForegroundRole && index.column() == verdict && row.severity >= Severity::tooNear)
    return QBrush(warningColour(QGuiApplication::palette()));
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  switch (index.column()) {
    case partA:
      return shown(document_.session()->nameOf(row.a));
    case partB:
      return shown(document_.session()->nameOf(row.b));
    case faceA:
      if (!row.copies.empty()) return tr("%1 copies in one place").arg(row.copies.size());
      return row.surfaces ? faceText(row.a, row.surfaces->a) : QString();
    case faceB:
      return row.surfaces ? faceText(row.b, row.surfaces->b) : QString();
    case verdict:
      return verdictText(row);
    case depth:
      return row.found.depth ? QVariant(depthText(row.found, row.depthIsOpen)) : QVariant();
    case status:
      return statusText(review(index.row()).status);
    case comment:
      // Not escaped while it is edited.
      return role == Qt::EditRole ? QString::fromStdString(review(index.row()).comment)
                                  : shown(review(index.row()).comment);
    default:
      return {};
  }
}

bool InterferenceModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || index.column() != comment) return false;
  const std::string text = value.toString().toStdString();
  if (text == review(index.row()).comment) return false;
  document_.session()->edit("Comment", [&](SessionState& state) {
    state.reviews.try_emplace(idOfRow(index.row()), review(index.row())).first->second.comment = text;
  });
  return true;
}

}  // namespace fitup::viewer
