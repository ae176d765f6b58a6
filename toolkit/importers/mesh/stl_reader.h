#pragma once

#include <filesystem>
#include <vector>

#include <fitup/io/model_file.h>

#include "importer_main.h"
#include "raw_part.h"

namespace fitup::importers {

/// Reads an STL file, binary or text; each solid of a text file is a part. A facet is read whole or the file
/// is refused with the line; what stands between facets and is none, and an end that is missing, become
/// warnings. Throws InputError.
std::vector<RawPart> readStl(const std::filesystem::path& file, std::vector<ImportWarning>& warnings,
                             ProgressLines& progress);

}  // namespace fitup::importers
