#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fitup/base/error.h>

#include "commands.h"
#include "console.h"
#include "options.h"

namespace {

/// What is wrong with the command line, and where to read on.
std::string usageProblem(const CLI::App& app, int argc, char** argv, const CLI::ParseError& error) {
  const auto parsed = app.get_subcommands();
  if (!parsed.empty())
    return fmt::format("{}\n'fitup {} --help' shows options and examples", error.what(),
                       parsed.front()->get_name());
  if (argc > 1)
    return fmt::format("'{}' is no {}; 'fitup --help' lists the commands", argv[1],
                       argv[1][0] == '-' ? "option here" : "command");
  return fmt::format("{}\n'fitup --help' lists the commands", error.what());
}

int run(int argc, char** argv) {
  using namespace fitup::cli;
  CLI::App app{
      "Which surfaces and triangles of a CAD assembly intersect, exactly, also while parts move.\n"
      "Exit codes: 0 nothing found, 1 interference found, 2 error, 3 nothing found but the answer is "
      "incomplete.",
      "fitup"};
  app.set_version_flag("--version", programName());
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  fitup generate plant plant.fitup              the process plant and its track plant.track.json\n"
      "  fitup replay plant.fitup plant.track.json     every step of the recorded motion\n"
      "  fitup first-contact plant.fitup plant.track.json   when the motion first touches something\n"
      "  fitup check assembly.step --report out.json   every pair of parts in place\n"
      "  fitup distance assembly.step --within 0.5     what is nearer than a clearance, and where\n"
      "  fitup info assembly.step --tree               parts, faces, triangles, the tree\n"
      "'fitup COMMAND --help' shows the options and examples of a command.");
  const std::vector<std::pair<const CLI::App*, Command>> commands = [&] {
    std::vector<std::pair<const CLI::App*, Command>> list;
    for (Command (*add)(CLI::App&) : {addInfo, addCheck, addExplain, addDistance, addMates, addReplay,
                                      addFirstContact, addDiff, addGenerate, addConvert}) {
      Command command = add(app);
      list.emplace_back(app.get_subcommands({}).back(), std::move(command));
    }
    return list;
  }();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version end with 0; everything else is an error of the caller.
    if (error.get_exit_code() == 0) return app.exit(error);
    fmt::print(stderr, "fitup: {}\n", usageProblem(app, argc, argv, error));
    return exitError;
  }
  for (const auto& [subcommand, command] : commands)
    if (subcommand->parsed()) return command();
  return exitError;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const fitup::ImportError& error) {
    fmt::print(stderr, "fitup: {}\n", error.what());
    // Ctrl-C while a file is read is no error of anybody, but nothing was answered.
    if (error.what() == std::string_view("cancelled")) return fitup::cli::exitIncomplete;
  } catch (const fitup::CancelledError& error) {
    fmt::print(stderr, "fitup: {}\n", error.what());
    return fitup::cli::exitIncomplete;
  } catch (const std::exception& error) {
    fmt::print(stderr, "fitup: {}\n", error.what());
  }
  return fitup::cli::exitError;
}
