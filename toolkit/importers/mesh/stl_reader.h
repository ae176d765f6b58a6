#pragma once

#include <filesystem>
#include <vector>

#include <fitup/io/model_file.h>

#include "importer_main.h"
#include "raw_part.h"

namespace fitup::importers {

/// Reads an STL file, binary or text; each solid of a text file is a part. Each facet is read completely, or
/// the file is refused with the line. Other text between facets and a missing end become warnings. Throws
/// InputError.
std::vector<RawPart> readStl(const std::filesystem::path& file, std::vector<ImportWarning>& warnings,
                             ProgressLines& progress);

}  // namespace fitup::importers
