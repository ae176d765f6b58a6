#pragma once

#include <filesystem>
#include <functional>
#include <ostream>

namespace fitup {

/// Writes a file whole or not at all: into a temporary file in the same folder, flushed to disk, then renamed
/// over the target. Throws FileError that names the file and the system's reason, or what `write` throws; the
/// temporary file is then removed and the old file left as it was. A process that is killed at any moment
/// leaves the old file or the new one; where the file system has no files without names it also leaves
/// `.NAME.PROCESS-NUMBER.tmp`, which a later write of that file removes once it is an hour old. The stream is
/// in the C locale. A link is followed, permissions of the old file are kept, pipes and devices are written
/// directly.
void writeFileAtomically(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

}  // namespace fitup
