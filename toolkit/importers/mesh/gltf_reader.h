#pragma once

#include "importer_main.h"
#include "raw_scene.h"
#include "source_file.h"

namespace fitup::importers {

/// Reads glTF 2.0 (.gltf with its buffers, .glb) by assimp: the nodes of the default scene, a part for each
/// mesh, its primitives are surfaces. Metres, y up, as the specification fixes it. What the file declares is
/// counted independently; triangles that the library leaves out become a warning. Files that `writeGltf`
/// wrote are read as the assembly that it was given (`GltfNotes`), in its unit and with its up axis.
///
/// Throws InputError: not glTF 2, damaged, extensions required that change the geometry and are not read
/// (compression, quantization), a buffer file that is missing.
RawScene readGltf(SourceFile& source, ProgressLines& progress);

}  // namespace fitup::importers
