#pragma once

#include <filesystem>

#include <fitup/io/model_file.h>
#include <fitup/mesh/triangle_mesh.h>

#include "cad_options.h"
#include "importer_main.h"

namespace fitup::importers {

/// Reads an IGES file: its shapes with names and colours, in mm. Loose faces (in a file of surfaces without
/// solids) become one part. Throws InputError or FileError with a message for the user.
Model readIges(const SourceFile& source, const CadOptions& options, ProgressLines& progress);

}  // namespace fitup::importers
