#include <viewer/gui/findings_filter.h>

#include <tuple>

namespace fitup::viewer {

FindingsFilter::FindingsFilter(InterferenceModel& model, QObject* parent)
    : QSortFilterProxyModel(parent), model_(model) {
  setSourceModel(&model);
  setFilterKeyColumn(-1);
  setSortRole(InterferenceModel::sortRole);
  setFilterRole(InterferenceModel::searchRole);
  sort(-1);
}

void FindingsFilter::setStatus(std::optional<ReviewStatus> status) {
  status_ = status;
  invalidateFilter();
}

void FindingsFilter::setVerdict(std::optional<Severity> verdict) {
  verdict_ = verdict;
  invalidateFilter();
}

void FindingsFilter::sort(int column, Qt::SortOrder order) {
  const bool worstFirst = column < 0, differs = worstFirst != worstFirst_;
  worstFirst_ = worstFirst;
  QSortFilterProxyModel::sort(worstFirst ? 0 : column, worstFirst ? Qt::AscendingOrder : order);
  if (differs) invalidate();  // the column may be the same as before
}

std::size_t FindingsFilter::findingCount() const {
  std::size_t count = 0;
  for (int row = 0; row < rowCount(); ++row) {
    const QModelIndex shown = index(row, 0), source = mapToSource(shown);
    const PairFindings& pair = model_.pairOf(source);
    if (pair.isFinding && passes(source)) ++count;
    count += model_.rowCount(source) > 0 ? static_cast<std::size_t>(rowCount(shown)) : pair.faces.size();
  }
  return count;
}

bool FindingsFilter::passes(const QModelIndex& index) const {
  if (status_ && !model_.hasStatus(index, *status_)) return false;
  return QSortFilterProxyModel::filterAcceptsRow(index.row(), index.parent());
}

bool FindingsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const QModelIndex index = model_.index(row, 0, parent);
  if (verdict_ && model_.finding(index).severity != *verdict_) return false;
  if (passes(index)) return true;
  for (int face = 0; face < model_.rowCount(index); ++face)
    if (passes(model_.index(face, 0, index))) return true;
  return false;
}

bool FindingsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  if (worstFirst_) {
    const auto key = [&](const QModelIndex& index) {
      const Finding& finding = model_.finding(index);
      return std::tuple(rankOf(finding.severity), -finding.found.depth.value_or(0),
                        finding.found.distance.value_or(0), index.row());
    };
    return key(left) < key(right);
  }
  const bool hasLeft = left.data(sortRole()).isValid(), hasRight = right.data(sortRole()).isValid();
  if (hasLeft != hasRight) return hasLeft == (sortOrder() == Qt::AscendingOrder);
  return QSortFilterProxyModel::lessThan(left, right);
}

}  // namespace fitup::viewer
