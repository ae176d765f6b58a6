#include <memory>
#include <string>
#include <utility>

#include <fitup/io/certificate_file.h>

#include "commands.h"
#include "console.h"
#include "match_track.h"
#include "motion_contact.h"
#include "motion_options.h"
#include "output_files.h"

namespace fitup::cli {
namespace {

struct CertifyArguments {
  MotionOptions motion;
  std::string certificate;
  CertifyOptions request;
};

}  // namespace

Command addCertify(CLI::App& app) {
  auto options = std::make_shared<CertifyArguments>();
  CLI::App* command = app.add_subcommand(
      "certify", "Show that a recorded motion is free, including between steps, and write what shows it");
  options->motion.addFilesTo(*command);
  command->add_option("--certificate", options->certificate,
                      "Write the intervals, bounds and nearest faces of every pair: .json, which 'fitup "
                      "verify-certificate' checks");
  addKeptOptions(*command, options->request.clearance, options->request.tolerance,
                 options->request.exactShapes);
  command
      ->add_option(
          "--resolution", options->request.resolution,
          "How near to its limit a pair may come before that counts as reached (default: a millionth "
          "of the\nassembly's size)")
      ->check(numberFrom0());
  options->motion.addTo(*command);
  command->footer(
      "Parts that are in contact at the start may slide and separate, but get no deeper. Exit codes: 0 all\n"
      "pairs keep their limits all the way, 1 a pair does not, 2 error, 3 neither is known.\nExamples:\n  "
      "fitup "
      "certify plant.fitup removal.track.json --certificate removal.certificate.json\n  fitup "
      "verify-certificate plant.fitup removal.certificate.json");
  return [options] {
    CertifyOptions request = options->request;
    request.force = true;  // `MotionOptions::read` checks that the track belongs to the model
    const NamedFile output{"--certificate", options->certificate};
    if (!output.file.empty()) requireExtension(output, ".json");
    requireSafeOutputs(options->motion.named(), {output});
    request.limits.timeBudget = options->motion.timeBudget.asDuration();
    const InputOptions& files = options->motion.input;
    Console console(files.quiet);
    MotionInput motion = options->motion.read(console);
    const Model& model = motion.project.model;
    request.rules = std::move(motion.rules);
    const CertifyReport report =
        certify(motion.scene, motion.poses, motion.track, request, console.progress());
    console.clear();
    requirePairs(motion.trackSource, report.consideredPairs);
    const bool incomplete = printWarnings(model, files.verbose);
    printTrackWarnings(motion.track, motion.trackSource);
    sayCertified(model.assembly, report, incomplete);
    sayHidden(motion.project, options->motion.skipHidden);
    if (!output.file.empty())
      writeCertificate(output.file, programName(), files.fileList(), model.assembly, report);
    return exitCodeFor(report.violation.has_value(), report.status,
                       incomplete || report.answer() == CertifyAnswer::undecided);
  };
}

}  // namespace fitup::cli
