#pragma once

#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>

#include <fitup/io/model_file.h>
#include <fitup/scene/verify.h>

namespace fitup::cli {

/// --verify and where differences go.
struct VerificationOptions {
  bool verify = false;
  std::string prefix = "fitup-difference";

  void addTo(CLI::App& app);
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
