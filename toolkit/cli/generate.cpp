#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include <fitup/io/track_file.h>
#include <models/model_list.h>

#include "commands.h"
#include "console.h"
#include "options.h"

namespace fitup::cli {

Command addGenerate(CLI::App& app) {
  struct Options {
    std::string name, output;
    models::GenerateOptions model;
    bool quiet = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("generate", "Make one of the project's own models");
  command->add_option("NAME", options->name, "plant, grid, torus, spheres or wrinkled")
      ->required()
      ->check(CLI::IsMember(models::names()));
  command->add_option("OUT", options->output, "Model file to write: .fitup")->required();
  command->add_flag("-q,--quiet", options->quiet, "No progress");
  command->add_option("--triangles", options->model.triangles,
                      "torus, spheres: the nearest count that the model has");
  command->add_option("--gap", options->model.gap, "spheres: difference of the radii 1 and 1 + gap")
      ->capture_default_str();
  command->add_option("--patches", options->model.patches, "torus, wrinkled: N x N surfaces")
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  fitup generate plant plant.fitup                    with its track plant.track.json\n"
      "  fitup generate torus torus.fitup --triangles 100000 --patches 16\n"
      "  fitup generate spheres spheres.fitup --gap 0.01");
  return [options]() -> int {
    Console console(options->quiet);
    Model model;
    model.assembly = models::generate(options->name, options->model);
    model.collisionModels = buildCollisionModels(model.assembly, {}, console.progress());
    writeModelFile(options->output, model);
    fmt::print("model: {}\n", options->output);
    if (const auto track = models::recordedTrack(options->name, model.assembly)) {
      std::filesystem::path file = options->output;
      file.replace_extension(".track.json");
      writeTrack(file, *track);
      fmt::print("track: {}\n", file.string());
    }
    return exitNothingFound;
  };
}

}  // namespace fitup::cli
