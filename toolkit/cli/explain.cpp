#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fitup/io/explanation_json.h>
#include <fitup/io/rules_file.h>

#include "commands.h"
#include "console.h"
#include "explanation.h"
#include "move.h"
#include "options.h"
#include "pattern_check.h"

namespace fitup::cli {

Command addExplain(CLI::App& app) {
  struct Options {
    InputOptions input;
    std::string a, b;
    std::vector<std::string> moves;
    std::string rulesFile;
    std::vector<Rule> rules;
    std::optional<double> tolerance;
    bool json = false, verdict = false, touchingExcluded = false, skipHidden = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("explain", "Explain why a pair of parts or faces was or was not reported");
  options->input.addTo(*command, false);
  command->add_option("A", options->a, "Path of an instance, or a face: PATH:FACE")->required();
  command->add_option("B", options->b, "The other instance or face")->required();
  addMoveOption(*command, options->moves);
  command->add_option("--rules", options->rulesFile, "JSON file of rules, as for 'fitup check'");
  addRuleOption(*command, options->rules);
  addSkipHiddenOption(*command, options->skipHidden);
  command->add_flag("--verdict", options->verdict,
                    "Answer as 'fitup check --verdict' does. The exit code is then 1 only for clashes, and "
                    "for\npairs nearer than a rule allows");
  command
      ->add_option("--tolerance", options->tolerance,
                   "Overlaps up to this depth count as contact (default: twice the chord error of the faces "
                   "near each other). Implies --verdict")
      ->check(numberFrom0());
  command->add_flag("--exclude-touching", options->touchingExcluded,
                    "Report only triangles whose interiors intersect");
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "Exit codes, as for a check of the two: 0 nothing found or not checked, 1 they intersect "
      "(with\n--verdict: clash) or are nearer than a rule allows, 2 error, 3 nothing found but "
      "incomplete.\nExamples:\n  fitup explain assembly.step 'as1/rod' 'as1/plate'\n  fitup explain "
      "assembly.step 'as1/rod:3' 'as1/plate:12'\n  fitup explain assembly.step 'as1/rod' 'as1/plate' --move "
      "'as1/rod=0,0,5' --rules rules.json --json");
  return [options] {
    InterferenceOptions interference;
    interference.request.touching = options->touchingExcluded ? Touching::exclude : Touching::include;
    if (!options->rulesFile.empty()) interference.rules = readRules(options->rulesFile);
    if (options->verdict || options->tolerance)
      interference.verdict =
          VerdictOptions{.tolerance = options->tolerance, .tolerancesOfFaces = true, .clearPairs = true};
    Console console(options->input.quiet);
    const ProjectModel input = options->input.loadProject(console.progress());
    takeOver(input.project, options->rulesFile, options->rules, options->skipHidden, interference);
    const Model& model = input.model;
    const Scene scene = sceneOf(model);
    judgeExactShapes(interference, model, options->input.read);
    Poses poses = input.moved;
    applyMoves(scene, options->moves, poses);
    console.clear();
    prepareRules(options->input.rulesSource(options->rulesFile, options->rules), interference.rules, model,
                 scene, poses, console.progress());
    const ExplainQuestion question = explainQuestion(model, {options->a, options->b}, interference);
    // Refuses, as a check does, a verdict whose tolerance is neither given nor known.
    if (interference.verdict)
      for (const NodeId node : {question.a, question.b})
        (void)placedForCheck(model.assembly, node, scene.worldFromPart(node, poses), interference);
    const Explanation explanation = explain(scene, poses, question, console.progress());
    console.clear();
    const bool incomplete = printWarnings(model, options->input.verbose);
    if (options->json)
      sayLines(explanationJsonText(programName(), options->input.fileList(), model, question, explanation));
    else
      printExplanation(model, question, explanation,
                       options->input.rulesSource(options->rulesFile, options->rules));
    if (!options->json) sayHidden(input, options->skipHidden);
    const bool isDecided = !explanation.verdictCounts || explanation.verdict->verdict != Verdict::undecided;
    return exitCodeFor(explanation.needsAction(), explanation.status, incomplete || !isDecided);
  };
}

}  // namespace fitup::cli
