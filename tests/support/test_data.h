#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

namespace fitup::test {

/// Returns a file of the shared test data, which is not part of the repository: below the folder in the
/// environment variable FITUP_DATA, otherwise below ../shared/data beside the sources. Empty if it is absent;
/// the test then prints "skipped: ..." and returns.
inline std::optional<std::filesystem::path> sharedData(std::string_view relative) {
  const char* root = std::getenv("FITUP_DATA");
  const std::filesystem::path path =
      (root != nullptr ? std::filesystem::path(root)
                       : std::filesystem::path(FITUP_SOURCE_DIR).parent_path() / "shared" / "data") /
      relative;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

}  // namespace fitup::test
