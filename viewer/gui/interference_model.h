#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <QAbstractTableModel>

#include <fitup/io/former_reviews.h>
#include <viewer/core/findings.h>
#include <viewer/gui/document.h>

namespace fitup::viewer {

/// The findings of the last answer as a table: parts, faces, verdict, depth, and their reviews by people or
/// rules. Comments are edited in place; `setStatus` changes statuses.
class InterferenceModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { partA, faceA, partB, faceB, verdict, depth, status, comment };
  static constexpr int columns = comment + 1;
  /// At most this number of rows is listed; those that need action are dropped last. `hidden` counts the
  /// rest.
  static constexpr std::size_t mostRows = 20'000;
  /// At most this number of ranges is inserted and removed; otherwise the model is reset.
  static constexpr std::size_t mostStretches = 12;
  /// The value that rows are sorted by: faces by number, statuses by their order.
  static constexpr int sortRole = Qt::UserRole;
  /// The text that a search examines: depths as they are shown, whole paths of parts.
  static constexpr int searchRole = Qt::UserRole + 1;

  explicit InterferenceModel(Document& document, QObject* parent = nullptr);
  [[nodiscard]] const Finding& finding(int row) const { return findings_.at(static_cast<std::size_t>(row)); }
  /// Empty if it is not listed.
  [[nodiscard]] std::optional<int> rowOf(const Finding& finding) const;
  [[nodiscard]] std::size_t hidden() const noexcept { return hidden_; }
  [[nodiscard]] ReviewStatus statusOf(int row) const { return review(row).status; }
  void setStatus(const std::vector<int>& rows, ReviewStatus status);
  /// The heading of a column, without the unit of its values.
  [[nodiscard]] static QString nameOf(Column column);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 signals:
  void hiddenChanged();

 private:
  void rebuild();
  void reset(const std::vector<FindingsChange>& changes, std::vector<Finding> next);
  void change(const std::vector<FindingsChange>& changes, const std::vector<Finding>& next);
  void update(std::vector<Finding> next);
  void followReviews();
  [[nodiscard]] const QString& faceText(NodeId instance, SurfaceId surface) const;
  [[nodiscard]] QVariant sortValue(const QModelIndex& index) const;
  [[nodiscard]] Review review(int row) const;
  [[nodiscard]] const std::string& idOfRow(int row) const;

  Document& document_;
  std::vector<Finding> findings_;
  mutable std::vector<std::string> ids_;                ///< empty: not yet requested
  mutable std::optional<FormerReviews> formerReviews_;  ///< former reviews for the model
  /// By id, the review that `reviews_` have under a former id.
  mutable std::map<std::string, std::optional<Review>> reviewsByFormerId_;
  mutable std::map<std::pair<NodeId, SurfaceId>, QString> faceTexts_;
  std::map<std::string, Review> reviews_;  ///< the shown reviews
  std::size_t hidden_ = 0;
};

inline constexpr ReviewStatus allStatuses[] = {ReviewStatus::isNew, ReviewStatus::active,
                                               ReviewStatus::reviewed, ReviewStatus::approved,
                                               ReviewStatus::resolved};

/// Returns the status as users read it.
QString statusText(ReviewStatus status);

}  // namespace fitup::viewer
