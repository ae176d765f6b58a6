#pragma once

#include <optional>
#include <string>

#include "importer_main.h"
#include "source_file.h"

namespace fitup::importers {

/// How the file of a mesh is taken.
struct MeshFileOptions {
  std::string unit = "mm";    ///< of the file's numbers: mm, cm, m, in, ft; glTF has metres
  UpAxis upAxis = UpAxis::z;  ///< of the file; glTF has y
  /// Largest angle within a surface in degrees, where the file has no groups; unset: one surface.
  std::optional<double> segmentationAngle = 30.0;
};

/// Reads a mesh file of any known extension; a part for each object, solid or mesh. Throws FileError, or
/// InputError that says what is wrong (without the file's name, which the caller knows).
Model readMeshFile(SourceFile& source, const MeshFileOptions& options, ProgressLines& progress);

}  // namespace fitup::importers
