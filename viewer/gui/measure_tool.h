#pragma once

#include <optional>
#include <vector>

#include <QObject>

#include <fitup/base/newest_task.h>
#include <viewer/core/measurement.h>
#include <viewer/gui/drag_controller.h>

namespace fitup::viewer {

/// Measurements between parts, faces and points: taken one target after the other, kept in a list, measured
/// again in the background whenever their parts stand elsewhere. They belong to the window, not to the
/// session. GUI thread; the signals too.
class MeasureTool : public QObject {
  Q_OBJECT

 public:
  struct Entry {
    MeasureTarget first, second;
    std::optional<MeasuredValue> value;  ///< nothing as long as it was not measured yet
  };

  MeasureTool(Document& document, DragController& drag);
  ~MeasureTool() override;

  /// While it is, clicks in the view are taken.
  [[nodiscard]] bool isActive() const noexcept { return active_; }
  void setActive(bool on);
  /// The first of two, or the second: then there is one measurement more.
  void take(const MeasureTarget& target);
  /// Two selected parts, or what is selected as the next target: the chosen face, else the part. False if
  /// what is selected is neither.
  bool takeSelected();
  /// The first target of a measurement that has no second one yet, and what is known of it alone.
  [[nodiscard]] const std::optional<MeasureTarget>& pending() const noexcept { return pending_; }
  [[nodiscard]] const std::optional<MeasuredValue>& pendingValue() const noexcept { return pendingValue_; }
  /// Forgets the first target; if there is none, the tool is put away.
  void escape();

  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }
  void remove(std::size_t entry);
  void removeAll();
  /// True while something has not been measured where it stands.
  [[nodiscard]] bool isWaiting() const noexcept { return asked_ != answered_; }

 signals:
  void activeChanged();
  void changed();  ///< targets or values

 private:
  void clear();
  void ask();
  void receive(std::uint64_t ticket, const std::vector<MeasuredValue>& values);
  [[nodiscard]] PlacedTarget placed(const MeasureTarget& target) const;

  Document& document_;
  DragController& drag_;
  bool active_ = false;
  std::optional<MeasureTarget> pending_;
  std::optional<MeasuredValue> pendingValue_;
  std::vector<Entry> entries_;
  std::uint64_t asked_ = 0, answered_ = 0, lastChange_ = 0;
  Measurer measurer_;  ///< of the worker's thread
  NewestTask worker_;
};

}  // namespace fitup::viewer
