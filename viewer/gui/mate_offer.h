#pragma once

#include <vector>

#include <QObject>

#include <fitup/scene/mates.h>
#include <viewer/gui/drag_controller.h>

namespace fitup::viewer {

/// What the dragged or selected parts could snap to, one suggestion at a time; gone as soon as something
/// moves. GUI thread.
class MateOffer : public QObject {
  Q_OBJECT

 public:
  MateOffer(Document& document, DragController& drag);

  /// Null if nothing is offered.
  [[nodiscard]] const MateSuggestion* current() const noexcept {
    return at_ < mates_.size() ? &mates_[at_] : nullptr;
  }
  /// What is offered, as users read it; empty if nothing is.
  [[nodiscard]] QString text() const;
  void next();
  /// Snaps the parts: ends the drag, or moves what is selected. One undoable change.
  void accept();

 signals:
  void changed();

 private:
  void offer(const std::vector<MateSuggestion>& mates);
  void withdraw();

  Document& document_;
  DragController& drag_;
  std::vector<MateSuggestion> mates_;
  std::size_t at_ = 0;
};

}  // namespace fitup::viewer
