#pragma once

#include <optional>

#include <QSortFilterProxyModel>

#include <viewer/gui/interference_model.h>

namespace fitup::viewer {

/// Orders and filters the rows of the interference table. Without a column to sort by, rows are grouped by
/// pairs of parts, as in reports: pairs that clash come first (`rankOf`), within a pair the faces that do,
/// and the names of the parts are dimmed in all rows of a pair except the first.
class FindingsFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  /// True for the first row of each pair of parts while rows are grouped.
  static constexpr int isFirstOfPairRole = Qt::UserRole + 10;

  explicit FindingsFilter(InterferenceModel& model, QObject* parent = nullptr);
  /// Keeps the rows of a status, of a verdict; unset: of all. Faces of which it is not known whether they
  /// clash pass as clashes.
  void setStatus(std::optional<ReviewStatus> status);
  void setVerdict(std::optional<Severity> verdict);
  /// `column` -1 groups the rows.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  [[nodiscard]] bool isFirstOfPair(const QModelIndex& index) const;

  InterferenceModel& model_;
  std::optional<ReviewStatus> status_;
  std::optional<Severity> verdict_;
  bool grouped_ = true;
};

}  // namespace fitup::viewer
