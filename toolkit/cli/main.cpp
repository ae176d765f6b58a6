#include <exception>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fitup/base/error.h>

#include "commands.h"
#include "console.h"
#include "options.h"

namespace {

int run(int argc, char** argv) {
  using namespace fitup::cli;
  CLI::App app{
      "Which surfaces and triangles of a CAD assembly intersect, exactly, also while parts move.\n"
      "Exit codes: 0 nothing found, 1 interference found, 2 error, 3 nothing found but the answer is "
      "incomplete."};
  app.set_version_flag("--version", programName());
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  fitup generate plant plant.fitup              the process plant and its track plant.track.json\n"
      "  fitup replay plant.fitup plant.track.json     every step of the recorded motion\n"
      "  fitup check assembly.step --report out.json   every pair of parts in place\n"
      "  fitup info assembly.step --tree               parts, faces, triangles, the tree\n"
      "'fitup COMMAND --help' shows the options and examples of a command.");
  const std::vector<std::pair<const CLI::App*, Command>> commands = [&] {
    std::vector<std::pair<const CLI::App*, Command>> list;
    for (Command (*add)(CLI::App&) : {addInfo, addCheck, addReplay, addGenerate, addConvert}) {
      Command command = add(app);
      list.emplace_back(app.get_subcommands({}).back(), std::move(command));
    }
    return list;
  }();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version end with 0; everything else is an error of the caller.
    return app.exit(error) == 0 ? 0 : exitError;
  }
  for (const auto& [subcommand, command] : commands)
    if (subcommand->parsed()) return command();
  return exitError;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "fitup: {}\n", error.what());
  }
  return fitup::cli::exitError;
}
