#pragma once

#include <filesystem>
#include <vector>

#include <fitup/io/model_file.h>

#include "importer_main.h"
#include "raw_part.h"

namespace fitup::importers {

/// Reads an STL file, binary or ASCII, by assimp: solids are parts. Facets are counted independently, since
/// the library passes over what it cannot read; a difference becomes a warning. Throws InputError.
std::vector<RawPart> readStl(const std::filesystem::path& file, std::vector<ImportWarning>& warnings,
                             ProgressLines& progress);

}  // namespace fitup::importers
