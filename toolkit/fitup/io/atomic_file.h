#pragma once

#include <filesystem>
#include <functional>
#include <ostream>

#include <fitup/base/progress.h>

namespace fitup {

/// Writes a file whole or not at all: into a temporary file in the same folder, flushed to disk, then put
/// over the target. Throws FileError that names the file and the system's reason, or what `write` throws; the
/// temporary file is then removed and the old file left as it was. The stream is in the C locale. A link is
/// followed, permissions of the old file are kept, pipes and devices are written directly.
///
/// A process that is killed at any moment leaves the old file or the new one, and at most one file more:
/// `.NAME.new`, which the next write takes over, or, where the file system has no files without names,
/// `.NAME.PROCESS-NUMBER.tmp`, which a write removes once it is an hour old.
///
/// `write` may throw what ends it; `progress` ends the flush, which takes long for large files, with
/// CancelledError.
void writeFileAtomically(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write,
                         const Progress& progress = {});

}  // namespace fitup
