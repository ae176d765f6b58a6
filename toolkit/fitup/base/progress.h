#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// A handle for progress and cancellation. All long work takes it by const reference.
///
/// Cancelled work ends in one of two ways. A function whose result has a `ReportStatus` returns
/// `ReportStatus::cancelled` and what it has found so far. Any other function, such as one that builds or
/// writes something, throws CancelledError. Queries of one pair report no progress; they take the stop token
/// as `QueryLimits::cancel`.
///
/// A default-constructed handle reports nothing and never cancels. The handle is as thread-safe as its
/// callback; work on several threads calls the callback from any of them.
class Progress {
 public:
  /// Receives the fraction done of a phase, in [0, 1], or a negative number if it is not known.
  using Callback = std::function<void(std::string_view phase, double fraction)>;

  Progress() = default;
  /// `onLook` is called each time the work checks whether it is cancelled. Tests use it to count these checks
  /// and to cancel at a certain one.
  explicit Progress(std::stop_token cancel, Callback callback = {}, std::function<void()> onLook = {})
      : cancel_(std::move(cancel)), callback_(std::move(callback)), onLook_(std::move(onLook)) {}

  /// Calls the callback, if there is one.
  void report(std::string_view phase, double fraction) const {
    if (callback_) callback_(phase, fraction);
  }
  /// Returns true once cancellation is requested.
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
