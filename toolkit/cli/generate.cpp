#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/io/formats.h>
#include <fitup/io/track_file.h>
#include <models/model_list.h>
#include <models/process_plant.h>

#include "commands.h"
#include "console.h"
#include "options.h"
#include "output_files.h"

namespace fitup::cli {

Command addGenerate(CLI::App& app) {
  struct Options {
    std::string name, output;
    models::GenerateOptions model;
    bool quiet = false;
    /// Options of some models, with the models that accept them.
    std::vector<std::pair<const CLI::Option*, std::vector<std::string>>> ofModels{};
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("generate", "Write one of the project's own models");
  command
      ->add_option("NAME", options->name,
                   "plant, grid, torus, spheres, wrinkled, rods, large; scenes for ways out: alpha,\n"
                   "bug-trap, flange, ring, burr-3, burr-6, pump-cover, screw, peg")
      ->required()
      ->check(CLI::IsMember(models::names()));
  command
      ->add_option("OUT", options->output,
                   "Model file to write: .fitup. A model with a recorded motion (plant, large) or a "
                   "known\nway out also gets a track beside it, such as plant.track.json for plant.fitup")
      ->required();
  command->add_flag("-q,--quiet", options->quiet, "Print no progress");
  const auto of = [&](std::vector<std::string> models, CLI::Option* option) {
    options->ofModels.emplace_back(option, std::move(models));
    return option;
  };
  of({"torus", "spheres", "large"},
     command->add_option(
         "--triangles", options->model.triangles,
         "Number of triangles (torus, spheres: the nearest possible number; large: approximate)"))
      ->check(CLI::Range(1, 100'000'000));
  of({"large"}, command->add_option("--parts", options->model.parts, "Number of distinct parts (large)"))
      ->check(CLI::Range(1, 100'000));
  of({"spheres", "alpha", "bug-trap", "flange"},
     command->add_option("--gap", options->model.gap,
                         "Difference of the radii 1 and 1 + gap (spheres; default 0.1); opening over tube "
                         "diameter\n(alpha; default 1.5, locked up to 0.95); hole over rod or pipe diameter "
                         "(bug-trap, flange;\ndefault 1.2)"))
      ->check(numberBetween(0, 1e6));
  of({"burr-3", "burr-6", "pump-cover", "screw", "peg"},
     command->add_option(
         "--play", options->model.play,
         "Distance of parts that fit, in mm (burr-3, burr-6: default 0.2; pump-cover,\nscrew: 0.5); "
         "difference of the diameters, in mm (peg: 0.005)"))
      ->check(numberBetween(0, 1e6));
  of({"burr-6"}, command->add_flag("--locked", options->model.locked,
                                   "Make the variant in which no stick comes out (burr-6)"));
  of({"torus", "wrinkled"},
     command->add_option("--patches", options->model.patches, "N x N surfaces (torus, wrinkled)"))
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  of({"plant"}, command->add_option("--clearance", options->model.clearance,
                                    "Make the variant whose spool comes out: along its track it keeps this "
                                    "distance\nfrom everything, in mm, above 0 (plant)"))
      ->check(numberBetween(0, models::largestPlantClearance));
  command->footer(
      "Examples:\n  fitup generate plant plant.fitup                    also writes plant.track.json\n  "
      "fitup generate plant clear.fitup --clearance 0.5    has a motion without clashes\n  "
      "fitup generate torus torus.fitup --triangles 100000 --patches 16\n  fitup generate spheres "
      "spheres.fitup --gap 0.01\n  fitup generate large hall.fitup                     has 3,000 parts, 10 "
      "million triangles and a track\n  fitup generate alpha alpha.fitup --gap 1.1          also writes "
      "alpha.track.json, the way out");
  return [options]() -> int {
    std::filesystem::path trackFile = options->output;
    if (fileFamilyOf(trackFile) != FileFamily::model)
      throw InputError(options->output, "extension '" + trackFile.extension().string() + "'",
                       "a generated model can only be written as .fitup; 'fitup convert' converts it");
    for (const auto& [option, models] : options->ofModels)
      if (option->count() > 0 && std::find(models.begin(), models.end(), options->name) == models.end())
        throw InputError(option->get_name(), options->name,
                         fmt::format("is not available; only for {}", fmt::join(models, ", ")));
    requireSafeOutputs({}, {{"OUT", options->output}});
    trackFile.replace_extension(".track.json");
    Model model;
    model.assembly = models::generate(options->name, options->model);
    const auto track = models::recordedTrack(options->name, model.assembly, options->model);
    if (track) requireSafeOutputs({}, {{"OUT", options->output}, {"track of OUT", trackFile.string()}});
    Console console(options->quiet);  // from here on Ctrl-C cancels; before, it ends the program
    try {
      model.collisionModels = buildCollisionModels(model.assembly, {}, console.progress(), allCores);
    } catch (const CancelledError&) {
      console.clear();
      sayTo(stderr, "fitup: cancelled; nothing was written\n");
      return exitIncomplete;
    }
    console.clear();
    writeModelFile(options->output, model, console.progress());
    say("model: {}\n", options->output);
    if (track) {
      writeTrack(trackFile, *track);
      say("track: {}\n", trackFile.string());
    }
    return exitNothingFound;
  };
}

}  // namespace fitup::cli
