#include <viewer/gui/findings_filter.h>

#include <tuple>

#include <QApplication>
#include <QPalette>

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
  const bool grouped = column < 0, differs = grouped != grouped_;
  grouped_ = grouped;
  QSortFilterProxyModel::sort(grouped ? 0 : column, grouped ? Qt::AscendingOrder : order);
  if (differs) invalidate();  // the column may be the same as before
}

bool FindingsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  if (status_ && model_.statusOf(row) != *status_) return false;
  if (verdict_ && model_.finding(row).severity != *verdict_) return false;
  return QSortFilterProxyModel::filterAcceptsRow(row, parent);
}

bool FindingsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  if (!grouped_) return QSortFilterProxyModel::lessThan(left, right);
  const auto key = [&](const QModelIndex& index) {
    const Finding& finding = model_.finding(index.row());
    // Findings of whole parts head the faces of their pair.
    return std::tuple(rankOf(finding.ofPair), finding.a, finding.b, finding.surfaces.has_value(),
                      rankOf(finding.severity), index.row());
  };
  return key(left) < key(right);
}

bool FindingsFilter::isFirstOfPair(const QModelIndex& index) const {
  if (!grouped_ || index.row() == 0) return grouped_;
  const Finding& finding = model_.finding(mapToSource(index).row());
  const Finding& above = model_.finding(mapToSource(index.siblingAtRow(index.row() - 1)).row());
  return finding.a != above.a || finding.b != above.b;
}

QVariant FindingsFilter::data(const QModelIndex& index, int role) const {
  if (role == isFirstOfPairRole) return isFirstOfPair(index);
  const bool isPart =
      index.column() == InterferenceModel::partA || index.column() == InterferenceModel::partB;
  if (role == Qt::ForegroundRole && grouped_ && isPart && !isFirstOfPair(index))
    return QApplication::palette().brush(QPalette::Disabled, QPalette::Text);
  return QSortFilterProxyModel::data(index, role);
}

}  // namespace fitup::viewer
