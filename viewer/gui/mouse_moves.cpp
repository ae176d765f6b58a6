#include <viewer/gui/mouse_moves.h>

namespace fitup::viewer {

MouseMoves::MouseMoves(Handle handle) : handle_(std::move(handle)) {
  timer_.setSingleShot(true);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, [this] {
    if (waiting_) move(waiting_->first, waiting_->second);
  });
}

void MouseMoves::setRate(UpdateRate rate) {
  rate_ = rate;
  pace_.setInterval(intervalOf(rate));
}

void MouseMoves::move(PicturePoint to, Qt::KeyboardModifiers modifiers) {
  if (const auto wait = pace_.next(Pace::Clock::now()); wait.count() > 0) {
    waiting_ = {to, modifiers};
    timer_.start(wait);
    return;
  }
  waiting_.reset();
  timer_.stop();
  handle_(to, modifiers);
}

void MouseMoves::finish() {
  timer_.stop();
  if (const auto last = std::exchange(waiting_, std::nullopt)) handle_(last->first, last->second);
}

}  // namespace fitup::viewer
