#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <fitup/io/model_file.h>
#include <fitup/scene/verify.h>

#include "output_files.h"

namespace fitup::cli {

/// --verify and where differences go.
struct VerificationOptions {
  bool verify = false;
  static constexpr const char* usualPrefix = "fitup-difference";
  std::string prefix = usualPrefix;

  void addTo(CLI::App& app);
  /// Appends the files of a reproduction where they were given a name of their own; those of the usual name
  /// are there to be replaced, also by the check of a reproduction.
  void addOutputs(std::vector<NamedFile>& outputs) const;
};

/// Says how many pairs the oracle has answered. A difference is written out as a reproduction, which
/// `command` shows ("{}" stands for the model file); true if there is none.
bool reportVerification(const VerificationOptions& options, const VerificationReport& report,
                        const Model& model, const std::string& file, const std::string& command,
                        std::FILE* out = stdout);

/// The exit code of an answer that was verified: an error if it is wrong, incomplete if the verification was
/// cancelled and nothing was found.
int exitCodeAfter(int exitCode, const VerificationReport& report);

}  // namespace fitup::cli
