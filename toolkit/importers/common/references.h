#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace fitup::importers {

/// Where a name in a file leads, as a path from the file's folder in its shortest form ('/' or '\\' between
/// parts). Nothing for what is not below the folder, by its text or behind links, and for what cannot be a
/// path.
std::optional<std::filesystem::path> referenceBelow(const std::filesystem::path& folder,
                                                    std::string_view name);

}  // namespace fitup::importers
