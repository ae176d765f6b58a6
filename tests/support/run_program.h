#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fitup::test {

struct RunOptions {
  std::filesystem::path folder;  ///< the program's working folder; empty: this program's
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to this program's
  std::filesystem::path output{};            ///< receives its standard output instead of the result
  bool unread = false;                       ///< its streams are pipes that nobody reads any more
  std::chrono::milliseconds limit{120'000};  ///< the program is killed after this time
  /// Sends a signal this long after the start: an interrupt (as Ctrl-C does), or another one.
  std::optional<std::chrono::milliseconds> interruptAfter;
  int interruptBy = SIGINT;
};

struct ProgramResult {
  int exitCode = -1;  ///< minus the signal's number if a signal ended it
  std::string out, err;
  bool timedOut = false;
  std::chrono::milliseconds afterInterrupt{0};  ///< from the interrupt to the end

  /// Everything that is known, for the message of a failed test.
  [[nodiscard]] std::string text() const;
};

/// Runs a program to its end, as a shell would, without a terminal. Throws std::runtime_error if it cannot be
/// started.
ProgramResult runProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                         const RunOptions& options = {});

}  // namespace fitup::test
