#pragma once

#include "importer_main.h"
#include "raw_scene.h"
#include "source_file.h"

namespace fitup::importers {

/// Reads glTF 2.0 (.gltf with its buffers, .glb) by assimp: the nodes of the default scene, with a part for
/// each mesh, whose primitives are surfaces. The unit is the metre and y is up, as the specification
/// requires. The declarations of the file are counted independently; triangles that the library leaves out
/// become a warning. A file that `writeGltf` wrote is read as the original assembly (`GltfNotes`), in its
/// unit and with its up axis.
///
/// Throws InputError: not glTF 2, damaged, required extensions that change the geometry and are not read
/// (compression, quantization), a missing buffer file.
RawScene readGltf(SourceFile& source, ProgressLines& progress);

}  // namespace fitup::importers
