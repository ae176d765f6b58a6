#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace fitup::cli {

/// The function that runs a subcommand after its options are registered; returns the exit code.
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
Command addCertify(CLI::App& app);
Command addVerifyCertificate(CLI::App& app);
Command addSweep(CLI::App& app);
Command addWayOut(CLI::App& app);

}  // namespace fitup::cli
