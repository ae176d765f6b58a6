#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fitup/base/progress.h>

namespace FITUP_EXPORT fitup {

/// What importers and their caller agree on. An importer writes lines to its standard output:
///
///     progress <fraction> <phase>   fraction in [0, 1], or -1 where it is not known
///     done                          the output file is complete; the program then exits with 0
///     error <text>                  the file is refused; the program then exits with another code
///
/// Asked by the argument --confinement alone, it reports what keeps it to reading files as phases.
/// Everything else, and standard error, is kept for the error text only.
namespace importer_protocol {
inline constexpr int refusedExitCode = 2;
inline constexpr int outOfMemoryExitCode = 3;
}  // namespace importer_protocol

/// A child process that imports a file.
struct ImporterCommand {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::size_t memoryLimit = 0;                   ///< bytes of address space, and of a file; 0: none
  std::chrono::milliseconds noProgressLimit{0};  ///< 0: none
  /// Called a few times a second while the importer runs; what it throws ends it.
  std::function<void()> watch{};
};

/// Runs the importer and returns when it said that it is done. Its progress is passed on from the calling
/// thread. When it ends in any other way it throws ImportError: "refused: ...", "importer crashed (signal 11)
/// while <phase>", "importer used more than ... memory while <phase>", "importer ended (exit code 3) before
/// it said anything", "no progress for 60 s while <phase>"; when cancelled, CancelledError. Whatever it
/// started in its process group is ended with it, and it is reaped in every case.
void runImporter(const ImporterCommand& command, const Progress& progress = {});

}  // namespace fitup
