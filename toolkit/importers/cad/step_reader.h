#pragma once

#include <filesystem>

#include <fitup/io/model_file.h>
#include <fitup/mesh/triangle_mesh.h>

#include "cad_options.h"
#include "importer_main.h"

namespace fitup::importers {

/// Reads a STEP file: the assembly tree with names, colours and placements in mm. Each distinct leaf shape is
/// tessellated once. Throws InputError or FileError with a message for the user.
Model readStep(SourceFile& source, const CadOptions& options, ProgressLines& progress);

}  // namespace fitup::importers
