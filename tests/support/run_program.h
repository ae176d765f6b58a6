#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fitup::test {

struct RunOptions {
  std::filesystem::path folder;  ///< the program's working folder; empty: this program's
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to this program's
  std::filesystem::path output{};            ///< where its standard output goes instead of into the result
  bool unread = false;                       ///< its streams are pipes that nobody reads any more
  std::chrono::milliseconds limit{120'000};  ///< the program is killed after that
  /// Sends an interrupt (as Ctrl-C does) so long after the start.
  std::optional<std::chrono::milliseconds> interruptAfter;
};

struct ProgramResult {
  int exitCode = -1;  ///< minus the signal's number if one ended it
  std::string out, err;
  bool timedOut = false;
  std::chrono::milliseconds afterInterrupt{0};  ///< from the interrupt to the end

  /// All that there is to know, for the message of a failed test.
  [[nodiscard]] std::string text() const;
};

/// Runs a program to its end, as a shell would, without a terminal. Throws std::runtime_error if it cannot be
/// started.
ProgramResult runProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                         const RunOptions& options = {});

}  // namespace fitup::test
