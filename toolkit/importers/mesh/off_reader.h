#pragma once

#include <filesystem>

#include "importer_main.h"
#include "raw_scene.h"

namespace fitup::importers {

/// Reads an Object File Format file (OFF, COFF, NOFF, STOFF and their mixtures, as text): one part, named by
/// the file. A point stands on a line of its own, what follows its three coordinates (normal, colour) is
/// passed over, as is the colour of a face. Coordinates are read in double precision.
///
/// Throws InputError that names the line: a number that is none, an index out of range, fewer points or faces
/// than announced, a form that is not read (binary, four or n coordinates). More faces than announced, and
/// faces of one or two corners, are warnings.
RawScene readOff(const std::filesystem::path& file, ProgressLines& progress);

}  // namespace fitup::importers
