#pragma once

#include <filesystem>

#include "importer_main.h"
#include "raw_scene.h"

namespace fitup::importers {

/// Reads an Object File Format file (OFF, COFF, NOFF, STOFF and their combinations, as text) as one part,
/// named after the file. Each point has a line of its own; what follows its three coordinates (normal,
/// colour) is ignored, and so is the colour of a face. Coordinates are read in double precision.
///
/// Throws InputError that names the line: an invalid number, an index out of range, fewer points or faces
/// than announced, an unsupported form (binary, four or n coordinates). More faces than announced, and faces
/// of one or two corners, are warnings.
RawScene readOff(const std::filesystem::path& file, ProgressLines& progress);

}  // namespace fitup::importers
