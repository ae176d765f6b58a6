#include <viewer/gui/interference_model.h>

#include <algorithm>
#include <limits>
#include <set>
#include <span>

#include <QBrush>
#include <QColor>
#include <QGuiApplication>
#include <QPalette>

#include <viewer/gui/finding_text.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/theme.h>

namespace fitup::viewer {

namespace {

/// Drops findings beyond `most`, those that the table would show last first. Returns their number.
std::size_t cut(std::vector<PairFindings>& pairs, std::size_t most) {
  std::map<int, std::size_t> left;  // findings of each rank: those that there are, then those to list
  std::size_t all = 0;
  for (const PairFindings& each : pairs) {
    all += each.count();
    if (each.isFinding) ++left[rankOf(each.pair.severity)];
    for (const Finding& face : each.faces) ++left[rankOf(face.severity)];
  }
  if (all <= most) return 0;
  const std::size_t hidden = all - most;
  for (auto& [rank, count] : left) {
    count = std::min(count, most);
    most -= count;
  }
  const auto goes = [&](const Finding& finding) {
    std::size_t& count = left.at(rankOf(finding.severity));
    if (count == 0) return true;
    --count;
    return false;
  };
  for (PairFindings& each : pairs) {
    if (each.isFinding) each.isFinding = !goes(each.pair);
    std::erase_if(each.faces, goes);
  }
  std::erase_if(pairs, [](const PairFindings& each) { return each.count() == 0; });
  return hidden;
}

/// The findings that have rows below that of their pair.
std::span<const Finding> listedFaces(const PairFindings& pair) {
  return pair.pairsOfFaces > 1 ? std::span(pair.faces) : std::span<const Finding>();
}

/// True if the row of the pair is that of its faces.
bool sharesRow(const PairFindings& pair) { return pair.pairsOfFaces == 1 && !pair.isFinding; }

/// Identifies the pair of a row of faces; not 0, because the second instance of a pair is never the first one
/// of the model.
quintptr idOfPair(const PairFindings& pair) {
  static_assert(sizeof(quintptr) == 8);
  return static_cast<quintptr>(index(pair.pair.a)) << 32U | index(pair.pair.b);
}

bool looksSame(const Finding& a, const Finding& b) {
  return a.found == b.found && a.severity == b.severity && a.ofPair == b.ofPair &&
         a.depthIsOpen == b.depthIsOpen && a.clearance == b.clearance && a.byRule == b.byRule &&
         a.rule == b.rule && a.copies == b.copies && a.surfaces == b.surfaces;
}

bool looksSame(const PairFindings& a, const PairFindings& b) {
  return looksSame(a.pair, b.pair) && a.isFinding == b.isFinding && a.pairsOfFaces == b.pairsOfFaces &&
         std::ranges::equal(a.faces, b.faces, [](const auto& x, const auto& y) { return looksSame(x, y); });
}

}  // namespace

InterferenceModel::InterferenceModel(Document& document, QObject* parent)
    : QAbstractItemModel(parent), document_(document) {
  connect(&document_, &Document::opened, this,
          [this] { emit headerDataChanged(Qt::Horizontal, depth, depth); });
  connect(&document_, &Document::lengthUnitChanged, this, &InterferenceModel::followUnit);
  connect(&document_.check(), &LiveCheck::answered, this, &InterferenceModel::rebuild);
  connect(&document_.check(), &LiveCheck::depthsFound, this, &InterferenceModel::rebuild);
  connect(&document_, &Document::aboutToClose, this, &InterferenceModel::clear);
  connect(&document_, &Document::stateChanged, this, &InterferenceModel::followReviews);
}

void InterferenceModel::clear() {
  beginResetModel();
  pairs_.clear();
  faceRows_.clear();
  firsts_.clear();
  ids_.clear();
  formerReviews_.reset();
  reviewsByFormerId_.clear();
  reviews_.clear();
  faceTexts_.clear();
  endResetModel();
}

// ---- following the check ----

void InterferenceModel::rebuild() {
  std::vector<PairFindings> next;
  const LiveAnswer& answer = document_.check().answer();
  if (document_.session() != nullptr && answer.report)
    next = listPairs(document_.session()->assembly(), *answer.report, answer.options->rules);
  const std::size_t hidden = cut(next, mostFindings);
  const bool countDiffers = hidden != hidden_;
  hidden_ = hidden;
  if (ids_.size() > 4 * mostFindings) ids_.clear();
  // While a part is dragged, most pairs stay, and their rows are not touched.
  const Changes changes = changesTo(next);
  if (changes.stretches > mostStretches) {
    beginResetModel();
    faceRows_.clear();
    for (const PairFindings& each : next) faceRows_.push_back(static_cast<int>(listedFaces(each).size()));
    pairs_ = std::move(next);
    endResetModel();
  } else {
    changePairs(changes.pairs, next);
    for (const auto& [row, faces] : changes.faces) changeFaces(row, faces, next[row]);
    update(std::move(next));
  }
  firsts_.assign(1, 0);
  for (const PairFindings& each : pairs_) firsts_.push_back(firsts_.back() + static_cast<int>(each.count()));
  if (countDiffers) emit hiddenChanged();
}

InterferenceModel::Changes InterferenceModel::changesTo(const std::vector<PairFindings>& next) const {
  Changes changes;
  changes.pairs = changesBetween(pairs_, next);
  changes.stretches = changes.pairs.size();
  for (std::size_t i = 0; i < next.size() && changes.stretches <= mostStretches; ++i) {
    const auto row = rowOf(next[i].pair.a, next[i].pair.b);
    if (!row) continue;
    std::vector<FindingsChange> faces = changesBetween(listedFaces(pairs_[*row]), listedFaces(next[i]));
    changes.stretches += faces.size();
    if (!faces.empty()) changes.faces.emplace_back(i, std::move(faces));
  }
  return changes;
}

void InterferenceModel::changePairs(const std::vector<FindingsChange>& changes,
                                    const std::vector<PairFindings>& next) {
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    const int first = static_cast<int>(change->oldAt), last = first + static_cast<int>(change->count) - 1;
    const auto at = static_cast<std::ptrdiff_t>(change->oldAt),
               count = static_cast<std::ptrdiff_t>(change->count);
    if (change->inserts) {
      const std::span from(next.data() + change->newAt, change->count);
      beginInsertRows({}, first, last);
      pairs_.insert(pairs_.begin() + at, from.begin(), from.end());
      const auto to = faceRows_.insert(faceRows_.begin() + at, change->count, 0);
      std::ranges::transform(from, to,
                             [](const auto& each) { return static_cast<int>(listedFaces(each).size()); });
      endInsertRows();
    } else {
      beginRemoveRows({}, first, last);
      pairs_.erase(pairs_.begin() + at, pairs_.begin() + at + count);
      faceRows_.erase(faceRows_.begin() + at, faceRows_.begin() + at + count);
      endRemoveRows();
    }
  }
}

void InterferenceModel::changeFaces(std::size_t row, const std::vector<FindingsChange>& changes,
                                    const PairFindings& next) {
  const QModelIndex parent = index(static_cast<int>(row), 0);
  std::vector<Finding>& faces = pairs_[row].faces;
  if (listedFaces(pairs_[row]).empty()) faces.clear();  // one that had no row of its own
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    const int first = static_cast<int>(change->oldAt), count = static_cast<int>(change->count);
    if (change->inserts) {
      const auto from = next.faces.begin() + static_cast<std::ptrdiff_t>(change->newAt);
      beginInsertRows(parent, first, first + count - 1);
      faces.insert(faces.begin() + first, from, from + count);
      faceRows_[row] += count;
      endInsertRows();
    } else {
      beginRemoveRows(parent, first, first + count - 1);
      faces.erase(faces.begin() + first, faces.begin() + first + count);
      faceRows_[row] -= count;
      endRemoveRows();
    }
  }
}

void InterferenceModel::update(std::vector<PairFindings> next) {
  std::swap(pairs_, next);
  std::vector<std::pair<int, int>> stretches;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (looksSame(pairs_[i], next[i])) continue;
    const int row = static_cast<int>(i);
    if (!stretches.empty() && stretches.back().second + 1 == row)
      stretches.back().second = row;
    else
      stretches.emplace_back(row, row);
  }
  for (const auto& [first, last] : stretches) {
    for (int row = first; row <= last; ++row)
      if (const int faces = faceRows_[static_cast<std::size_t>(row)]; faces > 0)
        emit dataChanged(index(0, partA, index(row, 0)), index(faces - 1, comment, index(row, 0)));
    emit dataChanged(index(first, partA), index(last, comment));
  }
}

void InterferenceModel::followReviews() {
  if (document_.session() == nullptr || document_.session()->state().reviews == reviews_) return;
  reviews_ = document_.session()->state().reviews;
  reviewsByFormerId_.clear();
  changed(status, comment);
}

void InterferenceModel::followUnit() {
  emit headerDataChanged(Qt::Horizontal, depth, depth);
  changed(verdict, depth);
}

void InterferenceModel::changed(Column first, Column last) {
  for (int row = 0; row < rowCount(); ++row)
    if (const QModelIndex pair = index(row, 0); rowCount(pair) > 0)
      emit dataChanged(index(0, first, pair), index(rowCount(pair) - 1, last, pair));
  if (rowCount() > 0) emit dataChanged(index(0, first), index(rowCount() - 1, last));
}

// ---- rows ----

QModelIndex InterferenceModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? idOfPair(pairOf(parent)) : quintptr{0});
}

QModelIndex InterferenceModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == 0) return {};
  const auto row = rowOf(NodeId{static_cast<std::uint32_t>(index.internalId() >> 32U)},
                         NodeId{static_cast<std::uint32_t>(index.internalId())});
  return row ? createIndex(static_cast<int>(*row), 0, quintptr{0}) : QModelIndex();
}

int InterferenceModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(pairs_.size());
  if (parent.internalId() != 0 || parent.column() != 0) return 0;
  return faceRows_.at(static_cast<std::size_t>(parent.row()));
}

int InterferenceModel::columnCount(const QModelIndex& /*parent*/) const { return columns; }

std::optional<std::size_t> InterferenceModel::rowOf(NodeId a, NodeId b) const {
  const std::pair wanted(a, b);
  const auto found = std::ranges::lower_bound(
      pairs_, wanted, {}, [](const PairFindings& each) { return std::pair(each.pair.a, each.pair.b); });
  if (found == pairs_.end() || std::pair(found->pair.a, found->pair.b) != wanted) return std::nullopt;
  return static_cast<std::size_t>(found - pairs_.begin());
}

const PairFindings& InterferenceModel::pairOf(const QModelIndex& index) const {
  const QModelIndex top = index.internalId() == 0 ? index : parent(index);
  return pairs_.at(static_cast<std::size_t>(top.row()));
}

const Finding& InterferenceModel::finding(const QModelIndex& index) const {
  const PairFindings& pair = pairOf(index);
  if (index.internalId() != 0) return pair.faces.at(static_cast<std::size_t>(index.row()));
  return sharesRow(pair) ? pair.faces.front() : pair.pair;
}

const Finding& InterferenceModel::finding(int position) const {
  const auto after = std::ranges::upper_bound(firsts_, position);
  const auto row = static_cast<std::size_t>(after - firsts_.begin()) - 1;
  const PairFindings& pair = pairs_.at(row);
  const auto face = static_cast<std::size_t>(position - firsts_[row]);
  if (!pair.isFinding) return pair.faces.at(face);
  return face == 0 ? pair.pair : pair.faces.at(face - 1);
}

std::vector<const Finding*> InterferenceModel::findingsOf(const QModelIndex& index) const {
  if (index.internalId() != 0) return {&finding(index)};
  const PairFindings& pair = pairOf(index);
  std::vector<const Finding*> all;
  if (pair.isFinding) all.push_back(&pair.pair);
  for (const Finding& face : pair.faces) all.push_back(&face);
  return all;
}

QModelIndex InterferenceModel::indexOf(const Finding& finding) const {
  const auto row = rowOf(finding.a, finding.b);
  if (!row) return {};
  const QModelIndex pair = index(static_cast<int>(*row), 0);
  if (finding.surfaces) {
    const std::span<const Finding> faces = listedFaces(pairs_[*row]);
    const auto face =
        std::ranges::find_if(faces, [&](const Finding& other) { return isSameFinding(finding, other); });
    if (face != faces.end()) return index(static_cast<int>(face - faces.begin()), 0, pair);
  }
  return pair;
}

// ---- reviews ----

const std::string& InterferenceModel::idOfFinding(const Finding& finding) const {
  std::string& id = ids_[{finding.a, finding.b, finding.surfaces}];
  if (id.empty()) id = idOf(document_.session()->assembly(), finding);
  return id;
}

Review InterferenceModel::review(const Finding& finding) const {
  const auto& reviews = document_.session()->state().reviews;
  if (reviews.empty()) return finding.byRule;
  const std::string& id = idOfFinding(finding);
  if (const auto found = reviews.find(id); found != reviews.end()) return found->second;
  const auto [former, isNew] = reviewsByFormerId_.try_emplace(id);
  if (isNew) {
    if (!formerReviews_) formerReviews_.emplace(document_.session()->assembly());
    former->second = formerReviews_->find(reviews, finding.a, finding.b, finding.surfaces);
  }
  return former->second.value_or(finding.byRule);
}

std::optional<ReviewStatus> InterferenceModel::statusOf(const QModelIndex& index) const {
  if (document_.session()->state().reviews.empty()) return finding(index).byRule.status;
  std::optional<ReviewStatus> common;
  for (const Finding* each : findingsOf(index)) {
    const ReviewStatus status = review(*each).status;
    if (common && *common != status) return std::nullopt;
    common = status;
  }
  return common;
}

std::optional<std::string> InterferenceModel::commentOf(const QModelIndex& index) const {
  if (document_.session()->state().reviews.empty()) return finding(index).byRule.comment;
  std::optional<std::string> common;
  for (const Finding* each : findingsOf(index)) {
    std::string comment = review(*each).comment;
    if (common && *common != comment) return std::nullopt;
    common = std::move(comment);
  }
  return common;
}

bool InterferenceModel::hasStatus(const QModelIndex& index, ReviewStatus status) const {
  return std::ranges::any_of(findingsOf(index),
                             [&](const Finding* each) { return review(*each).status == status; });
}

void InterferenceModel::setStatus(const std::vector<QModelIndex>& rows, ReviewStatus status) {
  if (rows.empty()) return;
  document_.session()->edit("Set status", [&](SessionState& state) {
    for (const QModelIndex& row : rows)
      for (const Finding* each : findingsOf(row))
        state.reviews.try_emplace(idOfFinding(*each), review(*each)).first->second.status = status;
  });
}

bool InterferenceModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || index.column() != comment) return false;
  const std::string text = value.toString().toStdString();
  // Comments that differ are edited as an empty text, and stay if it is left so.
  if (text == commentOf(index).value_or(std::string())) return false;
  document_.session()->edit("Comment", [&](SessionState& state) {
    for (const Finding* each : findingsOf(index))
      state.reviews.try_emplace(idOfFinding(*each), review(*each)).first->second.comment = text;
  });
  return true;
}

// ---- texts ----

const QString& InterferenceModel::faceText(NodeId instance, SurfaceId surface) const {
  const auto [at, fresh] = faceTexts_.try_emplace({instance, surface});
  if (fresh) at->second = viewer::faceText(document_.session()->assembly(), instance, surface);
  return at->second;
}

QString InterferenceModel::facesText(const QModelIndex& index) const {
  const PairFindings& pair = pairOf(index);
  const bool isFirst = index.column() == faceA, isOfPair = index.internalId() == 0;
  if (isOfPair && pair.pairsOfFaces > 1) return isFirst ? tr("%1 pairs").arg(pair.pairsOfFaces) : QString();
  if (!pair.pair.copies.empty())
    return isFirst ? tr("%1 copies in one place").arg(pair.pair.copies.size()) : QString();
  if (pair.faces.empty()) {
    const bool isInside = containedPart(document_.session()->assembly(), pair.pair).has_value();
    return isFirst && isInside ? tr("one inside the other") : QString();
  }
  const Finding& face = isOfPair ? pair.faces.front() : finding(index);
  return isFirst ? faceText(face.a, face.surfaces->a) : faceText(face.b, face.surfaces->b);
}

QString InterferenceModel::facesTip(const QModelIndex& index) const {
  const PairFindings& pair = pairOf(index);
  if (index.internalId() != 0 || pair.pairsOfFaces < 2) return tipOf(facesText(index));
  return tr("%1 pairs of faces; the triangle shows them").arg(pair.pairsOfFaces);
}

QVariant InterferenceModel::sortValue(const QModelIndex& index) const {
  const Finding& row = finding(index);
  switch (index.column()) {
    case faceA:
    case faceB:
      if (index.internalId() == 0)
        return pairOf(index).pairsOfFaces == 0 ? QVariant()
                                               : QVariant(static_cast<int>(pairOf(index).pairsOfFaces));
      return static_cast<int>(fitup::index(index.column() == faceA ? row.surfaces->a : row.surfaces->b));
    case verdict:
      return static_cast<int>(row.severity);
    case depth:
      return row.found.depth ? QVariant(*row.found.depth) : QVariant();
    case status: {
      const auto common = statusOf(index);
      return common ? static_cast<int>(*common) : -1;
    }
    default: {
      const QString text = data(index, Qt::DisplayRole).toString();
      return text.isEmpty() ? QVariant() : QVariant(text);
    }
  }
}

QVariant InterferenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  // The first click on a heading shows the deepest ones.
  if (role == Qt::InitialSortOrderRole && section == depth) return Qt::DescendingOrder;
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  if (section == depth && document_.session() != nullptr)
    return tr("%1 (%2)").arg(nameOf(depth), document_.lengthUnit().name);
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
  const Finding& row = finding(index);
  const Assembly& assembly = document_.session()->assembly();
  const bool isPart = index.column() == partA || index.column() == partB;
  if (isPart && (role == searchRole || role == Qt::ToolTipRole)) {
    const QString path = shown(assembly.path(index.column() == partA ? row.a : row.b));
    return role == searchRole ? path : tipOf(path);
  }
  if (role == searchRole) return data(index, Qt::DisplayRole);
  if (role == Qt::ToolTipRole && (index.column() == faceA || index.column() == faceB)) return facesTip(index);
  if (role == Qt::ToolTipRole && index.column() == depth) return depthTip(row, document_.lengthUnit());
  if (role == Qt::ToolTipRole && index.column() == verdict) return verdictTip(row, document_.lengthUnit());
  if (role == Qt::ForegroundRole) {
    if (index.column() == verdict && row.severity >= Severity::tooNear)
      return QBrush(warningColour(QGuiApplication::palette()));
    if (isPart && index.internalId() != 0)  // those of the row above
      return QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text);
  }
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  switch (index.column()) {
    case partA:
      return shown(document_.session()->nameOf(row.a));
    case partB:
      return shown(document_.session()->nameOf(row.b));
    case faceA:
    case faceB:
      return facesText(index);
    case verdict:
      return verdictText(row, document_.lengthUnit());
    case depth:
      return depthText(row, document_.lengthUnit());
    case status: {
      const auto common = statusOf(index);
      return common ? statusText(*common) : tr("mixed");
    }
    case comment: {
      const auto common = commentOf(index);
      // Not escaped while it is edited.
      if (role == Qt::EditRole) return QString::fromStdString(common.value_or(std::string()));
      return common ? shown(*common) : tr("several");
    }
    default:
      return {};
  }
}

}  // namespace fitup::viewer
