#pragma once

#include <filesystem>

#include <fitup/scene/assembly.h>

namespace fitup {

/// Writes all instances in the world as Wavefront OBJ, atomically: an object `o` for each instance, a group
/// `g` for each surface, coordinates in the assembly's unit with enough digits to read them back exactly.
/// Throws FileError.
void writeObj(const std::filesystem::path& file, const Assembly& assembly);

}  // namespace fitup
