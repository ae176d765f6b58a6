#pragma once

#include "importer_main.h"
#include "raw_scene.h"
#include "source_file.h"

namespace fitup::importers {

/// Reads a Wavefront OBJ file: objects are parts, groups (and the materials within them) are surfaces. Read
/// here and not by assimp, which turns groups into objects and rounds coordinates to 32 bits. Faces of more
/// than three corners are cut into triangles that share the face's index; normals are passed over. Surfaces
/// have the colours of their materials (`MaterialColours`). Points and lines are left out, free-form surfaces
/// and unknown statements are not read: there is a warning of each.
///
/// Throws InputError that names the line: a number that is none, an index out of range, a face of fewer than
/// three corners.
RawScene readObj(SourceFile& source, ProgressLines& progress);

}  // namespace fitup::importers
