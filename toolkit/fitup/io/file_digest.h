#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include <fitup/base/digest.h>
#include <fitup/base/work_meter.h>

namespace FITUP_EXPORT fitup {

/// Of a plain file's bytes, read once from begin to end; advances `meter` by a unit a byte. Throws FileError
/// (also if it changed meanwhile) and CancelledError.
Digest digestOfFile(const std::filesystem::path& file, const WorkMeter& meter = {});

/// Writes the bytes of a plain file into a new one, for the user alone: the digest is that of the copy,
/// whatever becomes of `file` meanwhile. Throws FileError (also where `copy` is there already) and
/// CancelledError.
Digest copyWithDigest(const std::filesystem::path& file, const std::filesystem::path& copy,
                      const WorkMeter& meter = {});

/// Writes a new file, for the user alone. Throws FileError, also where it is there already.
void writeNewFile(const std::filesystem::path& file, std::span<const std::byte> bytes);

}  // namespace fitup
