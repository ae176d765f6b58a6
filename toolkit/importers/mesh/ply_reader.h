#pragma once

#include <filesystem>

#include "importer_main.h"
#include "raw_scene.h"

namespace fitup::importers {

/// Reads a Polygon File Format (Stanford PLY) file, text or binary of either byte order: one part, named by
/// the file, of the elements `vertex` (x, y, z), `face` and `tristrips` (vertex_indices or vertex_index);
/// other elements and properties are passed over, with a word about elements. Coordinates are read in double
/// precision. A triangle's source is its face; strips count on behind the faces.
///
/// Throws InputError that names the element: a number that is none, an index out of range, data that ends
/// before the counts of the header are met. Data that goes on behind them, and faces of fewer than three
/// corners, are warnings.
RawScene readPly(const std::filesystem::path& file, ProgressLines& progress);

}  // namespace fitup::importers
