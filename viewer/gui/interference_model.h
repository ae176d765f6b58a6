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

/// The findings of the last answer as a table: parts, faces, verdict, depth, and what people or rules made
/// of them. Comments are edited in place; statuses by `setStatus`.
class InterferenceModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { partA, faceA, partB, faceB, verdict, depth, status, comment };
  static constexpr int columns = comment + 1;
  /// More rows than these are not listed, those to act on the last; `hidden` counts them.
  static constexpr std::size_t mostRows = 20'000;
  /// Rows come and go in so many stretches at most; else the model is reset.
  static constexpr std::size_t mostStretches = 12;
  /// What rows are sorted by: faces by number, statuses by their order.
  static constexpr int sortRole = Qt::UserRole;
  /// What a search looks at: depths as they are shown, whole paths of parts.
  static constexpr int searchRole = Qt::UserRole + 1;

  explicit InterferenceModel(Document& document, QObject* parent = nullptr);
  [[nodiscard]] const Finding& finding(int row) const { return findings_.at(static_cast<std::size_t>(row)); }
  /// Nothing if it is not listed.
  [[nodiscard]] std::optional<int> rowOf(const Finding& finding) const;
  [[nodiscard]] std::size_t hidden() const noexcept { return hidden_; }
  [[nodiscard]] ReviewStatus statusOf(int row) const { return review(row).status; }
  void setStatus(const std::vector<int>& rows, ReviewStatus status);

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
  mutable std::vector<std::string> ids_;                ///< empty: not asked for yet
  mutable std::optional<FormerReviews> formerReviews_;  ///< of the model
  /// By id, what `reviews_` have by a former one.
  mutable std::map<std::string, std::optional<Review>> reviewsByFormerId_;
  mutable std::map<std::pair<NodeId, SurfaceId>, QString> faceTexts_;
  std::map<std::string, Review> reviews_;  ///< as they are shown
  std::size_t hidden_ = 0;
};

/// Statuses as users read them.
QString statusText(ReviewStatus status);

}  // namespace fitup::viewer
