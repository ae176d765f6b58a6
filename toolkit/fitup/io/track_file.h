#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <fitup/motion/track.h>

namespace FITUP_EXPORT fitup {

/// True for the extensions of tracks, in capitals too.
bool isTrackFile(const std::filesystem::path& file);
/// ".json or .csv", or with other words between.
std::string trackExtensions(std::string_view between = ", ", std::string_view beforeLast = " or ");

/// Reads a track: JSON (this project's), or CSV by the extension `.csv` (in capitals too). Throws FileError,
/// or InputError that names file, step and field; a track without steps is one. docs/reference/track.md
/// describes both.
Track readTrack(const std::filesystem::path& file);
/// Writes atomically, JSON or CSV by the extension. Numbers are written so that reading gives the same
/// doubles. Throws InputError for another extension and for poses that cannot be read back, FileError.
void writeTrack(const std::filesystem::path& file, const Track& track);

}  // namespace fitup
