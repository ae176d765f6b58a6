#include "verification.h"

#include <fmt/format.h>

#include <fitup/io/reproduction_file.h>

#include "console.h"
#include "options.h"
#include "wording.h"

namespace fitup::cli {

void VerificationOptions::addTo(CLI::App& app) {
  app.add_flag("--verify", verify,
               "Compute the answer again by brute force (or by sort and sweep) and compare. If they "
               "differ,\nwrite the smallest reproduction and exit with 2");
  app.add_option("--reproduction", prefix,
                 "With --verify: prefix of the reproduction, PREFIX.fitup and PREFIX.txt")
      ->capture_default_str();
}

void VerificationOptions::addOutputs(std::vector<NamedFile>& outputs) const {
  if (!verify || prefix == usualPrefix) return;
  for (const char* extension : {".fitup", ".txt"}) outputs.push_back({"--reproduction", prefix + extension});
}

bool reportVerification(const VerificationOptions& options, const VerificationReport& report,
                        const Model& model, const std::string& file, const std::string& command,
                        std::FILE* out) {
  const std::size_t asked = report.bruteForcePairs + report.sweptPairs;
  const std::string pairs =
      fmt::format("{} by brute force, {} by sort and sweep, {} by their separated boxes{}",
                  report.bruteForcePairs, report.sweptPairs, report.separatedPairs,
                  report.samples > 0 ? fmt::format(", {} points looked up", report.samples) : "");
  if (report.differences.empty()) {
    const std::string what = countedPairs(asked + report.separatedPairs, "parts");
    if (report.status == ReportStatus::cancelled)
      sayTo(out, "verification cancelled; so far {} agree ({})\n", what, pairs);
    else
      sayTo(out, "verified: {} agree with the oracle ({}); {:.0f} ms\n", what, pairs, report.milliseconds);
    return true;
  }
  for (std::size_t i = 0; i < report.differences.size(); ++i) {
    const PairDifference& d = report.differences[i];
    const std::string step = d.step ? fmt::format(" at step {}", *d.step) : "";
    const std::string a = model.assembly.path(d.a), b = model.assembly.path(d.b);
    const ReproductionNotes notes{programName(), d.question + step, file, a, b, model.assembly.unit(),
                                  command};
    const std::string prefix = i == 0 ? options.prefix : fmt::format("{}-{}", options.prefix, i + 1);
    const auto files = writeReproduction(prefix, d.reproduction, notes);
    sayTo(stderr,
          "fitup: the oracle disagrees on the {} of '{}' and '{}'{}: {}; cut down to {} and {} triangles: "
          "{}, {}\n",
          d.question, a, b, step, d.discrepancy.problem, d.reproduction.first->triangleCount(),
          d.reproduction.second->triangleCount(), files[0].string(), files[1].string());
  }
  return false;
}

int exitCodeAfter(int exitCode, const VerificationReport& report) {
  if (!report.differences.empty()) return exitError;
  if (report.status == ReportStatus::cancelled && exitCode == exitNothingFound) return exitIncomplete;
  return exitCode;
}

}  // namespace fitup::cli
