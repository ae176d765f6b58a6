#pragma once

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fitup/base/text.h>
#include <fitup/io/model_file.h>

#include "source_file.h"

namespace fitup::importers {

/// Deeper trees of assemblies and nodes are treated as damaged, or as containing themselves.
inline constexpr int deepestTree = 500;

/// Reports the progress of an import on standard output (fitup/io/importer_process.h). Thread-safe. Drops
/// repeated and too frequent reports, because some readers report hundreds of thousands of times.
class ProgressLines {
 public:
  /// Writes to `out`, which must outlive the object; null discards.
  explicit ProgressLines(std::FILE* out = stdout) : out_(out) {}
  /// `fraction` is that of the phase, in [0, 1], or negative if unknown.
  void report(std::string_view phase, double fraction);
  /// Repeats the last report, however recent it is.
  void repeat();

 private:
  void write();  // called with the mutex locked

  std::FILE* out_;
  std::mutex mutex_;
  std::string phase_;
  double fraction_ = -2;
  std::chrono::steady_clock::time_point last_{};
};

/// Begins a phase and repeats its last report every few seconds while it lives. Use it around work of this
/// project that takes long on large parts but ends, so that it is not taken for a hanging library. Do not use
/// it around libraries that read files: these are ended when they are silent.
class StillWorking {
 public:
  /// Keeps a reference to `progress`.
  StillWorking(ProgressLines& progress, std::string_view phase,
               std::chrono::milliseconds interval = std::chrono::seconds(5));

 private:
  std::jthread speaker_;
};

/// The arguments of an importer: INPUT OUTPUT --name value ...
struct Arguments {
  SourceFile source;
  std::filesystem::path output;
  std::map<std::string, std::string, std::less<>> options;

  /// Returns the value of an option as a number, in the C locale. Throws InputError.
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const { return options.find(name)->second; }
  // The options `unit` and `up` of importers that have them. Both throw InputError.
  [[nodiscard]] const std::string& unit() const;
  [[nodiscard]] UpAxis upAxis() const;
};

/// An option with its default and a line of help.
struct Option {
  std::string name, value, help;
};

/// Runs a whole importer program: parses the arguments, confines itself (confinement.h), imports, writes the
/// model file, and speaks the protocol. Exceptions become `error` lines and exit codes.
///
/// Besides its own `options`, each importer has these. `--root`: the folder that references must lead below
/// (default: that of INPUT). `--copies`, for the calling program: a private folder that stands for the root
/// and holds INPUT, which is then a copy. `--confinement`, alone: prints which layers are in force here.
int runMain(int argc, char** argv, std::string_view summary, const std::vector<Option>& options,
            const std::function<Model(Arguments&, ProgressLines&)>& import);

using fitup::validUtf8;

}  // namespace fitup::importers
