#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// One handle for progress and cancel, passed by const reference to all long work.
///
/// Work that is cancelled through it ends in one of two ways: a function that returns a report or another
/// answer with a `ReportStatus` says `ReportStatus::cancelled` and keeps what it has; any other one, such as
/// one that builds or writes something, throws CancelledError. Queries of one pair, which report no progress,
/// take the same stop token as `QueryLimits::cancel`.
///
/// A default-constructed handle reports nowhere and never cancels. Thread-safe as far as the callback is;
/// work that runs on several threads calls it from any of them.
class Progress {
 public:
  /// `fraction` is in [0, 1] within the phase, or negative where it is not known.
  using Callback = std::function<void(std::string_view phase, double fraction)>;

  Progress() = default;
  /// `onLook` is called whenever work looks whether it is cancelled; for tests that ask how often that is,
  /// and that cancel at a certain one.
  explicit Progress(std::stop_token cancel, Callback callback = {}, std::function<void()> onLook = {})
      : cancel_(std::move(cancel)), callback_(std::move(callback)), onLook_(std::move(onLook)) {}

  void report(std::string_view phase, double fraction) const {
    if (callback_) callback_(phase, fraction);
  }
  [[nodiscard]] bool cancelled() const {
    if (onLook_) onLook_();
    return cancel_.stop_requested();
  }
  [[nodiscard]] const std::stop_token& stopToken() const noexcept { return cancel_; }

 private:
  std::stop_token cancel_;
  Callback callback_;
  std::function<void()> onLook_;
};

}  // namespace fitup
