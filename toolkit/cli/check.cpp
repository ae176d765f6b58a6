#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/io/mesh_export.h>
#include <fitup/io/report_file.h>
#include <fitup/query/nearness.h>
#include <fitup/scene/finding_counts.h>
#include <fitup/scene/threads.h>

#include "commands.h"
#include "console.h"
#include "explanation.h"
#include "keep_outs.h"
#include "move.h"
#include "options.h"
#include "output_files.h"
#include "pattern_check.h"
#include "verification.h"
#include "wording.h"

namespace fitup::cli {
namespace {

/// Prints each pair of instances with its surfaces, in about `mostLines` lines at most. Pairs of instances
/// come first; their surfaces share the remaining lines.
void printPairs(const Assembly& assembly, const std::vector<const PairInterference*>& pairs,
                std::size_t surfacePairs, bool withTriangles, std::size_t mostLines) {
  const std::size_t shown = std::min(pairs.size(), mostLines);
  const bool all = pairs.size() + surfacePairs <= mostLines;
  const std::size_t share = shown == 0 ? 0 : (mostLines - shown) / shown;
  for (std::size_t k = 0; k < shown; ++k) {
    const PairInterference& p = *pairs[k];
    const std::size_t count = p.report.surfacePairs.size();
    say("  {}  x  {}: {}", assembly.path(p.a), assembly.path(p.b), countedPairs(count, "faces"));
    if (withTriangles) say(", {}", countedPairs(p.report.trianglePairs.size(), "triangles"));
    say("\n");
    const std::size_t listed = all ? count : std::min(count, share);
    for (std::size_t i = 0; i < listed; ++i)
      say("    {}  x  {}\n", faceText(assembly, p.a, p.report.surfacePairs[i].a),
          faceText(assembly, p.b, p.report.surfacePairs[i].b));
    if (listed < count && listed > 0) say("    ... and {} more\n", count - listed);
  }
  if (shown < pairs.size()) say("  ... {} more\n", countedPairs(pairs.size() - shown, "parts"));
  if (!all)
    say("  not all are listed; --list {} shows them, --report writes them\n", pairs.size() + surfacePairs);
}

/// Without `mostLines`, intersecting pairs are only counted, because the lists of verdicts have named them.
void printReport(const Model& model, const InterferenceReport& report, const IntersectionRequest& request,
                 const std::optional<std::size_t>& mostLines, bool isGeometryMissing) {
  std::vector<const PairInterference*> hits;  // a pair that was cut short may be listed without a hit
  for (const auto& [pair, copies] : listedPairs(report))
    if (!copies && pair->report.intersects()) hits.push_back(pair);
  const FindingCounts counts = countFindings(report);
  const bool withTriangles = request.mode == QueryMode::allTrianglePairs;
  const std::string nothing = nothingCheckedText(report);
  if (hits.empty() && nothing.empty()) {
    // A part wholly inside another one, or too near to it, is a finding without an intersection.
    say("{}\n", counts.copySets > 0    ? "no other faces intersect"
                : report.needsAction() ? "no faces intersect"
                                       : "no interference found");
  } else if (!hits.empty()) {
    say("{} intersect{}: {}", countedPairs(counts.pairsOfParts, "parts"), counts.pairsOfParts == 1 ? "s" : "",
        countedPairs(counts.pairsOfFaces, "faces"));
    if (withTriangles) say(", {}", countedPairs(counts.pairsOfTriangles, "triangles"));
    say("\n");
    if (mostLines)
      printPairs(model.assembly, hits, counts.pairsOfFaces, withTriangles, *mostLines);
    else
      say("  --report lists them\n");
  }
  say("{}\n", nothing.empty() ? statusText(report.status, isGeometryMissing, report.isDecided()) : nothing);
  say("{} of {} have overlapping boxes", report.narrowPairs + report.excludedPairs,
      countedPairs(report.consideredPairs, "parts"));
  if (report.excludedPairs > 0) say(", {} of them left out by rules", report.excludedPairs);
  if (report.unselectedPairs > 0) say(", {} outside the sets to check", report.unselectedPairs);
  say("; {:.2f} ms\n{} box tests, {} box updates, {} surface candidates, {} triangle tests ({} exact)\n",
      report.milliseconds, report.stats.boxTests, report.stats.boxUpdates, report.stats.surfaceCandidates,
      report.stats.triangleTests, report.stats.exactTests);
}

/// Prints the rest of the line of a set of copies, with some of their names.
void printCopies(const Assembly& assembly, const CopySet& set) {
  constexpr std::size_t mostNamed = 4;
  const std::size_t count = set.instances.size(), named = count <= mostNamed ? count : mostNamed - 1;
  say("{}:", copiesText(count, assembly.path(set.instances.front())));
  for (std::size_t i = 0; i < named; ++i) say("{} {}", i > 0 ? "," : "", assembly.path(set.instances[i]));
  if (named < count) say(" and {} more", count - named);
  say(" ({})\n", countedPairs(set.pairs, "parts"));
}

/// Prints clashes by depth, then contacts, then clear pairs by distance, in at most `mostLines` lines.
/// Contacts that rules allow are only counted. `noteOn` gives a line more for a pair at a point, or nothing.
void printVerdicts(const Model& model, const InterferenceReport& report, const VerdictOptions& options,
                   const Rules& rules, std::size_t mostLines,
                   const std::function<std::string(const PairInterference&, const Vec3&)>& noteOn) {
  const std::string& unit = model.assembly.unit();
  struct Line {
    ListedPair listed;
    Assessment found;
  };
  std::vector<Line> lines;
  std::size_t allowed = 0;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (ListedPair& listed : listedPairs(report)) {
    const PairInterference& p = *listed.pair;
    const Assessment found = p.assessment();
    if (!found.verdict || p.isOpen()) continue;
    if (!p.rule || rules.rules[*p.rule].action != RuleAction::allowOverlap) {
      least = std::min(least, *found.tolerance);
      most = std::max(most, *found.tolerance);
    }
    const bool isAllowed =
        found.verdict == Verdict::contact && p.rule && allowsContact(rules.rules[*p.rule].action);
    allowed += isAllowed;
    if (!isAllowed) lines.push_back({std::move(listed), found});
  }
  std::ranges::stable_sort(
      lines,
      [](const Assessment& p, const Assessment& q) {
        if (*p.verdict != *q.verdict) return p.severity() > q.severity();
        if (p.depth || q.depth) return p.depth.value_or(0) > q.depth.value_or(0);
        return *p.verdict == Verdict::clear && p.distance.value_or(0) < q.distance.value_or(0);
      },
      &Line::found);
  const FindingCounts counts = countFindings(report);
  say("{}, {}", countText(counts.clashes, "clash", "clashes"), countText(counts.contacts, "contact"));
  if (allowed > 0) say(" ({} allowed by rules)", allowed);
  if (counts.undecided > 0) say(", {} undecided", counts.undecided);
  if (options.tolerance && most > *options.tolerance)
    say("; tolerance {:.3g}{} {}, the smallest that can be measured", least,
        least < most ? fmt::format(" to {:.3g}", most) : "", unit);
  else if (options.tolerance)
    say("; tolerance {:.6g} {}", *options.tolerance, unit);
  else if (most > 0)
    say("; tolerance {:.6g}{} {}, from the faces near each other", least,
        least < most ? fmt::format(" to {:.6g}", most) : "", unit);
  say("\n");
  for (std::size_t i = 0; i < lines.size() && i < mostLines; ++i) {
    const auto& [listed, p] = lines[i];
    const PairInterference* pair = listed.pair;
    say("  {:<{}}  ", name(*p.verdict), report.isDecided() ? 7 : 9);
    if (listed.copies) {
      printCopies(model.assembly, *listed.copies);
      continue;
    }
    const std::size_t regions = pair->verdict->regions.size();
    say("{}  x  {}", model.assembly.path(pair->a), model.assembly.path(pair->b));
    if (p.depth)
      say(": {} at {}{}", depthText(p, unit), pointText(*p.point, p.rounding),
          regions > 1 ? fmt::format(", {} regions", regions) : "");
    if (p.distance && *p.distance > 0)
      say(": {} apart at {}", lengthText(*p.distance, p.chordError, p.rounding, unit, 4),
          pointText(*p.point, p.rounding));
    const std::string note = p.point ? noteOn(*pair, *p.point) : "";
    if (!note.empty()) say("\n             {}", note);
    if (p.verdict == Verdict::undecided) say("\n             {}", pair->verdict->undecidedBecause);
    if (pair->volume) say("\n           common volume {}", volumeText(*pair->volume, unit));
    if (pair->wayOut) say("\n           {}", wayOutText(*pair->wayOut, p.depth.value_or(0), unit));
    say("\n");
  }
  if (lines.size() > mostLines) say("  ... and {} more; --list shows them\n", lines.size() - mostLines);
}

/// Prints pairs that violate the clearance of their rule, nearest first.
void printClearances(const Model& model, const InterferenceReport& report, const Rules& rules,
                     std::size_t mostLines) {
  std::vector<const PairInterference*> pairs;
  for (const PairInterference& p : report.pairs)
    if (p.tooNear) pairs.push_back(&p);
  if (pairs.empty()) return;
  std::stable_sort(pairs.begin(), pairs.end(), [](const PairInterference* p, const PairInterference* q) {
    return distanceOf(*p) < distanceOf(*q);
  });
  say("{} nearer than rules allow\n", countedPairs(pairs.size(), "parts"));
  for (std::size_t i = 0; i < pairs.size() && i < mostLines; ++i) {
    const PairInterference& p = *pairs[i];
    const Rule& rule = rules.rules[*p.rule];
    say("  {}  {}  x  {}{}\n", clearanceText(p, rule, model.assembly.unit()), model.assembly.path(p.a),
        model.assembly.path(p.b), rule.reason.empty() ? "" : " (" + rule.reason + ")");
  }
  if (pairs.size() > mostLines) say("  ... and {} more; --list shows them\n", pairs.size() - mostLines);
}

/// Says how to allow clashes that look like threads.
void suggestThreads(const ThreadSuggestion& found, const std::string& unit) {
  if (found.pairs == 0) return;
  const bool isOne = found.mostOverlap - found.leastOverlap <= 0.01 * found.mostOverlap;
  const Rule rule = ruleFor(found);
  say("{} look{} like threads (overlap about {}{:.3g} {}); to allow such:\n  --rule '{{\"a\": \"{}\", \"b\": "
      "\"{}\", "
      "\"fastener\": \"{}\", \"action\": \"{}\", \"depth\": {:.3g}}}'\n",
      countText(found.pairs, "clash", "clashes"), found.pairs == 1 ? "s" : "",
      isOne ? "" : fmt::format("{:.3g} to ", found.leastOverlap), found.mostOverlap, unit, rule.a, rule.b,
      name(*rule.fastener), name(rule.action), rule.depth);
}

/// The options as command-line arguments.
std::string verdictArguments(const VerdictOptions& options) {
  return std::string(" --verdict") + (options.clearPairs ? " --clear" : "") +
         (options.overlaps ? " --overlaps" : "") +
         (options.tolerance ? fmt::format(" --tolerance {}", *options.tolerance) : "");
}

/// Says that a tolerance is smaller than what the tessellation can resolve.
void warnOfChordErrors(const Scene& scene, const Poses& poses, double tolerance, const std::string& unit) {
  std::size_t coarse = 0;
  double largest = 0;
  for (const NodeId node : scene.instances()) {
    const double error = largestChordError(scene.posed(node, poses));
    coarse += error > tolerance / 2;
    largest = std::max(largest, error);
  }
  if (coarse > 0)
    sayTo(stderr,
          "warning: the tolerance is below twice the chord errors of {} (up to {:.2g} {}), and --no-refine "
          "leaves "
          "what these may change undecided\n",
          countText(coarse, "part"), largest, unit);
}

}  // namespace

Command addCheck(CLI::App& app) {
  struct Options {
    InputOptions input;
    QueryOptions query;
    VerificationOptions verification;
    std::vector<std::string> moves, keepOuts;
    std::size_t list = 40;
    std::string lines, loops;
    bool verdict = false, clearPairs = false, overlaps = false, volume = false, wayOut = false,
         noRefine = false;
    std::optional<double> tolerance;
    std::vector<std::string> explain;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("check", "Check every pair of parts: which surfaces and triangles intersect");
  options->input.addTo(*command, true);
  options->query.addTo(*command);
  options->verification.addTo(*command);
  addMoveOption(*command, options->moves);
  oneEachTime(command->add_option(
      "--keep-out", options->keepOuts,
      "Also check the space that a motion needs ('fitup sweep -o FILE.fitup') with all parts but those that "
      "made\nit, as 'keep-out/FILE'. May be given more than once. Implies --verdict, and needs a tolerance"));
  command->add_option("--list", options->list, "Print at most this many lines")
      ->check(wholeNumber())
      ->capture_default_str();
  command->add_option(
      "--lines", options->lines,
      "Write the intersection lines of the triangles, in the world: .obj (needs --mode triangles)");
  command->add_option(
      "--loops", options->loops,
      "Write the same lines, chained into polylines and closed loops: .obj (needs --mode triangles)");
  command->add_flag(
      "--verdict", options->verdict,
      "Classify each pair as clash (deeper than the tolerance, or piercing), contact, clear or "
      "undecided.\nThe exit code is then 1 only for clashes, and for pairs nearer than a rule allows");
  command
      ->add_option(
          "--tolerance", options->tolerance,
          "Overlaps up to this depth count as contact, in the assembly's unit (default: twice the "
          "chord error\nof the faces near each other, which mesh files do not contain). CAD parts are judged "
          "by their exact shapes.\nSmall values take longer. Implies --verdict")
      ->check(numberFrom0());
  command->add_flag("--no-refine", options->noRefine,
                    "With --tolerance, do not refine the faces of CAD parts where their chord errors leave a "
                    "verdict open;\nsuch pairs are then undecided");
  command->add_flag("--clear", options->clearPairs,
                    "With --verdict, also list clear pairs whose boxes overlap, with their distance");
  command->add_flag("--overlaps", options->overlaps,
                    "With --verdict, also measure how deep parts in contact overlap, or whether they only "
                    "touch; takes up to four times as long");
  command->add_flag("--volume", options->volume,
                    "With --verdict, also measure the volume that the parts of a clash have in common; with "
                    "--overlaps,\nof parts in contact too");
  command->add_flag("--way-out", options->wayOut,
                    "With --verdict, also look for a short translation after which the parts of a clash are "
                    "free of each\nother; with --overlaps, of parts in contact too. The way there may be "
                    "blocked");
  command
      ->add_option("--explain", options->explain,
                   "Also explain why two instances (or PATH:FACE) were or were not reported;\n'fitup "
                   "explain' prints only that")
      ->expected(2);
  command->footer(
      "Examples:\n  fitup check assembly.step --verdict\n  fitup check pump.stl pipe.stl --tolerance 0.05 "
      "--clear\n  fitup check assembly.step --report out.json --report out.html\n  fitup check assembly.step "
      "--lines intersections.obj\n  fitup check assembly.step --verdict --verify\n  fitup check pump.step "
      "pipe.stl --mode first\n  fitup check work.fitup-project --verdict --report out.html    uses its "
      "placements, rules and reviews\n  fitup check assembly.step --move 'as1/rod=0,0,5' --rules rules.json");
  return [options] {
    InterferenceOptions interference = options->query.resolve();
    // A part wholly inside of a keep-out intersects nothing, but clashes.
    if (options->verdict || options->tolerance || options->clearPairs || options->overlaps ||
        options->volume || options->wayOut || !options->keepOuts.empty()) {
      if (interference.request.limits.maxPairs)
        throw InputError("--verdict", "--max-pairs", "cannot be given together");
      interference.verdict = VerdictOptions{.tolerance = options->tolerance,
                                            .tolerancesOfFaces = true,
                                            .clearPairs = options->clearPairs,
                                            .overlaps = options->overlaps,
                                            .volumes = options->volume,
                                            .waysOut = options->wayOut};
    }
    const std::vector<NamedFile> meshes{{"--lines", options->lines}, {"--loops", options->loops}};
    for (const NamedFile& mesh : meshes) {
      requireExtension(mesh, ".obj");
      if (!mesh.file.empty() && interference.request.mode != QueryMode::allTrianglePairs)
        throw InputError(mesh.option, "mode", "needs the mode triangles");
    }
    std::vector<NamedFile> inputs = options->input.named();
    inputs.push_back({"--rules", options->query.rulesFile});
    for (const NamedFile& file : namedFiles("--keep-out", options->keepOuts)) {
      requireExtension(file, ".fitup");
      inputs.push_back(file);
    }
    std::vector<NamedFile> outputs = namedFiles("--report", options->query.reportFiles);
    outputs.insert(outputs.end(), meshes.begin(), meshes.end());
    options->verification.addOutputs(outputs);
    requireSafeOutputs(inputs, outputs);
    Console console(options->input.quiet);
    options->query.requestTrees(options->input.read.build);
    ProjectModel input = options->input.loadProject(console.progress());
    takeOver(input.project, options->query.rulesFile, options->query.rules, options->query.skipHidden,
             interference);
    if (!options->keepOuts.empty() && !interference.verdict->tolerance)
      throw InputError("--keep-out", "--tolerance", "must be given, because an envelope has no chord error");
    const std::vector<KeepOut> keepOuts = readKeepOuts(options->keepOuts, options->input.read, input.model,
                                                       interference.rules, console.progress());
    const Model& model = input.model;
    const Scene scene = sceneOf(model);
    judgeExactShapes(interference, model, options->input.read, !options->noRefine);
    Poses poses = input.moved;
    applyMoves(scene, options->moves, poses);
    console.clear();
    prepareRules(options->input.rulesSource(options->query.rulesFile, options->query.rules),
                 interference.rules, model, scene, poses, console.progress());
    std::optional<ExplainQuestion> question;  // errors come before the long check
    if (!options->explain.empty()) question = explainQuestion(model, options->explain, interference);
    console.clear();
    const InterferenceReport report = checkAllPairs(scene, poses, interference, console.progress());
    console.clear();
    const bool incomplete = printWarnings(model, options->input.verbose);
    if (options->noRefine && interference.verdict && interference.verdict->judgesExactShapes())
      warnOfChordErrors(scene, poses, *interference.verdict->tolerance, model.assembly.unit());
    sayHidden(input, options->query.skipHidden);
    sayKeepOuts(model.assembly, keepOuts);
    if (interference.verdict) {
      printVerdicts(model, report, *interference.verdict, interference.rules, options->list,
                    [&](const PairInterference& pair, const Vec3& point) {
                      return sweptByText(scene, poses, keepOuts, pair, point);
                    });
      sayOpenParts(report.openParts.size());
      suggestThreads(findThreads(scene, poses, report, millimetresOf(model.assembly), console.progress()),
                     model.assembly.unit());
    }
    printClearances(model, report, interference.rules, options->list);
    printReport(model, report, interference.request,
                interference.verdict ? std::nullopt : std::optional(options->list), incomplete);
    ReportContext context{programName(), options->input.fileList(), "", interference};
    context.poses = poses;
    context.reviews = input.project.reviews;
    options->query.choosePictures(context);
    for (const std::string& file : options->query.reportFiles) {
      writeReport(file, context, model, report, console.progress());
      console.clear();
      say("report: {}\n", file);
    }
    if (question) {
      const Explanation explanation = explain(scene, poses, *question, console.progress());
      console.clear();
      printExplanation(model, *question, explanation,
                       options->input.rulesSource(options->query.rulesFile, options->query.rules));
    }
    if (!options->lines.empty()) {
      writeIntersectionLines(options->lines, scene, poses, report);
      say("lines: {}\n", options->lines);
    }
    if (!options->loops.empty()) {
      writeIntersectionChains(options->loops, scene, poses, report);
      say("loops: {}\n", options->loops);
    }
    const int exitCode =
        exitCodeFor(report.needsAction(), report.status,
                    incomplete || !report.isDecided() || !nothingCheckedText(report).empty());
    if (!options->verification.verify) return exitCode;
    const VerificationReport verification =
        verifyAllPairs(scene, poses, interference, report, {}, console.progress());
    console.clear();
    reportVerification(options->verification, verification, model, options->input.fileList(),
                       "fitup check {} --verify " + options->query.asArguments() +
                           (interference.verdict ? verdictArguments(*interference.verdict) : ""));
    return exitCodeAfter(exitCode, verification);
  };
}

}  // namespace fitup::cli
