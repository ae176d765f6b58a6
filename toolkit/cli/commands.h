#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace fitup::cli {

/// A subcommand registers its options and hands back what runs it; the result is the exit code.
using Command = std::function<int()>;

Command addInfo(CLI::App& app);
Command addCache(CLI::App& app);
Command addCheck(CLI::App& app);
Command addReplay(CLI::App& app);
Command addGenerate(CLI::App& app);
Command addConvert(CLI::App& app);
Command addDiff(CLI::App& app);
Command addDistance(CLI::App& app);
Command addExplain(CLI::App& app);
Command addMates(CLI::App& app);
Command addFirstContact(CLI::App& app);

}  // namespace fitup::cli
