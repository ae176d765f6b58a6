#pragma once

#include <filesystem>
#include <functional>
#include <ostream>

namespace fitup {

/// Writes a file whole or not at all: into a temporary file in the same folder, flushed to disk, then renamed over the
/// target. Throws FileError that names the file and the system's reason; the temporary file is then removed.
void writeFileAtomically(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

}  // namespace fitup
