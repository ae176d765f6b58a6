#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <QAbstractItemModel>

#include <fitup/io/former_reviews.h>
#include <viewer/core/findings.h>
#include <viewer/gui/document.h>

namespace fitup::viewer {

/// The findings of the last answer as a tree: a row for each pair of parts, or set of copies, and below it a
/// row for each pair of their faces, unless there is only one, which shares the row of the pair. Rows have
/// parts, faces, verdict, depth, and their reviews by people or rules. Comments are edited in place;
/// `setStatus` changes statuses. The review of a pair is that of all its findings.
class InterferenceModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { partA, faceA, partB, faceB, verdict, depth, status, comment };
  static constexpr int columns = comment + 1;
  /// At most this number of findings is listed; those that need action are dropped last. `hidden` counts the
  /// rest.
  static constexpr std::size_t mostFindings = 20'000;
  /// At most this number of ranges is inserted and removed; otherwise the model is reset.
  static constexpr std::size_t mostStretches = 12;
  /// The value that rows are sorted by: faces by number, statuses by their order. Invalid if there is none.
  static constexpr int sortRole = Qt::UserRole;
  /// The text that a search examines: depths as they are shown, whole paths of parts.
  static constexpr int searchRole = Qt::UserRole + 1;

  explicit InterferenceModel(Document& document, QObject* parent = nullptr);
  /// The finding of a row: that of the pair of faces, or of the whole pair of parts if it has several.
  [[nodiscard]] const Finding& finding(const QModelIndex& index) const;
  /// The pairs in the order of rows.
  [[nodiscard]] const std::vector<PairFindings>& pairs() const noexcept { return pairs_; }
  /// The pair that a row is about or belongs to.
  [[nodiscard]] const PairFindings& pairOf(const QModelIndex& index) const;
  /// The row of a finding, or of its pair if the finding is not listed; invalid if neither is.
  [[nodiscard]] QModelIndex indexOf(const Finding& finding) const;

  /// The number of listed findings.
  [[nodiscard]] int count() const noexcept { return firsts_.empty() ? 0 : firsts_.back(); }
  /// A finding by its position in reports, in 0 ... count() - 1.
  [[nodiscard]] const Finding& finding(int position) const;
  [[nodiscard]] std::size_t hidden() const noexcept { return hidden_; }

  /// The status that all findings of a row have, if it is the same.
  [[nodiscard]] std::optional<ReviewStatus> statusOf(const QModelIndex& index) const;
  /// True if a finding of the row has this status.
  [[nodiscard]] bool hasStatus(const QModelIndex& index, ReviewStatus status) const;
  void setStatus(const std::vector<QModelIndex>& rows, ReviewStatus status);
  /// The heading of a column, without the unit of its values.
  [[nodiscard]] static QString nameOf(Column column);

  using QObject::parent;
  [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 signals:
  void hiddenChanged();

 private:
  /// How the rows differ from those of the next answer.
  struct Changes {
    std::vector<FindingsChange> pairs;
    std::vector<std::pair<std::size_t, std::vector<FindingsChange>>> faces;  ///< by the new row of their pair
    std::size_t stretches = 0;
  };
  void rebuild();
  void clear();
  [[nodiscard]] Changes changesTo(const std::vector<PairFindings>& next) const;
  void changePairs(const std::vector<FindingsChange>& changes, const std::vector<PairFindings>& next);
  void changeFaces(std::size_t row, const std::vector<FindingsChange>& changes, const PairFindings& next);
  void update(std::vector<PairFindings> next);
  void followReviews();
  void followUnit();
  /// Tells that columns differ in all rows.
  void changed(Column first, Column last);
  [[nodiscard]] std::optional<std::size_t> rowOf(NodeId a, NodeId b) const;
  [[nodiscard]] std::vector<const Finding*> findingsOf(const QModelIndex& index) const;
  [[nodiscard]] const QString& faceText(NodeId instance, SurfaceId surface) const;
  [[nodiscard]] QString facesText(const QModelIndex& index) const;
  [[nodiscard]] QString facesTip(const QModelIndex& index) const;
  [[nodiscard]] QVariant sortValue(const QModelIndex& index) const;
  [[nodiscard]] Review review(const Finding& finding) const;
  /// The comment that all findings of a row have; empty if they differ.
  [[nodiscard]] std::optional<std::string> commentOf(const QModelIndex& index) const;
  [[nodiscard]] const std::string& idOfFinding(const Finding& finding) const;

  Document& document_;
  std::vector<PairFindings> pairs_;  ///< sorted by their instances
  std::vector<int> faceRows_;        ///< the numbers of rows below those of the pairs
  std::vector<int> firsts_;          ///< positions of the first findings of the pairs, and the number of all
  using FindingKey = std::tuple<NodeId, NodeId, std::optional<SurfacePair>>;
  mutable std::map<FindingKey, std::string> ids_;
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

}  // namespace fitup::viewer
