#pragma once

#include <optional>

#include <QSortFilterProxyModel>

#include <viewer/gui/interference_model.h>

namespace fitup::viewer {

/// Orders and filters the rows of the interference table. Without a column to sort by, the worst come first:
/// by `rankOf`, the deepest or nearest first. A pair of parts is kept if it has the verdict, and if it or a
/// pair of its faces has the status and the text that are searched for. Rows without a value are the last
/// ones in either order.
class FindingsFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit FindingsFilter(InterferenceModel& model, QObject* parent = nullptr);
  /// Keeps the rows of a status, of a verdict; unset: of all. Faces of which it is not known whether they
  /// clash pass as clashes.
  void setStatus(std::optional<ReviewStatus> status);
  void setVerdict(std::optional<Severity> verdict);
  /// `column` -1 shows the worst first.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
  [[nodiscard]] const Finding& finding(const QModelIndex& index) const {
    return model_.finding(mapToSource(index));
  }
  /// The number of findings in the rows that are kept.
  [[nodiscard]] std::size_t findingCount() const;

 protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  /// By status and text.
  [[nodiscard]] bool passes(const QModelIndex& index) const;

  InterferenceModel& model_;
  std::optional<ReviewStatus> status_;
  std::optional<Severity> verdict_;
  bool worstFirst_ = true;
};

}  // namespace fitup::viewer
