#pragma once

#include <string>
#include <vector>

#include <QObject>

#include <fitup/scene/mates.h>
#include <viewer/gui/drag_controller.h>

namespace fitup::viewer {

/// Offers mates that the dragged or selected parts could snap to, one at a time. The offer disappears when
/// something moves. Use it in the GUI thread.
class MateOffer : public QObject {
  Q_OBJECT

 public:
  MateOffer(Document& document, DragController& drag);

  /// Null if nothing is offered.
  [[nodiscard]] const MateSuggestion* current() const noexcept {
    return at_ < mates_.size() ? &mates_[at_] : nullptr;
  }
  /// The offer as users read it; empty if there is none.
  [[nodiscard]] QString text() const;
  /// Why nothing is offered, as `Command::refusal` says it; empty if something is.
  [[nodiscard]] std::string whyNone() const;
  /// Offers the next one; if there is no other, `text` says so.
  void next();
  /// Snaps the parts: ends the drag, or moves the selection. One undoable change.
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
  bool wantsOther_ = false;  ///< the user has asked for the next one
};

}  // namespace fitup::viewer
