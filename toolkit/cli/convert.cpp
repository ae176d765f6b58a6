#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/io/formats.h>
#include <fitup/io/model_file.h>
#include <fitup/io/track_file.h>

#include "commands.h"
#include "console.h"
#include "options.h"
#include "output_files.h"

namespace fitup::cli {
namespace {

/// ".fitup, .obj, .stl or .glb"
std::string writtenExtensions() {
  return extensionList([](const FileFormat& format) { return format.write != nullptr; }, ", ", " or ");
}

/// Throws if the output may be accidental, such as the last file of a list that a shell made of `*.obj`: an
/// existing file is replaced only if it was made from files of the same names. (Of two names, the second is
/// always the output.)
void requireMeant(const std::filesystem::path& output, const InputOptions& input) {
  std::error_code ignored;
  if (input.files.size() == 1 || !std::filesystem::exists(output, ignored)) return;
  if (fileFamilyOf(output) == FileFamily::model)
    if (const auto source = readModelFileSource(output); source && source->path == input.fileList()) return;
  throw InputError(
      output.string(), "OUT",
      "already exists; with several files, the last one is the output. Delete it first to replace it");
}

/// The list of files takes the whole command line, including the output at its end.
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
  const std::string help =
      "Written: " + writtenExtensions() + " (.obj with a .mtl for colours); for a track " + trackExtensions();
  command->add_option("OUT", help)->type_name("TEXT REQUIRED");
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
    const auto refuse = [&](const std::string& written) {
      throw InputError(output.string(), "extension '" + output.extension().string() + "'", written);
    };
    const auto requireSafe = [&] { requireSafeOutputs(input.named(), {{"OUT", output.string()}}); };
    if (isTrackFile(input.files.front())) {
      if (input.files.size() > 1)
        throw InputError(input.files[1], "FILE", "a track cannot be converted together with other files");
      if (!isTrackFile(output)) refuse("a track can be written as " + trackExtensions());
      requireSafe();
      writeTrack(output, readTrack(input.files.front()));
      say("track: {}\n", output.string());
      return exitNothingFound;
    }
    const FileFormat* const format = formatOf(output);
    if (format == nullptr || format->write == nullptr)
      refuse("a model can be written as " + writtenExtensions());
    requireSafe();
    requireMeant(output, input);
    Console console(input.quiet);
    const ProjectModel read = input.loadProject(console.progress());
    Model model = read.posed();
    console.clear();
    const bool incomplete = printWarnings(model, options->verbose);
    // Problems of the project are reported here, and do not belong to the model that is written.
    model.warnings.resize(model.warnings.size() - read.problems.size());
    format->write(output, model, console.progress());
    say("{}: {}\n", format->family == FileFamily::model ? "model" : "mesh", output.string());
    return incomplete ? exitIncomplete : exitNothingFound;
  };
}

}  // namespace fitup::cli
