#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <fitup/base/bounded_text.h>
#include <fitup/base/text.h>
#include <fitup/io/certificate_file.h>
#include <fitup/io/rules_file.h>

#include "commands.h"
#include "console.h"
#include "match_track.h"
#include "motion_contact.h"
#include "options.h"
#include "output_files.h"
#include "pattern_check.h"
#include "wording.h"

namespace fitup::cli {
namespace {

struct CertifyArguments {
  InputOptions input;
  std::string track, rules, certificate;
  std::vector<Rule> given;
  CertifyOptions request;
  TimeBudget timeBudget;
  bool force = false, skipHidden = false;
};

/// The pairs that come nearest, and when.
void printNearest(const Assembly& assembly, const Certificate& certificate) {
  struct Least {
    const CertifiedPair* pair;
    const CertifiedInterval* interval;
  };
  std::vector<Least> list;
  for (const CertifiedPair& pair : certificate.pairs) {
    const auto least = std::ranges::min_element(pair.intervals, {}, &CertifiedInterval::atLeast);
    if (!pair.contact && least != pair.intervals.end() && least->nearest) list.push_back({&pair, &*least});
  }
  std::ranges::stable_sort(list, {}, [](const Least& l) { return l.interval->atLeast; });
  constexpr std::size_t mostLines = 10;
  if (!list.empty()) say("nearest, by lower bounds:\n");
  for (std::size_t k = 0; k < std::min(list.size(), mostLines); ++k) {
    const auto& [pair, interval] = list[k];
    say("  at least {:.4g} {} between steps {:.6g} and {:.6g}\n    {}\n    {}\n", interval->atLeast,
        assembly.unit(), interval->from, interval->to, surfaceText(assembly, pair->a, interval->nearest->a),
        surfaceText(assembly, pair->b, interval->nearest->b));
  }
  if (list.size() > mostLines) say("  ... and {} more; the certificate lists all\n", list.size() - mostLines);
}

void print(const Assembly& assembly, const CertifyReport& report, bool isGeometryMissing) {
  const Certificate& certificate = report.certificate;
  std::vector<std::pair<NodeId, NodeId>> contacts;
  for (const CertifiedPair& pair : certificate.pairs)
    if (pair.contact) contacts.emplace_back(pair.a, pair.b);
  sayPairs(assembly, "in contact at the start, which may stay so but not get deeper", contacts);
  sayPairs(
      assembly,
      "in contact at the start, of which nothing is certain (a part is not closed, or they may pierce each "
      "other already)",
      certificate.unknown);
  if (!certificate.excluded.empty())
    say("{} excluded by rules: nothing is certain of them\n",
        countedPairs(certificate.excluded.size(), "parts"));
  const std::size_t last = certificate.track.steps.size() - 1;
  const std::string& unit = assembly.unit();
  const std::string kept = certificate.clearance > 0
                               ? fmt::format("nearer than {:.6g} {}", certificate.clearance, unit)
                               : std::string("in contact");
  if (report.violation) {
    const double c = report.violation->clearance;
    sayMotionContact(assembly, *report.violation,
                     c > 0 ? fmt::format("nearer than {:.6g} {}", c, unit) : "in contact", report.resolution,
                     last);
  }
  const char* const nothing = contacts.empty() && certificate.unknown.empty() ? "nothing" : "nothing else";
  say("{}: {} is {} from step 0 to step {:.9g} of {}\n",
      report.answer() == CertifyAnswer::certain ? "certain" : "certain so far", nothing, kept,
      certificate.certainUntil, last);
  if (report.answer() == CertifyAnswer::certain) printNearest(assembly, certificate);
  if (report.chordErrors > 0)
    say("this is certain of the triangles; exact shapes may be nearer by up to {:.3g} {} (--exact-shapes "
        "allows for that)\n",
        report.chordErrors, unit);
  std::size_t intervals = 0;
  for (const CertifiedPair& pair : certificate.pairs) intervals += pair.intervals.size();
  const bool isKnown = certificate.unknown.empty() || report.violation;
  say("{}\n{} in {}, {}, to within {:.3g} {}; {:.2f} ms\n",
      isKnown ? statusText(report.status, isGeometryMissing)
              : "incomplete: of some contacts of the start nothing is certain",
      countText(intervals, "interval"), countedPairs(certificate.pairs.size(), "parts"),
      countText(report.queries, "distance"), report.resolution, unit, report.milliseconds);
}

}  // namespace

Command addCertify(CLI::App& app) {
  auto options = std::make_shared<CertifyArguments>();
  CLI::App* command = app.add_subcommand(
      "certify", "Show that a recorded motion is free, including between steps, and write what shows it");
  options->input.addTo(*command, false);
  addTrackOption(*command, options->track);
  command->add_option("--certificate", options->certificate,
                      "Write the intervals, bounds and nearest faces of every pair: .json, which 'fitup "
                      "verify-certificate' checks");
  command
      ->add_option("--clearance", options->request.clearance,
                   "Parts that are not in contact at the start keep more than this, in the model's unit")
      ->check(numberFrom0());
  command
      ->add_option("--tolerance", options->request.tolerance,
                   "Overlap that counts as contact of parts in contact at the start, in the model's unit "
                   "(default: twice\nthe chord error of the parts)")
      ->check(numberFrom0());
  command->add_flag("--exact-shapes", options->request.exactShapes,
                    "Add the chord errors of both parts to every clearance, so that the exact shapes of CAD "
                    "parts keep it too");
  command
      ->add_option(
          "--resolution", options->request.resolution,
          "How near to its limit a pair may come before that counts as reached (default: a millionth "
          "of the\nassembly's size)")
      ->check(numberFrom0());
  addRuleOption(*command, options->given);
  addSkipHiddenOption(*command, options->skipHidden);
  command->add_option("--rules", options->rules,
                      "JSON file with pairs to ignore, clearances to keep, and sets to check");
  command->add_flag("--force", options->force, "Accept a track that was recorded on another model");
  options->timeBudget.addTo(*command);
  command->footer(
      "Parts that are in contact at the start may slide and separate, but get no deeper. Exit codes: 0 all\n"
      "pairs keep their limits all the way, 1 a pair does not, 2 error, 3 neither is known.\nExamples:\n  "
      "fitup "
      "certify plant.fitup removal.track.json --certificate removal.certificate.json\n  fitup "
      "verify-certificate plant.fitup removal.certificate.json");
  command->callback([options] { requireTrack(options->input, options->track); });
  return [options] {
    CertifyOptions request = options->request;
    request.force = true;  // `matchTrackToModel` checks that the track belongs to the model
    const NamedFile output{"--certificate", options->certificate};
    std::vector<NamedFile> inputs = options->input.named();
    inputs.push_back({"TRACK", options->track});
    inputs.push_back({"--rules", options->rules});
    if (!output.file.empty()) requireExtension(output, ".json");
    requireSafeOutputs(inputs, {output});
    if (!options->rules.empty()) request.rules = readRules(options->rules);
    request.limits.timeBudget = options->timeBudget.asDuration();
    Console console(options->input.quiet);
    const ProjectModel input = options->input.loadProject(console.progress());
    takeOverRules(input.project, options->rules, options->given, options->skipHidden, request.rules);
    const auto [track, trackSource, poses] =
        matchTrackToModel(options->track, options->input, input, options->force);
    const Model& model = input.model;
    console.clear();
    const Scene scene = sceneOf(model);
    prepareRules(options->input.rulesSource(options->rules, options->given), request.rules, model, scene,
                 poses, console.progress());
    const CertifyReport report = certify(scene, poses, track, request, console.progress());
    console.clear();
    requirePairs(trackSource, report.consideredPairs);
    const bool incomplete = printWarnings(model, options->input.verbose);
    printTrackWarnings(track, trackSource);
    print(model.assembly, report, incomplete);
    sayHidden(input, options->skipHidden);
    if (!output.file.empty())
      writeCertificate(output.file, programName(), options->input.fileList(), model.assembly, report);
    return exitCodeFor(report.violation.has_value(), report.status,
                       incomplete || report.answer() == CertifyAnswer::undecided);
  };
}

}  // namespace fitup::cli
