#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <fitup/io/project_model.h>
#include <fitup/io/report_build.h>
#include <fitup/scene/interference.h>

#include "output_files.h"

namespace fitup::cli {

/// Options of all subcommands that read a model.
struct InputOptions {
  std::vector<std::string> files;  ///< models, or one project
  ReadOptions read;
  std::string segmentation = "30", solids = "split", up = "z", root;
  bool noCache = false, quiet = false, verbose = false;

  void addTo(CLI::App& app, bool severalFiles);
  [[nodiscard]] bool isProject() const;
  /// The files, and the model files of a project, for `requireSafeOutputs`.
  [[nodiscard]] std::vector<NamedFile> named() const;
  /// Reads all files; several become one assembly with a root node for each file. Problems of a project are
  /// also the last warnings of the model. Without a project, the result has an empty one.
  [[nodiscard]] ProjectModel loadProject(const Progress& progress) const;
  /// The files as given, for the head of a report.
  [[nodiscard]] std::string fileList() const;
  /// The sources of the rules: --rule, and the file of --rules or the project.
  [[nodiscard]] std::string rulesSource(const std::string& rulesFile, const std::vector<Rule>& given) const {
    const std::string file = rulesFile.empty() ? fileList() : rulesFile;
    if (given.empty()) return file;
    return rulesFile.empty() && !isProject() ? "--rule" : "--rule, " + file;
  }

 private:
  std::vector<const CLI::Option*> importSettings_;  ///< that a project stores itself
  const CLI::Option* segment_ = nullptr;
};

/// Time after which a question is answered with what is known.
struct TimeBudget {
  std::optional<double> seconds;

  void addTo(CLI::App& app,
             const std::string& help = "Stop after this many seconds; the answer is then marked truncated");
  /// The budget for this number of answers together.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> asDuration(std::size_t answers = 1) const;
};

/// Returns the kind of this name. Throws InputError, which names all kinds.
HierarchyKind hierarchyKind(const std::string& name);

/// Options that define the question and the method.
struct QueryOptions {
  std::string mode = "triangles", overlapBox = "on", hierarchy = "wide", boxTest = "usual";
  std::string rulesFile;
  std::vector<Rule> rules;  ///< of --rule
  std::vector<std::string> reportFiles;
  std::string pictures = "to-act-on";
  TimeBudget timeBudget;
  std::optional<std::size_t> maxPairs;
  bool touchingExcluded = false, scalar = false, coherence = false, skipHidden = false;
  unsigned threads = 1, queryThreads = 1;

  void addTo(CLI::App& app);
  /// Reads the rules. Throws InputError for impossible combinations and for reports with an unsupported
  /// extension, so that no result is lost after a long wait.
  [[nodiscard]] InterferenceOptions resolve() const;
  /// Makes `build` request the trees that the query needs. Precondition: `resolve` did not throw.
  void requestTrees(BuildOptions& build) const;
  /// Sets which pictures a report has.
  void choosePictures(ReportContext& context) const;
  /// The options that decide the result for a pair, as command-line arguments.
  [[nodiscard]] std::string asArguments() const;
};

/// Adds the option that the functions below have as `skipHidden`.
void addSkipHiddenOption(CLI::App& app, bool& skipHidden);
/// Adds --rule, which appends to `rules`.
void addRuleOption(CLI::App& app, std::vector<Rule>& rules);
/// Uses the rules of a project unless there is a rules file; `given` rules precede them. With `skipHidden`,
/// the first rules leave out the parts that the project hides; throws InputError if a rule cannot name one,
/// and for given rules beside rules of version 1.
void takeOverRules(const Project& project, const std::string& rulesFile, const std::vector<Rule>& given,
                   bool skipHidden, Rules& rules);
/// Same as above; also uses the project's tolerance for verdicts unless one is given.
void takeOver(const Project& project, const std::string& rulesFile, const std::vector<Rule>& given,
              bool skipHidden, InterferenceOptions& options);
/// Prints that hidden parts are checked too, if there are any.
void sayHidden(const ProjectModel& input, bool skipHidden);

/// What makes finer meshes from the exact shapes of a model.
std::shared_ptr<Refinement> refinementOf(const Model& model, const ReadOptions& read);
/// With verdicts at a given tolerance, and a model whose meshes have chord errors: judges the exact shapes,
/// and refines the meshes for that unless `refine` is false.
void judgeExactShapes(InterferenceOptions& asked, const Model& model, const ReadOptions& read,
                      bool refine = true);

/// Makes a list option take one value each time it is given, so that it may precede FILE.
CLI::Option* oneEachTime(CLI::Option* option);

/// Accepts 0, 1, 2, ...; the option library alone would accept -1 as the largest number.
CLI::Validator wholeNumber();
/// Accept finite numbers above 0, from 0 on, or from `least` to `most`, and give short messages. The option
/// library's own validators accept NaN in any range and print bounds of 300 digits.
CLI::Validator numberAbove0();
CLI::Validator numberFrom0();
CLI::Validator numberBetween(double least, double most);

/// "fitup 0.1.0".
std::string programName();

/// Prints the warnings of the import, those about missing geometry first: one line for each kind, or for
/// `each` warning. Returns true if geometry is missing.
bool printWarnings(const Model& model, bool each = false);

/// The program's exit code for a result.
int exitCodeFor(bool found, ReportStatus status, bool incompleteImport);

/// "face 3 (cylinder d 8) 'thread'", and the same after the path of the instance: the names of surfaces in
/// all output.
std::string faceText(const Assembly& assembly, NodeId instance, SurfaceId surface);
std::string surfaceText(const Assembly& assembly, NodeId instance, SurfaceId surface);

}  // namespace fitup::cli
