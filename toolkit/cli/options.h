#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <fitup/io/project_model.h>
#include <fitup/scene/interference.h>

#include "output_files.h"

namespace fitup::cli {

/// Options that every subcommand which reads a model shares.
struct InputOptions {
  std::vector<std::string> files;  ///< models, or one project
  ReadOptions read;
  std::string segmentation = "30", solids = "split", up = "z", root;
  bool noCache = false, quiet = false, verbose = false;

  void addTo(CLI::App& app, bool severalFiles);
  [[nodiscard]] bool isProject() const;
  /// The files, and those that a project names, for `requireSafeOutputs`.
  [[nodiscard]] std::vector<NamedFile> named() const;
  /// Reads all files; several become one assembly with a root node for each file. What does not fit
  /// a project stands last among the warnings of the model, too. Without a project there is one that says
  /// nothing.
  [[nodiscard]] ProjectModel loadProject(const Progress& progress) const;
  /// The files as given, for the head of a report.
  [[nodiscard]] std::string fileList() const;
  /// The file that rules are from: that of --rules, or the project.
  [[nodiscard]] std::string rulesSource(const std::string& rulesFile) const {
    return rulesFile.empty() ? fileList() : rulesFile;
  }

 private:
  std::vector<const CLI::Option*> importSettings_;  ///< which a project has itself
  const CLI::Option* segment_ = nullptr;
};

/// A time after which a question is answered with what is known.
struct TimeBudget {
  std::optional<double> seconds;

  void addTo(CLI::App& app,
             const std::string& help = "Stop after this many seconds; the answer is then marked truncated");
  /// For so many answers together.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> asDuration(std::size_t answers = 1) const;
};

/// Throws InputError that names all kinds.
HierarchyKind hierarchyKind(const std::string& name);

/// Options that say what to ask and how.
struct QueryOptions {
  std::string mode = "triangles", overlapBox = "on", hierarchy = "wide", boxTest = "usual";
  std::string rulesFile;
  std::vector<std::string> reportFiles;
  TimeBudget timeBudget;
  std::optional<std::size_t> maxPairs;
  bool touchingExcluded = false, scalar = false, coherence = false;
  unsigned threads = 1, queryThreads = 1;

  void addTo(CLI::App& app);
  /// Reads the rules; throws InputError for what cannot be asked and for reports that cannot be written by
  /// their extension, so that nobody waits for an answer and then loses it.
  [[nodiscard]] InterferenceOptions resolve() const;
  /// Makes `build` ask for the trees that the query needs. Precondition: `resolve` did not throw.
  void requestTrees(BuildOptions& build) const;
  /// What decides the answer for a pair, as one would give it again.
  [[nodiscard]] std::string asArguments() const;
};

/// Takes over the rules of a project unless there is a file of them, and its tolerance for verdicts unless
/// one was given.
void takeOver(const Project& project, const std::string& rulesFile, InterferenceOptions& options);

/// Makes an option for a list take one value each time that it is given, so that it may stand before FILE.
CLI::Option* oneEachTime(CLI::Option* option);

/// Accepts 0, 1, 2, ...; the option library alone would take -1 as the largest number.
CLI::Validator wholeNumber();
/// Accept finite numbers above 0, from 0 on, or from `least` to `most`, in a few words otherwise; the option
/// library's own take NaN for any range and print bounds of 300 digits.
CLI::Validator numberAbove0();
CLI::Validator numberFrom0();
CLI::Validator numberBetween(double least, double most);

/// "fitup 0.1.0".
std::string programName();

/// Prints what import noticed, what is missing first: a line for each kind, or for `each` warning. True if
/// geometry is missing from the answer.
bool printWarnings(const Model& model, bool each = false);

/// The program's exit code for an answer.
int exitCodeFor(bool found, ReportStatus status, bool incompleteImport);

/// "face 3 (cylinder d 8) 'thread'", and with the instance's path before it: how surfaces are named in all
/// output.
std::string faceText(const Assembly& assembly, NodeId instance, SurfaceId surface);
std::string surfaceText(const Assembly& assembly, NodeId instance, SurfaceId surface);

}  // namespace fitup::cli
