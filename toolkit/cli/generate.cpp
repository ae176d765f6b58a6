#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/io/track_file.h>
#include <models/process_plant.h>

#include "commands.h"
#include "console.h"
#include "options.h"

namespace fitup::cli {

Command addGenerate(CLI::App& app) {
  struct Options {
    std::string name, output;
    bool quiet = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("generate", "Make one of the project's own models");
  command->add_option("NAME", options->name, "plant")->required();
  command->add_option("OUT", options->output, "Model file to write: .fitup")->required();
  command->add_flag("-q,--quiet", options->quiet, "No progress");
  command->footer("Examples:\n  fitup generate plant plant.fitup");
  return [options]() -> int {
    if (options->name != "plant") throw InputError("generate", options->name, "is no model");
    Console console(options->quiet);
    Model model;
    model.assembly = models::makeProcessPlant();
    model.collisionModels = buildCollisionModels(model.assembly, {}, console.progress());
    writeModelFile(options->output, model);
    fmt::print("model: {}\n", options->output);
    std::filesystem::path track = options->output;
    track.replace_extension(".track.json");
    writeTrack(track, models::makeSpoolTrack(model.assembly));
    fmt::print("track: {}\n", track.string());
    return exitNothingFound;
  };
}

}  // namespace fitup::cli
