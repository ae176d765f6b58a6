#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <filesystem>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fitup/base/error.h>
#include <fitup/io/formats.h>

#include "commands.h"
#include "console.h"
#include "options.h"

namespace {

/// The first option on the command line that the subcommand does not have, or empty. The option library
/// processes positionals first, and then reports the value that it took for one of them.
std::string unknownOption(const CLI::App& subcommand, int argc, char** argv) {
  int at = 1;
  while (at < argc && argv[at] != subcommand.get_name()) ++at;
  for (++at; at < argc; ++at) {
    const std::string_view text = argv[at];
    if (text == "--") break;  // everything after it is a file or a path
    const bool isLong = text.size() > 2 && text.starts_with("--");
    const bool isShort =
        text.size() > 1 && text[0] == '-' && text[1] != '-' && !(text[1] >= '0' && text[1] <= '9');
    if (!isLong && !isShort) continue;
    const std::string name(isLong ? text.substr(0, text.find('=')) : text.substr(0, 2));
    const CLI::Option* option = subcommand.get_option_no_throw(name);
    if (option == nullptr) return name;
    const bool hasValueAttached = isLong ? name.size() < text.size() : text.size() > 2;
    if (!hasValueAttached) at += option->get_items_expected_min();
  }
  return {};
}

/// A hint for several model files given to a command that takes one; otherwise empty. Options are no problem
/// here, because unknown ones are reported first.
std::string hintForSeveralFiles(int argc, char** argv) {
  std::error_code ignored;
  int files = 0;
  for (int i = 2; i < argc; ++i) {
    const fitup::FileFormat* const format = fitup::formatOf(argv[i]);
    files += format != nullptr && format->isModel() && std::filesystem::exists(argv[i], ignored);
  }
  return files > 1 ? "; several model files are one assembly for 'fitup check', 'info' and 'convert' only "
                     "('fitup convert' makes one file of them)"
                   : "";
}

/// Prints the problem of the command line, and where to read more.
void sayUsageProblem(const CLI::App& app, int argc, char** argv, const CLI::ParseError& error) {
  using fitup::cli::sayTo;
  const auto parsed = app.get_subcommands();
  if (!parsed.empty()) {
    const std::string unknown = unknownOption(*parsed.front(), argc, argv);
    sayTo(stderr, "fitup: {}\n'fitup {} --help' shows options and examples\n",
          unknown.empty() ? error.what() + hintForSeveralFiles(argc, argv)
                          : fmt::format("'{}' is not an option of this command", unknown),
          parsed.front()->get_name());
  } else if (argc > 1) {
    sayTo(stderr, "fitup: '{}' is not {}; 'fitup --help' lists the commands\n", argv[1],
          argv[1][0] == '-' ? "an option" : "a command");
  } else {
    sayTo(stderr, "fitup: {}\n'fitup --help' lists the commands\n", error.what());
  }
}

int run(int argc, char** argv) {
  using namespace fitup::cli;
  CLI::App app{
      "Finds which surfaces and triangles of a CAD assembly intersect, exactly, at rest and in motion.\nExit "
      "codes: 0 nothing found, 1 interference found, 2 error, 3 nothing found but the answer is incomplete.",
      "fitup"};
  const auto version = [argc, argv] {
    std::string text = programName();
    const auto isVerbose = [](const char* word) {
      return word == std::string_view("--verbose") || word == std::string_view("-v");
    };
    if (std::any_of(argv + 1, argv + argc, isVerbose))
      for (const std::string& line : fitup::confinementOfImporters()) text += "\n" + line;
    return text;
  };
  bool verbose = false;
  app.set_version_flag("--version", version,
                       "Print the version; with --verbose also how importers are confined");
  app.add_flag("-v,--verbose", verbose, "Print more, with --version");
  app.require_subcommand(1);
  app.footer(
      "Examples:\n  fitup generate plant plant.fitup              writes the process plant and its track "
      "plant.track.json\n  fitup replay plant.fitup plant.track.json     checks every step of the recorded "
      "motion\n  fitup first-contact plant.fitup plant.track.json   finds when the motion first touches "
      "something\n  fitup check assembly.step --report out.json   checks every pair of parts in place\n  "
      "fitup distance assembly.step --within 0.5     lists what is nearer than a clearance, and where\n  "
      "fitup info assembly.step --tree               prints parts, faces, triangles, the tree\n'fitup "
      "COMMAND --help' shows the options and examples of a command.");
  const std::vector<std::pair<const CLI::App*, Command>> commands = [&] {
    std::vector<std::pair<const CLI::App*, Command>> list;
    for (Command (*add)(CLI::App&) :
         {addInfo, addCheck, addExplain, addDistance, addMates, addReplay, addFirstContact, addCertify,
          addVerifyCertificate, addSweep, addWayOut, addDiff, addGenerate, addConvert, addCache}) {
      Command command = add(app);
      list.emplace_back(app.get_subcommands({}).back(), std::move(command));
    }
    return list;
  }();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version end with 0; everything else is an error of the user.
    if (error.get_exit_code() == 0) {
      std::ostringstream text;
      app.exit(error, text, text);
      sayLines(text.str());
      return exitNothingFound;
    }
    sayUsageProblem(app, argc, argv, error);
    return exitError;
  }
  for (const auto& [subcommand, command] : commands)
    if (subcommand->parsed()) try {
        return command();
      } catch (const std::bad_alloc&) {
        const std::string phase = lastPhase();
        sayTo(stderr, "fitup: {}: out of memory{}{}\n", subcommand->get_name(), phase.empty() ? "" : ", ",
              phase);
        return exitError;
      }
  return exitError;
}

/// The exit code after all output is flushed: an answer that was not delivered is an error. A reader that
/// stops early (`| head`) causes no error.
int afterLastWrite(int exitCode) {
  const int error = fitup::cli::flushOutput();
  if (error == 0) return exitCode;
  if (error != EPIPE)
    fitup::cli::sayTo(stderr, "fitup: standard output: cannot write: {}\n",
                      std::generic_category().message(error));
  return fitup::cli::exitError;
}

}  // namespace

int main(int argc, char** argv) {
  using fitup::cli::sayTo;
  // A reader that stops early must not prevent the writing of files, and a limit on file sizes must not
  // prevent the answer.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return afterLastWrite(run(argc, argv));
  } catch (const fitup::CancelledError& error) {
    // Ctrl-C is not an error, but there is no answer.
    sayTo(stderr, "fitup: {}\n", error.what());
    return fitup::cli::exitIncomplete;
  } catch (const std::exception& error) {
    sayTo(stderr, "fitup: {}\n", error.what());
  }
  return fitup::cli::exitError;
}
