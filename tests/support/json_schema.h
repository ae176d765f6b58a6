#pragma once

#include <filesystem>
#include <string>

#include "run_program.h"

namespace fitup::test {

/// False, so that a test has to skip and say so, if the validator is not installed (python3-jsonschema).
inline bool canValidateJson() {
  return std::filesystem::exists("/usr/bin/python3") &&
         runProgram("/usr/bin/python3", {"-c", "import jsonschema"}, {}).exitCode == 0;
}

/// Returns what is wrong with a file by a schema of docs/reference; empty if nothing is. Precondition:
/// `canValidateJson`.
inline std::string problemBySchema(const std::string& schema, const std::filesystem::path& file) {
  const char* validate =
      "import json, sys, jsonschema\n"
      "schema = json.load(open(sys.argv[1]))\n"
      "jsonschema.Draft202012Validator.check_schema(schema)\n"
      "jsonschema.validate(json.load(open(sys.argv[2])), schema, jsonschema.Draft202012Validator)\n";
  const ProgramResult result = runProgram(
      "/usr/bin/python3",
      {"-c", validate, std::string(FITUP_SOURCE_DIR) + "/docs/reference/" + schema, file.string()}, {});
  return result.exitCode == 0 ? std::string() : "not valid: " + result.text();
}

}  // namespace fitup::test
