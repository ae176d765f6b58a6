#pragma once

#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QTreeView>

#include <viewer/gui/elided_label.h>
#include <viewer/gui/finding_text.h>
#include <viewer/gui/findings_filter.h>

namespace fitup::viewer {

/// The interference table with a search field and filters of verdicts and statuses, and the numbers of what
/// was found. Pairs of parts are folded: a triangle, or Right and Left, shows and hides the rows of their
/// faces. A double click requests a look at the finding; Ctrl+C copies the chosen rows.
class InterferenceTable : public QWidget {
  Q_OBJECT

 public:
  explicit InterferenceTable(Document& document, QWidget* parent = nullptr);
  [[nodiscard]] QTreeView& view() noexcept { return *view_; }
  [[nodiscard]] InterferenceModel& model() noexcept { return *model_; }
  [[nodiscard]] FindingsFilter& rows() noexcept { return *sorted_; }
  /// Makes the visible row below (1) or above (-1) the current one and looks at it.
  void step(int by);
  /// The finding of the first chosen row.
  [[nodiscard]] std::optional<Finding> current() const;
  /// The same finding with what its row shows.
  [[nodiscard]] std::optional<FindingDetails> details() const;
  /// The findings of all chosen rows, in the order of the table.
  [[nodiscard]] std::vector<Finding> chosenFindings() const;
  /// The status that all chosen rows have, if any.
  [[nodiscard]] std::optional<ReviewStatus> status() const;
  /// Sets the status of the chosen rows.
  void setStatus(ReviewStatus status);
  [[nodiscard]] QAction& copyAction() const noexcept { return *copy_; }
  /// The number of findings, and of those listed.
  [[nodiscard]] QString countText() const { return count_->text(); }
  /// Shows the findings with this text anywhere.
  void search(const QString& text) { search_->setText(text); }
  [[nodiscard]] QComboBox& verdicts() noexcept { return *verdicts_; }

 signals:
  void lookAt(const Finding& finding);
  void chosen(const std::optional<Finding>& finding);
  /// Other details may be known of the same chosen finding.
  void detailsChanged();

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void count();
  /// Gives the names of parts the room that other columns leave, until the user sets a width.
  void fitColumns();
  /// Copies the chosen rows with headings, separated by tabs, in their order.
  void copyRows();
  void keepPlace();
  void restorePlace();
  void choosePair();
  /// Scrolls to the first chosen row.
  void showChosen();
  /// Does so, once the rows have changed, if that row is in sight now.
  void keepInSight();
  [[nodiscard]] bool isInSight() const;
  /// The chosen rows, in the order of the table.
  [[nodiscard]] QModelIndexList shownRows() const;
  /// The same rows of the model.
  [[nodiscard]] std::vector<QModelIndex> chosenRows() const;

  Document& document_;
  InterferenceModel* model_;
  /// During a reset of the model: the chosen findings, the pairs whose faces are shown, the scroll position.
  std::vector<Finding> kept_;
  std::set<std::pair<NodeId, NodeId>> keptOpen_;
  int keptScroll_ = 0;
  bool keepsInSight_ = false;
  bool fitsColumns_ = true, isFitting_ = false;
  FindingsFilter* sorted_;
  QTreeView* view_;
  QLineEdit* search_;
  QComboBox *verdicts_, *statuses_;
  ElidedLabel* count_;
  QAction* copy_;
  /// The report of which `counts_` are the numbers.
  std::optional<Finding> chosen_;  ///< until the user chooses nothing
  std::shared_ptr<const InterferenceReport> counted_;
  QString counts_;
};

}  // namespace fitup::viewer
