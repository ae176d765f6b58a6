#pragma once

#include <optional>
#include <vector>

#include <QObject>

#include <fitup/base/newest_task.h>
#include <viewer/core/measurement.h>
#include <viewer/gui/drag_controller.h>

namespace fitup::viewer {

/// Measurements between parts, faces and points. Takes one target after the other, lists the measurements,
/// and measures them again in the background whenever their parts move. They belong to the window, not to the
/// session. Functions and signals are for the GUI thread.
class MeasureTool : public QObject {
  Q_OBJECT

 public:
  struct Entry {
    MeasureTarget first, second;
    std::optional<MeasuredValue> value;  ///< empty until it is measured
  };

  MeasureTool(Document& document, DragController& drag);
  ~MeasureTool() override;

  /// While it is active, it takes the clicks in the view.
  [[nodiscard]] bool isActive() const noexcept { return active_; }
  void setActive(bool on);
  /// Takes the first of two targets, or the second, which completes a measurement.
  void take(const MeasureTarget& target);
  /// Takes two selected parts, or the selection as the next target: the chosen face, otherwise the part.
  /// Returns false if the selection is neither.
  bool takeSelected();
  /// The first target of an incomplete measurement, and what is known of it alone.
  [[nodiscard]] const std::optional<MeasureTarget>& pending() const noexcept { return pending_; }
  [[nodiscard]] const std::optional<MeasuredValue>& pendingValue() const noexcept { return pendingValue_; }
  /// The placement of the target's part.
  [[nodiscard]] Transform worldFromPart(const MeasureTarget& target) const {
    return drag_.worldFromPart(target.instance);
  }
  /// Forgets the first target; without one, deactivates the tool.
  void escape();

  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }
  void remove(std::size_t entry);
  void removeAll();
  /// True while something has not been measured in its placement.
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
  Measurer measurer_;  ///< used on the worker's thread
  NewestTask worker_;
};

}  // namespace fitup::viewer
