#pragma once

#include <optional>
#include <string>

#include "importer_main.h"
#include "source_file.h"

namespace fitup::importers {

/// Options of a mesh file.
struct MeshFileOptions {
  std::string unit = "mm";    ///< unit of the file's numbers: mm, cm, m, in, ft; glTF uses metres
  UpAxis upAxis = UpAxis::z;  ///< up axis of the file; glTF uses y
  /// Largest angle within a surface in degrees, if the file has no groups; unset: one surface.
  std::optional<double> segmentationAngle = 30.0;
};

/// Reads a mesh file of any known extension, with a part for each object, solid or mesh. Throws FileError, or
/// InputError with the reason (without the file's name, which the caller knows).
Model readMeshFile(SourceFile& source, const MeshFileOptions& options, ProgressLines& progress);

}  // namespace fitup::importers
