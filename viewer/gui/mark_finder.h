#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include <QObject>

#include <fitup/base/newest_task.h>
#include <viewer/core/finding_marks.h>

namespace fitup::viewer {

/// Finds in the background where pairs of instances intersect, because large parts may take longer than a
/// window may wait. Keeps it as long as both stay where they are. Use it in the GUI thread.
class MarkFinder : public QObject {
  Q_OBJECT

 public:
  /// `mostPieces` as for `marksOf`.
  explicit MarkFinder(std::size_t mostPieces, QObject* parent = nullptr);

  /// Asks for these pairs, the most urgent one first, and forgets all others.
  void ask(const Scene& scene, const Poses& poses, std::span<const InstancePair> pairs);
  void clear() { ask(Scene(), {}, {}); }
  /// Returns null for a pair that is not asked for, not known yet, or cannot be found.
  [[nodiscard]] std::shared_ptr<const IntersectionMarks> of(const InstancePair& pair) const;
  /// Returns true while the marks of any pair are not known.
  [[nodiscard]] bool isBehind() const;

 signals:
  void found();  ///< marks of some pairs

 private:
  struct Entry {
    Transform worldFromFirst, worldFromSecond;
    bool isKnown = false;
    std::shared_ptr<const IntersectionMarks> marks{};
    [[nodiscard]] bool isAt(const Entry& other) const {
      return worldFromFirst == other.worldFromFirst && worldFromSecond == other.worldFromSecond;
    }
  };
  using Entries = std::vector<std::pair<InstancePair, Entry>>;

  void begin(const Scene& scene, const Poses& poses, Entries unknown);
  void take(const Entries& found);

  std::size_t mostPieces_;
  std::map<InstancePair, Entry> entries_;
  NewestTask task_;  ///< last, because it uses what is above
};

}  // namespace fitup::viewer
