#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include <fitup/base/digest.h>
#include <fitup/base/work_meter.h>

namespace FITUP_EXPORT fitup {

/// Digest of the bytes of a regular file, read once from begin to end. Advances `meter` by one unit per byte.
/// Throws FileError (also if the file changed in the meantime) and CancelledError.
Digest digestOfFile(const std::filesystem::path& file, const WorkMeter& meter = {});

/// Copies a regular file into a new one that only this user can access. The digest is that of the copy, even
/// if `file` changes in the meantime. Throws FileError (also if `copy` exists) and CancelledError.
Digest copyWithDigest(const std::filesystem::path& file, const std::filesystem::path& copy,
                      const WorkMeter& meter = {});

/// Writes a new file that only this user can access. Throws FileError, also if the file exists.
void writeNewFile(const std::filesystem::path& file, std::span<const std::byte> bytes);

}  // namespace fitup
