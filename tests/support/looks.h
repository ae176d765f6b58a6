#pragma once

#include <atomic>
#include <cstddef>
#include <stop_token>

#include <fitup/base/progress.h>

namespace fitup::test {

/// Counts how often some work checks for cancellation, and cancels it at one of the checks.
class Looks {
 public:
  static constexpr std::size_t never = ~std::size_t{0};

  explicit Looks(std::size_t cancelAt = never) : cancelAt_(cancelAt) {}
  Progress progress() {
    return Progress(stop_.get_token(), {}, [this] {
      if (++count_ == cancelAt_) stop_.request_stop();
    });
  }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  std::size_t cancelAt_;
  std::atomic<std::size_t> count_{0};
  std::stop_source stop_;
};

}  // namespace fitup::test
