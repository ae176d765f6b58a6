#pragma once

#include <filesystem>

#include "importer_main.h"
#include "raw_scene.h"

namespace fitup::importers {

/// Reads a 3DS file by assimp: its nodes (of the keyframer, at the first key) are instances, or its objects
/// where it has none; materials are surfaces. Objects and faces are counted independently, indices checked;
/// what does not arrive becomes a warning that names the object. The master scale is passed over: the numbers
/// are what they are. Throws InputError.
RawScene read3ds(const std::filesystem::path& file, ProgressLines& progress);

}  // namespace fitup::importers
