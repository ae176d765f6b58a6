#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

namespace fitup {

/// One handle for progress and cancel, passed by const reference to all long work.
///
/// A default-constructed handle reports nowhere and never cancels. Thread-safe as far as the callback is;
/// work that runs on several threads calls it from any of them.
class Progress {
 public:
  /// `fraction` is in [0, 1] within the phase, or negative where it is not known.
  using Callback = std::function<void(std::string_view phase, double fraction)>;

  Progress() = default;
  explicit Progress(std::stop_token cancel, Callback callback = {})
      : cancel_(std::move(cancel)), callback_(std::move(callback)) {}

  void report(std::string_view phase, double fraction) const {
    if (callback_) callback_(phase, fraction);
  }
  [[nodiscard]] bool cancelled() const noexcept { return cancel_.stop_requested(); }
  [[nodiscard]] const std::stop_token& stopToken() const noexcept { return cancel_; }

 private:
  std::stop_token cancel_;
  Callback callback_;
};

}  // namespace fitup
