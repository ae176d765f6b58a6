#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/io/detail/file_extension.h>
#include <fitup/io/gltf_export.h>
#include <fitup/io/mesh_export.h>
#include <fitup/io/model_file.h>
#include <fitup/io/track_file.h>

#include "commands.h"
#include "console.h"
#include "options.h"
#include "output_files.h"

namespace fitup::cli {
namespace {

/// The last file of a list that a shell made of `*.obj` is not meant to be written: what lies there already
/// is replaced only if files of the same names became it. (Of two names the second is the output in any
/// case.)
void requireMeant(const std::filesystem::path& output, const InputOptions& input) {
  std::error_code ignored;
  if (input.files.size() == 1 || !std::filesystem::exists(output, ignored)) return;
  if (detail::lowerExtension(output) == ".fitup")
    if (const auto source = readModelFileSource(output); source && source->path == input.fileList()) return;
  throw InputError(output.string(), "OUT",
                   "is there already; of several files the last one is written. Delete it if it is to be");
}

/// The list of files takes all of the command line, the output at its end too.
class UsageWithOutput : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(app, std::move(name));
    const std::string_view optional = "[OUT]";
    if (const std::size_t at = usage.find(optional); at != std::string::npos)
      usage.replace(at, optional.size(), "OUT");
    return usage;
  }
};

}  // namespace

Command addConvert(CLI::App& app) {
  auto options = std::make_shared<InputOptions>();
  CLI::App* command =
      app.add_subcommand("convert", "Write a model file, a mesh file, or a track in another format");
  options->addTo(*command, true);
  command
      ->add_option("OUT",
                   "Written: .fitup, .obj (with a .mtl for colours) or .glb; for a track .json or .csv")
      ->type_name("TEXT REQUIRED");
  command->formatter(std::make_shared<UsageWithOutput>());
  command->callback([options] {
    if (options->files.size() < 2) throw CLI::RequiredError("OUT");
  });
  command->footer(
      "Examples:\n"
      "  fitup convert assembly.step assembly.fitup --linear 0.05\n"
      "  fitup convert base.stl lid.stl screws.stl box.fitup\n"
      "  fitup convert assembly.step assembly.obj\n"
      "  fitup convert assembly.step assembly.glb\n"
      "  fitup convert motion.csv motion.json");
  return [options]() -> int {
    InputOptions input = *options;
    const std::filesystem::path output = input.files.back();
    input.files.pop_back();
    const std::string extension = detail::lowerExtension(output);
    const auto requireSafe = [&] { requireSafeOutputs(input.named(), {{"OUT", output.string()}}); };
    const auto isOfTrack = [](const std::string& e) { return e == ".json" || e == ".csv"; };
    if (isOfTrack(detail::lowerExtension(input.files.front()))) {
      if (input.files.size() > 1) throw InputError(input.files[1], "FILE", "a track is converted by itself");
      if (!isOfTrack(extension))
        throw InputError(output.string(), "extension '" + output.extension().string() + "'",
                         "a track is written as .json or .csv");
      requireSafe();
      writeTrack(output, readTrack(input.files.front()));
      say("track: {}\n", output.string());
      return exitNothingFound;
    }
    const bool isMesh = extension == ".obj" || extension == ".glb";
    if (extension != ".fitup" && !isMesh)
      throw InputError(output.string(), "extension '" + output.extension().string() + "'",
                       "a model is written as .fitup, .obj or .glb");
    requireSafe();
    requireMeant(output, input);
    Console console(input.quiet);
    const ProjectModel read = input.loadProject(console.progress());
    Model model = read.posed();
    console.clear();
    const bool incomplete = printWarnings(model, options->verbose);
    // What does not fit the project is told here, and is no matter of the model that is written.
    model.warnings.resize(model.warnings.size() - read.problems.size());
    if (extension == ".obj")
      writeObj(output, model.assembly, console.progress());
    else if (extension == ".glb")
      writeGltf(output, model.assembly, console.progress());
    else
      writeModelFile(output, model, console.progress());
    say("{}: {}\n", isMesh ? "mesh" : "model", output.string());
    return incomplete ? exitIncomplete : exitNothingFound;
  };
}

}  // namespace fitup::cli
