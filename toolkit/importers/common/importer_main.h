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

/// Trees of assemblies and nodes that are deeper are taken for damaged, or for one that contains itself.
inline constexpr int deepestTree = 500;

/// Says on standard output how far the import is (fitup/io/importer_process.h). Thread-safe; repeated and too
/// frequent reports are swallowed, for some readers report hundreds of thousands of times.
class ProgressLines {
 public:
  /// To `out`, which must outlive it; null: nowhere.
  explicit ProgressLines(std::FILE* out = stdout) : out_(out) {}
  /// `fraction` within the phase, in [0, 1], or negative where it is not known.
  void report(std::string_view phase, double fraction);
  /// The last report once more, however little time has passed.
  void repeat();

 private:
  void write();  // with the mutex held

  std::FILE* out_;
  std::mutex mutex_;
  std::string phase_;
  double fraction_ = -2;
  std::chrono::steady_clock::time_point last_{};
};

/// Begins a phase and repeats its last report every few seconds for as long as it lives: around work of our
/// own that takes long on large parts, but ends, so that nobody takes it for a library that hangs. Not around
/// libraries that read files: these are ended when they are silent.
class StillWorking {
 public:
  /// Refers to `progress`.
  StillWorking(ProgressLines& progress, std::string_view phase,
               std::chrono::milliseconds interval = std::chrono::seconds(5));

 private:
  std::jthread speaker_;
};

/// INPUT OUTPUT --name value ...
struct Arguments {
  SourceFile source;
  std::filesystem::path output;
  std::map<std::string, std::string, std::less<>> options;

  /// Value of an option as a number, in the C locale. Throws InputError.
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const { return options.find(name)->second; }
  // The options `unit` and `up` of importers that have them. Throw InputError.
  [[nodiscard]] const std::string& unit() const;
  [[nodiscard]] UpAxis upAxis() const;
};

/// An option with its default and a line of help.
struct Option {
  std::string name, value, help;
};

/// A whole importer program: parses the arguments, confines itself (confinement.h), imports, writes the model
/// file, and speaks the protocol. Exceptions become `error` lines and exit codes.
///
/// Beside its own `options` each has these: `--root`, the folder that references must lead below (unset:
/// that of INPUT); `--copies`, for the calling program: a private folder that stands for the root and holds
/// INPUT, which is a copy then; `--confinement` alone, which says what of it is in force here.
int runMain(int argc, char** argv, std::string_view summary, const std::vector<Option>& options,
            const std::function<Model(Arguments&, ProgressLines&)>& import);

using fitup::validUtf8;

}  // namespace fitup::importers
