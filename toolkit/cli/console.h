#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include <fitup/base/progress.h>

namespace fitup::cli {

/// What the programs return.
enum ExitCode {
  exitNothingFound = 0,
  exitInterference = 1,
  exitError = 2,
  exitIncomplete = 3,  ///< nothing found, but the answer misses something
};

/// Progress on the error stream, from the first second on: rewritten in place on a terminal, a line every few
/// seconds elsewhere. Interrupt (Ctrl-C) requests the cancel; a second one ends the program at once.
class Console {
 public:
  explicit Console(bool quiet);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  [[nodiscard]] const Progress& progress() const noexcept { return progress_; }
  /// Clears the progress line, so that results start on a line of their own.
  void clear();

 private:
  void show(std::string_view phase, double fraction);

  std::stop_source stop_;
  Progress progress_;
  std::jthread interruptWatch_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point begin_, lastShown_;
  bool terminal_, quiet_, lineOpen_ = false;
};

}  // namespace fitup::cli
