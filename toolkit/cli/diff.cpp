#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/io/report_diff.h>
#include <fitup/io/report_file.h>
#include <fitup/io/report_reader.h>

#include "commands.h"
#include "console.h"
#include "options.h"
#include "output_files.h"
#include "wording.h"

namespace fitup::cli {
namespace {

void printChanges(const ReportDocument& diff, FindingChange change, std::string_view title,
                  std::size_t mostLines) {
  std::size_t lines = 0;
  for (const ReportedPair& pair : diff.runs.front().pairs)
    for (const ReportedFinding& finding : pair.findings) {
      if (finding.change != change) continue;
      if (lines == 0) say("{}:\n", title);
      if (++lines > mostLines) continue;
      if (pair.copies.empty())
        say("  {} {}  x  {} {}", pair.a, faceText(finding.a), pair.b, faceText(finding.b));
      else
        say("  {}", copiesText(pair.copies.size(), pair.copies.front()));
      say("{}{}\n", finding.changeReason.empty() ? "" : ": " + finding.changeReason,
          finding.review.comment.empty() ? "" : "  \"" + finding.review.comment + "\"");
    }
  if (lines > mostLines) say("  ... and {} more; --list shows more\n", lines - mostLines);
}

/// Prints the limits of the comparison for users who rely on "nothing new".
void printNotSeenBefore(const ReportDocument& diff) {
  std::size_t count = 0;
  for (const ReportedPair& pair : diff.runs.front().pairs)
    count += static_cast<std::size_t>(
        std::count_if(pair.findings.begin(), pair.findings.end(), [](const ReportedFinding& finding) {
          return finding.change == FindingChange::unchanged && !finding.changeReason.empty();
        }));
  if (count > 0)
    say("{} of the unchanged findings may be new: their parts intersected before, but OLD did not list all "
        "of their surfaces\n",
        count);
}

void printPlacedOtherwise(const std::vector<std::string>& paths, std::size_t mostLines) {
  if (paths.empty() || mostLines == 0) return;
  say("moved differently in the two reports, which alone may add or remove findings:\n");
  for (std::size_t i = 0; i < std::min(paths.size(), mostLines); ++i) say("  {}\n", paths[i]);
  if (paths.size() > mostLines) say("  ... and {} more; --list shows more\n", paths.size() - mostLines);
}

}  // namespace

Command addDiff(CLI::App& app) {
  struct Options {
    std::string oldFile, newFile, carryOver;
    std::vector<std::string> reports;
    std::size_t list = 40;
    CompareOptions compare;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("diff", "Compare two reports: what is new, gone, unchanged, or not checked again");
  command->add_option("OLD", options->oldFile, "Earlier report: .json")->required();
  command->add_option("NEW", options->newFile, "Later report: .json")->required();
  oneEachTime(
      command->add_option("--report", options->reports,
                          "Write the differences: " + reportExtensions() + "; may be given more than once"));
  command->add_option("--carry-over", options->carryOver,
                      "Write the new report with the old one's statuses and comments: .json");
  command
      ->add_option("--tolerance", options->compare.tolerance,
                   "Largest difference in area and position, relative to its size, at which a renumbered "
                   "face is recognised")
      ->check(numberBetween(0, 1.0))
      ->capture_default_str();
  command->add_option("--list", options->list, "Print at most this many lines for each kind of change")
      ->check(wholeNumber())
      ->capture_default_str();
  command->footer(
      "Exit codes: 0 nothing new to act on, 1 new findings to act on (clashes, too little clearance, "
      "or,\nwithout "
      "verdicts, intersections), 2 error, 3 nothing new to act on but something was not checked "
      "again.\nExamples:\n  fitup diff monday.json tuesday.json\n  fitup diff monday.json tuesday.json "
      "--carry-over tuesday.json --report changes.html");
  return [options]() -> int {
    for (const std::string& file : options->reports)
      if (!isReportFile(file))
        throw InputError("--report", file,
                         "has an unsupported extension; use " + reportExtensions(", ", " or "));
    const NamedFile oldFile{"OLD", options->oldFile}, newFile{"NEW", options->newFile},
        carryOver{"--carry-over", options->carryOver};
    requireExtension(carryOver, ".json");
    requireSafeOutputs({oldFile}, {carryOver});  // it may replace the new report, but nothing else
    requireSafeOutputs({oldFile, newFile, carryOver}, namedFiles("--report", options->reports));
    const ReportDocument oldReport = readReport(options->oldFile), newReport = readReport(options->newFile);
    ReportComparison comparison = compareReports(oldReport, newReport, options->compare);
    comparison.diff.oldFile = options->oldFile;
    comparison.diff.newFile = options->newFile;
    say("{} new, {} gone, {} unchanged, {} not checked again\n", comparison.isNew, comparison.gone,
        comparison.unchanged, comparison.notRechecked);
    if (comparison.newToActOn < comparison.isNew)
      say("{} of the new findings {} to act on\n", comparison.newToActOn,
          comparison.newToActOn == 1 ? "is" : "are");
    printNotSeenBefore(comparison.diff);
    printPlacedOtherwise(comparison.diff.placedOtherwise, options->list);
    printChanges(comparison.diff, FindingChange::isNew, "new", options->list);
    printChanges(comparison.diff, FindingChange::gone, "gone", options->list);
    printChanges(comparison.diff, FindingChange::notRechecked, "not checked again", options->list);
    for (const std::string& file : options->reports) {
      writeReport(file, comparison.diff);
      say("report: {}\n", file);
    }
    if (!options->carryOver.empty()) {
      writeReport(options->carryOver, comparison.carriedOver);
      say("carried over: {}\n", options->carryOver);
    }
    if (comparison.newToActOn > 0) return exitInterference;
    const bool complete = comparison.notRechecked == 0 && newReport.status == ReportStatus::complete &&
                          !newReport.geometryIncomplete && newReport.isDecided();
    return complete ? exitNothingFound : exitIncomplete;
  };
}

}  // namespace fitup::cli
