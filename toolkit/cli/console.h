#pragma once

#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include <fitup/base/progress.h>

namespace fitup::cli {

/// What the programs return.
enum ExitCode {
  exitNothingFound = 0,
  exitInterference = 1,
  exitError = 2,
  exitIncomplete = 3,  ///< nothing found, but the answer misses something
};

/// Writes formatted text to one of the two streams. Does not throw where that fails, as on a full disk or in
/// a pipe that nobody reads: the files that were asked for are still to be written. Thread-safe.
void writeText(std::FILE* stream, fmt::string_view format, fmt::format_args values);

template <typename... Values>
void sayTo(std::FILE* stream, fmt::format_string<Values...> format, Values&&... values) {
  writeText(stream, format, fmt::make_format_args(values...));
}
/// To standard output: whatever a command answers goes through here.
template <typename... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  writeText(stdout, format, fmt::make_format_args(values...));
}
/// Writes out what was said. Returns the `errno` of the first write to standard output that failed, 0 if all
/// went well.
int flushOutput();

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
