#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/base/progress.h>

namespace FITUP_EXPORT fitup {

/// The protocol between importers and their caller. An importer writes lines to its standard output:
///
///     progress <fraction> <phase>   fraction in [0, 1], or -1 where it is not known
///     done                          the output file is complete; the program then exits with 0
///     error <text>                  the file is refused; the program then exits with another code
///
/// A `RunningImporter` reads requests from its standard input, and ends each with `done` or `error`.
///
/// With the single argument --confinement it reports, as phases, what restricts it to reading files. All
/// other lines, and standard error, are used only for the error text.
namespace importer_protocol {
inline constexpr int refusedExitCode = 2;
inline constexpr int outOfMemoryExitCode = 3;
}  // namespace importer_protocol

/// A child process that imports a file.
struct ImporterCommand {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::size_t memoryLimit = 0;                   ///< bytes of address space, and of each file; 0: no limit
  std::chrono::milliseconds noProgressLimit{0};  ///< 0: no limit
  /// Called a few times a second while the importer runs; an exception from it ends the import.
  std::function<void()> watch{};
};

/// Runs the importer and returns when it reports that it is done. Reports its progress on the calling thread.
/// If the importer ends in any other way, throws ImportError: "refused: ...", "importer crashed (signal 11)
/// while <phase>", "importer used more than ... of memory while <phase>", "importer ended (exit code 3) before
/// it said anything", "no progress for 60 s while <phase>". Throws CancelledError when cancelled. In every
/// case all processes in its process group are ended, and the importer is reaped.
void runImporter(const ImporterCommand& command, const Progress& progress = {});

/// An importer that answers requests until this object ends it. One thread at a time may use it.
class RunningImporter {
 public:
  /// Starts the program. Throws ImportError.
  explicit RunningImporter(ImporterCommand command);
  ~RunningImporter();
  RunningImporter(const RunningImporter&) = delete;
  RunningImporter& operator=(const RunningImporter&) = delete;

  /// Writes bytes to its standard input, and returns when it says `done`. Throws as `runImporter`; after that
  /// `isRunning` is false, unless the importer refused the request.
  void ask(std::string_view request, const Progress& progress = {});
  [[nodiscard]] bool isRunning() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup
