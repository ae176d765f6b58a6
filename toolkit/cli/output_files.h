#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fitup::cli {

/// A file as the command line gives it, and the option or argument that it stands at: {"--report", "a.json"}.
/// One that was not given is empty.
struct NamedFile {
  std::string option, file;
};

/// To be called before a command reads or computes anything. Throws InputError for an output that leads,
/// through links too, to the same file as an input or another output, and FileError for one that cannot be
/// written where it is to go.
void requireSafeOutputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

/// Throws InputError for an output, if it was given, that has another extension than this one (".json").
void requireExtension(const NamedFile& output, const std::string& extension);

/// One NamedFile for each of `files`.
std::vector<NamedFile> namedFiles(const std::string& option, const std::vector<std::string>& files);

}  // namespace fitup::cli
