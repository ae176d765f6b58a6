#pragma once

#include <filesystem>
#include <functional>
#include <ostream>

#include <fitup/base/progress.h>
#include <fitup/io/file_version.h>

namespace FITUP_EXPORT fitup {

/// Writes a file completely or not at all: into a temporary file in the same folder, which is flushed to disk
/// and then replaces the target. Throws FileError, which names the file and the system's reason, or whatever
/// `write` throws; the temporary file is then removed and the old file is unchanged. The stream uses the C
/// locale. Links are followed, the permissions of the old file are kept, and pipes and devices are written
/// directly.
///
/// A process that is killed at any moment leaves the old file or the new one, and at most one more file:
/// `.NAME.new`, which the next write reuses, or, on file systems without unnamed files,
/// `.NAME.PROCESS-NUMBER.tmp`, which a later write removes when it is an hour old.
///
/// `write` may throw to end the write. `progress` can end the flush, which takes long for large files, with
/// CancelledError.
void writeFileAtomically(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write,
                         const Progress& progress = {});

/// The same, but only if the file still has the version `expected`, as its last reader or writer saw it;
/// unset: no file. Otherwise throws FileChangedError and changes nothing. The folder is locked from this test
/// to the replacement, as in every write of this project over a file. Of two writers that expect the same
/// version, the second one therefore sees the file of the first. Throws FileError if another process holds
/// the lock for seconds. On file systems without such locks a gap remains.
void replaceFileAtomically(const std::filesystem::path& file, const FileVersion& expected,
                           const std::function<void(std::ostream&)>& write, const Progress& progress = {});

/// The file that such a write replaces or makes: `file` itself, or the target of the link. Throws FileError
/// for links that should not be followed: circular links; links to a file with another extension, which an
/// unpacked archive might contain (`out.json` to `.profile`); links to a file that a process has open
/// (/dev/stdout if that is a file); and links of another user in a folder to which anybody can write (/tmp),
/// which the kernel also refuses to open.
std::filesystem::path writtenFile(const std::filesystem::path& file);

}  // namespace fitup
