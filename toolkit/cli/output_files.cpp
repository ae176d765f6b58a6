#include "output_files.h"

#include <unistd.h>
#include <cerrno>
#include <system_error>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/io/atomic_file.h>
#include <fitup/io/formats.h>

namespace fitup::cli {
namespace {

namespace fs = std::filesystem;

/// Writing to devices and pipes overwrites nothing.
bool isDevice(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// The place of an existing or future file. Links that no output may follow stand for themselves.
fs::path placeOf(const fs::path& file, std::error_code& error) {
  fs::path written = file;
  try {
    written = writtenFile(file);
  } catch (const FileError&) {
    // The problem is reported when the file is written.
  }
  return fs::weakly_canonical(fs::absolute(written, error), error);
}

/// Hard links are one file too: a user who overwrites one does not expect the other to keep its contents.
bool leadToOneFile(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::exists(a, error) && fs::exists(b, error)) return fs::equivalent(a, b, error) && !isDevice(a);
  const fs::path first = placeOf(a, error);
  return !error && first == placeOf(b, error) && !error;
}

void requireWritable(const NamedFile& output) {
  const auto fail = [&](int error) {
    throw FileError(fmt::format("{}: {}: cannot write: {}", output.option, output.file,
                                std::generic_category().message(error)));
  };
  std::error_code error;
  if (fs::is_block_file(output.file, error)) fail(ENOTSUP);
  if (isDevice(output.file)) return;
  fs::path target;
  try {
    target = writtenFile(output.file);
  } catch (const FileError& problem) {
    throw FileError(output.option + ": " + problem.what());
  }
  if (fs::is_directory(target, error)) fail(EISDIR);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (::access((folder / ".").c_str(), W_OK | X_OK) != 0) fail(errno);
}

}  // namespace

void requireSafeOutputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const NamedFile& output = outputs[i];
    if (output.file.empty()) continue;
    for (const NamedFile& input : inputs)
      if (!input.file.empty() && leadToOneFile(output.file, input.file))
        throw InputError(output.option, output.file,
                         fmt::format("would overwrite {} ({})", input.option, input.file));
    for (std::size_t k = 0; k < i; ++k)
      if (!outputs[k].file.empty() && leadToOneFile(output.file, outputs[k].file))
        throw InputError(output.option, output.file,
                         fmt::format("would overwrite {} ({})", outputs[k].option, outputs[k].file));
    requireWritable(output);
  }
}

void requireExtension(const NamedFile& output, const std::string& extension) {
  if (!output.file.empty() && lowerExtension(output.file) != extension)
    throw InputError(output.option, output.file,
                     fmt::format("has an unsupported extension; use {}", extension));
}

std::vector<NamedFile> namedFiles(const std::string& option, const std::vector<std::string>& files) {
  std::vector<NamedFile> result;
  for (const std::string& file : files) result.push_back({option, file});
  return result;
}

}  // namespace fitup::cli
