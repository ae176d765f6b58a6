#include <fitup/motion/verify_certificate.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fitup/io/certificate_file.h>
#include <fitup/io/rules_file.h>
#include <fitup/io/track_file.h>

#include "commands.h"
#include "console.h"
#include "options.h"
#include "pattern_check.h"
#include "wording.h"

namespace fitup::cli {
namespace {

struct VerifyCertificateArguments {
  InputOptions input;
  std::string certificate, track, rules;
  std::vector<Rule> given;
  TimeBudget timeBudget;
  std::size_t pieces = CertificateCheckOptions{}.piecesPerInterval;
};

void print(const Assembly& assembly, const CertificateCheck& check, std::size_t notByRules) {
  constexpr std::size_t mostLines = 20;
  const auto list = [&](const char* title, const auto& entries, std::size_t count, const auto& line) {
    if (count == 0) return;
    say("{} {}\n", count, title);
    for (std::size_t k = 0; k < std::min(entries.size(), mostLines); ++k) line(entries[k]);
    if (count > mostLines) say("  ... and {} more\n", count - mostLines);
  };
  list("faults of the certificate:", check.faults, check.faultCount,
       [](const std::string& fault) { say("  {}\n", fault); });
  list("claims refuted:", check.refuted, check.refutedIntervals, [&](const RefutedClaim& claim) {
    say("  {}  x  {} at step {:.9g}: {}\n", assembly.path(claim.a), assembly.path(claim.b), claim.time,
        claim.problem);
  });
  list("claims unchecked:", check.unchecked, check.uncheckedIntervals,
       [&](const UncheckedInterval& interval) {
         say("  {}  x  {} from step {:.6g} to {:.6g}: {}\n", assembly.path(interval.a),
             assembly.path(interval.b), interval.from, interval.to, interval.reason);
       });
  if (notByRules > 0)
    say("{} that the certificate excludes are not excluded by the rules\n",
        countedPairs(notByRules, "parts"));
  else if (check.excluded > 0)
    say("{} excluded by rules: nothing is claimed of them\n", countedPairs(check.excluded, "parts"));
  if (check.unknown > 0)
    say("{} in contact at the start, of which nothing is claimed\n", countedPairs(check.unknown, "parts"));
  say("{} of {} confirmed, in {}, to within {:.2g} {}\n{}\n", countText(check.confirmedIntervals, "interval"),
      check.confirmedIntervals + check.uncheckedIntervals + check.refutedIntervals,
      countedPairs(check.pairs, "parts"), check.slack, assembly.unit(), statusText(check.status));
}

/// The number of pairs that the certificate excludes although no rule does. Without rules, what it excludes
/// is printed, and for the reader to judge.
std::size_t countNotByRules(const Scene& scene, const Certificate& certificate, const Rules& rules) {
  if (rules.empty()) return 0;
  const Assembly& assembly = scene.assembly();
  return static_cast<std::size_t>(std::ranges::count_if(certificate.excluded, [&](const auto& pair) {
    const std::string a = assembly.path(pair.first), b = assembly.path(pair.second);
    const Rule* rule = rules.find(a, b);
    return rules.selects(a, b) && (rule == nullptr || rule->action != RuleAction::ignore);
  }));
}

}  // namespace

Command addVerifyCertificate(CLI::App& app) {
  auto options = std::make_shared<VerifyCertificateArguments>();
  CLI::App* command = app.add_subcommand(
      "verify-certificate", "Check what 'fitup certify' has written, by other means and without trust in it");
  options->input.addTo(*command, false);
  command->add_option("CERTIFICATE", options->certificate, "Certificate of a motion (.json)")->required();
  command->add_option("--track", options->track, "Also check that the certificate is of this motion");
  command->add_option(
      "--rules", options->rules,
      "JSON file with the rules of the certificate: what it excludes, and overlaps that it allows, "
      "must be by them");
  addRuleOption(*command, options->given);
  command
      ->add_option("--pieces", options->pieces,
                   "Pieces of surface and time to look at for each interval, before it stays unchecked")
      ->check(wholeNumber())
      ->capture_default_str();
  options->timeBudget.addTo(*command);
  command->footer(
      "Exit codes: 0 all that is claimed is confirmed, and it is claimed of the whole motion and of all "
      "pairs\n"
      "that rules do not exclude; 1 a claim is wrong; 2 error; 3 something is unchecked, or not "
      "claimed.\nExample:\n"
      "  fitup verify-certificate plant.fitup removal.certificate.json");
  return [options] {
    Console console(options->input.quiet);
    const ProjectModel input = options->input.loadProject(console.progress());
    const Model& model = input.model;
    const Scene scene = sceneOf(model);
    const Certificate certificate = readCertificate(options->certificate, model.assembly);
    Rules rules;
    if (!options->rules.empty()) rules = readRules(options->rules);
    takeOverRules(input.project, options->rules, options->given, false, rules);
    prepareRules(options->input.rulesSource(options->rules, options->given), rules, model, scene,
                 certificate.rest, console.progress());
    CertificateCheckOptions request;
    request.piecesPerInterval = options->pieces;
    request.timeBudget = options->timeBudget.asDuration();
    if (!rules.empty())
      request.allowedOverlap = [&](NodeId a, NodeId b) -> std::optional<double> {
        const Rule* rule = rules.find(model.assembly.path(a), model.assembly.path(b));
        return rule != nullptr && rule->action == RuleAction::allowOverlap ? std::optional(rule->depth)
                                                                           : std::nullopt;
      };
    CertificateCheck check = verifyCertificate(scene, certificate, request, console.progress());
    if (!options->track.empty()) {
      const Track track = readTrack(options->track);
      if (track.moved != certificate.track.moved || track.steps != certificate.track.steps ||
          track.ways != certificate.track.ways) {
        check.faults.insert(check.faults.begin(), "it is of another motion than " + options->track);
        ++check.faultCount;
      }
    }
    console.clear();
    const bool incomplete = printWarnings(model, options->input.verbose);
    const std::size_t notByRules = countNotByRules(scene, certificate, rules);
    print(model.assembly, check, notByRules);
    const bool isWrong = check.faultCount > 0 || check.refutedIntervals > 0 || notByRules > 0;
    if (check.pairs == 0)
      say("nothing is claimed of any pair of parts\n");
    else if (!isWrong && !certificate.isWhole())
      say("incomplete: the certificate claims nothing after step {:.9g}, or nothing of some pairs\n",
          certificate.certainUntil);
    return exitCodeFor(isWrong, check.status,
                       incomplete || !check.isConfirmed() || !certificate.isWhole() || check.pairs == 0);
  };
}

}  // namespace fitup::cli
