#pragma once

#include <filesystem>
#include <functional>
#include <ostream>

#include <fitup/base/progress.h>
#include <fitup/io/file_version.h>

namespace FITUP_EXPORT fitup {

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

/// The same where the file is still what it was when somebody looked: `expected`, of whoever read or wrote it
/// last; unset: no file. Otherwise throws FileChangedError and leaves all as it is. From the look at the file
/// to its replacement the folder is locked, as for every write of this project over a file, so that of two
/// that expect the same the second one sees what the first one wrote. FileError where somebody else holds the
/// lock for seconds. File systems without such locks leave a moment in between.
void replaceFileAtomically(const std::filesystem::path& file, const FileVersion& expected,
                           const std::function<void(std::ostream&)>& write, const Progress& progress = {});

/// The file that such a write replaces or makes: `file` itself, or what it leads to as a link. Throws
/// FileError for links that should not be followed: in a circle; to a file of another extension, as a link of
/// an unpacked archive might (`out.json` to `.profile`); to a file that a process has open (/dev/stdout where
/// that is a file); and links that another user put into a folder where everybody may write (/tmp), as the
/// kernel refuses them to whoever opens a file.
std::filesystem::path writtenFile(const std::filesystem::path& file);

}  // namespace fitup
