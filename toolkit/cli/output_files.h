#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fitup::cli {

/// A file on the command line, and its option or argument: {"--report", "a.json"}. Empty if it is not given.
struct NamedFile {
  std::string option, file;
};

/// Call this before a command reads or computes anything. Throws InputError for an output that leads, also
/// through links, to the same file as an input or another output, and FileError for one that cannot be
/// written there.
void requireSafeOutputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

/// Throws InputError for a given output whose extension is not `extension` (".json").
void requireExtension(const NamedFile& output, const std::string& extension);

/// Returns one NamedFile for each of `files`.
std::vector<NamedFile> namedFiles(const std::string& option, const std::vector<std::string>& files);

}  // namespace fitup::cli
