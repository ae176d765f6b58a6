#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <fitup/io/model_file.h>
#include <fitup/scene/verify.h>

#include "output_files.h"

namespace fitup::cli {

/// The option --verify and the destination of differences.
struct VerificationOptions {
  bool verify = false;
  static constexpr const char* usualPrefix = "fitup-difference";
  std::string prefix = usualPrefix;

  void addTo(CLI::App& app);
  /// Appends the files of a reproduction if the user named them. Files of the default name may be replaced,
  /// also by the check of a reproduction.
  void addOutputs(std::vector<NamedFile>& outputs) const;
};

/// Prints how many pairs the oracle answered. Writes a difference as a reproduction, which `command` shows
/// ("{}" stands for the model file). Returns true if there is no difference.
bool reportVerification(const VerificationOptions& options, const VerificationReport& report,
                        const Model& model, const std::string& file, const std::string& command,
                        std::FILE* out = stdout);

/// The exit code of a verified result: an error if it is wrong; incomplete if the verification was cancelled
/// and nothing was found.
int exitCodeAfter(int exitCode, const VerificationReport& report);

}  // namespace fitup::cli
