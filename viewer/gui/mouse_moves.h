#pragma once

#include <functional>
#include <optional>
#include <utility>

#include <QObject>
#include <QTimer>

#include <viewer/core/camera.h>
#include <viewer/core/update_rate.h>

namespace fitup::viewer {

/// Handles moves of the mouse at most so often: later ones replace those that wait. The last one is always
/// handled.
class MouseMoves : public QObject {
 public:
  using Handle = std::function<void(PicturePoint, Qt::KeyboardModifiers)>;
  explicit MouseMoves(Handle handle);
  void setRate(UpdateRate rate);
  [[nodiscard]] UpdateRate rate() const noexcept { return rate_; }
  void move(PicturePoint to, Qt::KeyboardModifiers modifiers);
  /// Handles a move that waits. Called before anything else that depends on where the mouse is.
  void finish();

 private:
  Handle handle_;
  UpdateRate rate_ = UpdateRate::most;
  Pace pace_;
  QTimer timer_;
  std::optional<std::pair<PicturePoint, Qt::KeyboardModifiers>> waiting_;
};

}  // namespace fitup::viewer
