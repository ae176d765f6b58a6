#pragma once

#include "importer_main.h"
#include "raw_scene.h"
#include "source_file.h"

namespace fitup::importers {

/// Reads a Wavefront OBJ file: objects are parts, groups (and the materials within them) are surfaces. It
/// does not use assimp, which turns groups into objects and rounds coordinates to 32 bits. Faces of more than
/// three corners are cut into triangles that share the face's index; normals are ignored. Surfaces have the
/// colours of their materials (`MaterialColours`). Points, lines, free-form surfaces and unknown statements
/// are left out, each kind with a warning.
///
/// Throws InputError that names the line: an invalid number, an index out of range, a face of fewer than
/// three corners.
RawScene readObj(SourceFile& source, ProgressLines& progress);

}  // namespace fitup::importers
