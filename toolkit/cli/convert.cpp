#include <filesystem>
#include <memory>
#include <system_error>

#include <fitup/base/error.h>
#include <fitup/io/detail/file_extension.h>
#include <fitup/io/mesh_export.h>
#include <fitup/io/track_file.h>

#include "commands.h"
#include "console.h"
#include "options.h"
#include "output_files.h"

namespace fitup::cli {
namespace {

/// What is written where a source's cache is kept would be replaced when the source is read the next time.
void requireNoCachesName(const std::filesystem::path& output) {
  const std::filesystem::path source = output.parent_path() / output.stem();
  std::error_code ignored;
  if (detail::lowerExtension(output) == ".fitup" && source.has_extension() &&
      std::filesystem::is_regular_file(source, ignored))
    throw InputError(output.string(), "name",
                     "is that of the cache of " + source.string() + ", which is written anew at will");
}

}  // namespace

Command addConvert(CLI::App& app) {
  struct Options {
    InputOptions input;
    std::string output;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("convert", "Write a model file, a mesh file, or a track in another format");
  options->input.addTo(*command, false);
  command->add_option("OUT", options->output, "Written: .fitup or .obj; for a track .json or .csv")
      ->required();
  command->footer(
      "Examples:\n"
      "  fitup convert assembly.step assembly.fitup --linear 0.05\n"
      "  fitup convert assembly.step assembly.obj\n"
      "  fitup convert motion.csv motion.json");
  return [options]() -> int {
    const std::filesystem::path output = options->output;
    const std::string& input = options->input.files.front();
    const std::string inputExtension = detail::lowerExtension(input);
    const std::string extension = detail::lowerExtension(output);
    const auto requireSafe = [&] { requireSafeOutputs({{"FILE", input}}, {{"OUT", options->output}}); };
    const auto isOfTrack = [](const std::string& e) { return e == ".json" || e == ".csv"; };
    if (isOfTrack(inputExtension)) {
      if (!isOfTrack(extension))
        throw InputError(output.string(), "extension '" + output.extension().string() + "'",
                         "a track is written as .json or .csv");
      requireSafe();
      writeTrack(output, readTrack(input));
      say("track: {}\n", output.string());
      return exitNothingFound;
    }
    if (extension != ".fitup" && extension != ".obj")
      throw InputError(output.string(), "extension '" + output.extension().string() + "'",
                       "a model is written as .fitup or .obj");
    requireSafe();
    requireNoCachesName(output);
    Console console(options->input.quiet);
    const Model model = options->input.load(console.progress());
    console.clear();
    const bool incomplete = printWarnings(model);
    if (extension == ".obj")
      writeObj(output, model.assembly);
    else
      writeModelFile(output, model, console.progress());
    say("{}: {}\n", extension == ".obj" ? "mesh" : "model", output.string());
    return incomplete ? exitIncomplete : exitNothingFound;
  };
}

}  // namespace fitup::cli
