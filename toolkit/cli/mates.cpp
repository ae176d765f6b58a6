#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include <fitup/base/bounded_text.h>
#include <fitup/base/error.h>
#include <fitup/io/atomic_file.h>
#include <fitup/io/mates_json.h>

#include "commands.h"
#include "console.h"
#include "move.h"
#include "options.h"
#include "output_files.h"
#include "wording.h"

namespace fitup::cli {
namespace {

std::string facesText(const Assembly& assembly, NodeId node, const std::vector<SurfaceId>& surfaces) {
  std::string text = assembly.path(node);
  for (std::size_t i = 0; i < surfaces.size(); ++i)
    text += (i == 0 ? " " : ", ") + faceText(assembly, node, surfaces[i]);
  return text;
}

void print(const Model& model, const MateReport& report, std::size_t mostLines, bool isGeometryMissing) {
  const Assembly& assembly = model.assembly;
  const std::string& unit = assembly.unit();
  say("{}\n", countText(report.suggestions.size(), "suggestion"));
  for (std::size_t i = 0; i < report.suggestions.size() && i < mostLines; ++i) {
    const MateSuggestion& s = report.suggestions[i];
    say("  {}: {}\n      to {}\n      ", name(s.kind), facesText(assembly, s.moved, s.movedSurfaces),
        facesText(assembly, s.fixed, s.fixedSurfaces));
    constexpr double degrees = 180 / std::numbers::pi;
    say("offset {} {}, angle {} deg, shared area {:.4g} {}^2", boundedNumber(s.deviation, s.lengthError, 4),
        unit, boundedNumber(s.angle * degrees, s.angleError * degrees, 4), s.overlapArea, unit);
    const std::string play = boundedNumber(std::abs(s.play), s.lengthError, 4);
    if (s.kind != MateKind::planes && play == "0") say(", equal radii");
    if (s.kind != MateKind::planes && play != "0")
      say(", {} of {} {} in radius", s.play < 0 ? "press fit" : "play", play, unit);
    say("\n");
  }
  if (report.suggestions.size() > mostLines)
    say("  ... {} more; --list {} shows them, --json writes all\n", report.suggestions.size() - mostLines,
        report.suggestions.size());
  say("{}\n", statusText(report.status, isGeometryMissing));
}

}  // namespace

Command addMates(CLI::App& app) {
  struct Options {
    InputOptions input;
    std::vector<std::string> moves;
    std::string moved, json;
    double degrees = 2;
    std::size_t list = 40;
    MateTolerances tolerances;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("mates", "Suggest mates: planes that face each other, and pegs in holes");
  options->input.addTo(*command, false);
  command->add_option("--moved", options->moved,
                      "Instance or subassembly to be moved (default: every pair of instances)");
  addMoveOption(*command, options->moves);
  command
      ->add_option("--reach", options->tolerances.reach,
                   "Largest distance between planes or axes, in the model's unit")
      ->check(numberFrom0())
      ->capture_default_str();
  command->add_option("--angle", options->degrees, "Largest angle between normals or axes, in degrees")
      ->check(numberBetween(0, 57.0))
      ->capture_default_str();
  command
      ->add_option("--play", options->tolerances.play, "Largest difference between the radii of peg and hole")
      ->check(numberFrom0())
      ->capture_default_str();
  command
      ->add_option("--recognise", options->tolerances.recognise,
                   "Largest distance of a face's corners from a plane or cylinder that is recognised in it "
                   "(default:\nthe chord error, or 1e-4 of the part's size; 0: use only planes and cylinders "
                   "that the file describes)")
      ->check(numberFrom0());
  command->add_option("--json", options->json, "Write all suggestions with their motions: .json");
  command->add_option("--list", options->list, "Print at most this many suggestions")
      ->check(wholeNumber())
      ->capture_default_str();
  command->footer(
      "Exit codes: 0 done, 2 error, 3 cancelled or geometry is missing.\nExamples:\n  fitup mates "
      "assembly.step --moved 'as1/rod'\n  fitup mates assembly.step --reach 0.2 --angle 0.5 --json "
      "mates.json");
  return [options] {
    MateTolerances tolerances = options->tolerances;
    tolerances.angle = options->degrees * std::numbers::pi / 180;
    const NamedFile output{"--json", options->json};
    // --json is a flag in other commands: after it, the model would be taken for the output and overwritten.
    requireExtension(output, ".json");
    requireSafeOutputs(options->input.named(), {output});
    Console console(options->input.quiet);
    const ProjectModel input = options->input.loadProject(console.progress());
    const Model& model = input.model;
    const Scene scene = sceneOf(model);
    Poses poses = input.moved;
    applyMoves(scene, options->moves, poses);
    const Assembly& assembly = model.assembly;
    MateReport report;
    if (options->moved.empty()) {
      report = suggestMates(scene, poses, tolerances, console.progress());
    } else {
      const NodeId node = assembly.at(options->moved);
      std::vector<NodeId> others;
      for (const NodeId instance : assembly.instances())
        if (!assembly.isAtOrBelow(instance, node)) others.push_back(instance);
      report =
          suggestMates(scene, poses, assembly.instancesBelow(node), others, tolerances, console.progress());
    }
    console.clear();
    const bool incomplete = printWarnings(model, options->input.verbose);
    print(model, report, options->list, incomplete);
    if (!options->json.empty()) {
      writeFileAtomically(options->json, [&](std::ostream& out) {
        out << matesJsonText(programName(), options->input.fileList(), model, tolerances, report);
      });
      say("mates: {}\n", options->json);
    }
    return exitCodeFor(false, report.status, incomplete);
  };
}

}  // namespace fitup::cli
