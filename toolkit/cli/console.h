#pragma once

#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <fitup/base/progress.h>
#include <fitup/base/text.h>

namespace fitup::cli {

/// Exit codes of the programs.
enum ExitCode {
  exitNothingFound = 0,
  exitInterference = 1,
  exitError = 2,
  exitIncomplete = 3,  ///< nothing found, but the answer is incomplete
};

/// Writes formatted text to one of the two streams. Does not throw on failure, as on a full disk or a pipe
/// without a reader, because requested files are still to be written. Thread-safe.
void writeText(std::FILE* stream, fmt::string_view format, fmt::format_args values);

/// Argument of a format: texts are escaped, other values stay as they are.
template <typename Value>
decltype(auto) valueToSay(const Value& value) {
  if constexpr (std::is_convertible_v<const Value&, std::string_view>)
    return escaped(value);
  else
    return value;
}

/// Writes to a stream; text values are `escaped`, the format is not.
template <typename... Values>
void sayTo(std::FILE* stream, fmt::format_string<Values...> format, Values&&... values) {
  [&](const auto&... shown) {
    writeText(stream, format, fmt::make_format_args(shown...));
  }(valueToSay(values)...);
}
/// Writes to standard output; all answers of commands go through here.
template <typename... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  sayTo(stdout, format, std::forward<Values>(values)...);
}
/// Writes several lines that need no escapes to standard output: help, JSON (only ASCII).
void sayLines(std::string_view lines);
/// Flushes the output. Returns the `errno` of the first failed write to standard output, or 0.
int flushOutput();

/// The last phase that any `Console` reported, such as "reading a.step"; empty before. Thread-safe.
std::string lastPhase();

/// Progress on the error stream, from the first second on: rewritten in place on a terminal, otherwise a line
/// every few seconds. An interrupt (Ctrl-C) requests the cancel; a second one ends the program at once.
class Console {
 public:
  explicit Console(bool quiet);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  [[nodiscard]] const Progress& progress() const noexcept { return progress_; }
  /// Clears the progress line, so that results start on a new line.
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
