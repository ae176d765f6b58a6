#pragma once

#include <filesystem>

#include "importer_main.h"
#include "raw_scene.h"

namespace fitup::importers {

/// Reads a 3DS file by assimp. Its nodes (of the keyframer, at the first key) are instances, or its objects
/// if it has no nodes; materials are surfaces. Objects and faces are counted independently, and indices are
/// checked; a warning names each object that does not arrive. The master scale is ignored, so numbers are
/// unchanged. Throws InputError.
RawScene read3ds(const std::filesystem::path& file, ProgressLines& progress);

}  // namespace fitup::importers
