#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fitup/io/certificate_file.h>
#include <fitup/io/rules_file.h>

#include "commands.h"
#include "console.h"
#include "match_track.h"
#include "motion_contact.h"
#include "options.h"
#include "output_files.h"
#include "pattern_check.h"

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
    sayCertified(model.assembly, report, incomplete);
    sayHidden(input, options->skipHidden);
    if (!output.file.empty())
      writeCertificate(output.file, programName(), options->input.fileList(), model.assembly, report);
    return exitCodeFor(report.violation.has_value(), report.status,
                       incomplete || report.answer() == CertifyAnswer::undecided);
  };
}

}  // namespace fitup::cli
