#pragma once

#include <filesystem>

#include "importer_main.h"
#include "raw_scene.h"

namespace fitup::importers {

/// Reads a Polygon File Format (Stanford PLY) file, text or binary of either byte order, as one part, named
/// after the file. It reads the elements `vertex` (x, y, z), `face` and `tristrips` (vertex_indices or
/// vertex_index). Other properties are ignored, and other elements too, with a warning. Coordinates are read
/// in double precision. A triangle's source is its face; the numbers of strips follow those of faces.
///
/// Throws InputError that names the element: an invalid number, an index out of range, data that ends before
/// the counts of the header are reached. Data after them, and faces of fewer than three corners, are
/// warnings.
RawScene readPly(const std::filesystem::path& file, ProgressLines& progress);

}  // namespace fitup::importers
