#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <fitup/motion/track.h>

namespace FITUP_EXPORT fitup {

/// True for the extensions of tracks, in any case.
bool isTrackFile(const std::filesystem::path& file);
/// ".json or .csv", with the given separators.
std::string trackExtensions(std::string_view between = ", ", std::string_view beforeLast = " or ");

/// Reads a track: JSON, or CSV if the extension is `.csv` in any case. docs/reference/track.md describes
/// both. Throws FileError, or InputError that names the file, the step and the field, also for a track
/// without steps.
Track readTrack(const std::filesystem::path& file);
/// Writes a track atomically, as JSON or CSV by the extension. Numbers are written so that reading gives the
/// same doubles. Throws FileError, and InputError for any other extension and for poses that cannot be read
/// back.
void writeTrack(const std::filesystem::path& file, const Track& track);

}  // namespace fitup
