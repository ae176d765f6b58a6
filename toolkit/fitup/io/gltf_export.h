#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include <fitup/base/progress.h>
#include <fitup/scene/assembly.h>

namespace FITUP_EXPORT fitup {

/// Maximum size in bytes of a binary glTF file: its header has 32 bits for it.
inline constexpr std::uint64_t largestGltf = UINT32_MAX;

/// The transform from the frame of an assembly to that of glTF (metres, y up). Empty for a unit outside
/// `lengthUnits`.
std::optional<Transform> gltfFromWorld(std::string_view unit, UpAxis up) noexcept;

/// The member of `extras` for data of this project that glTF has no place for.
inline constexpr const char* gltfNotes = "fitup";

/// Writes an assembly as binary glTF 2.0 (.glb), atomically: the tree of nodes with names and placements, and
/// a mesh for each part, shared by its instances. A mesh has a primitive for each surface with triangles,
/// with a material of its colour. An instance with a colour of its own has a mesh that shares the accessors
/// of the part. Corners are the 32-bit coordinates of the part, bit for bit. There are no normals, so viewers
/// shade each triangle flat. Parts without instances are omitted.
///
/// One root node has the assembly's name and converts its unit and up axis to metres and y. A node whose
/// placement shears gets an extra node below it, because a single glTF node cannot shear. `extras` hold what
/// glTF has no place for: names of surfaces, surfaces and parts without triangles, the origin of a part,
/// placements in double precision, and the original colours. The reader uses those that agree with the rest
/// of the file.
///
/// Throws FileError, and CancelledError with nothing written. Throws InputError, which names the file, for a
/// unit outside `lengthUnits`, for a placement that 32 bits cannot hold (naming the node), and for a file of
/// more than `largest` bytes.
void writeGltf(const std::filesystem::path& file, const Assembly& assembly, const Progress& progress = {},
               std::uint64_t largest = largestGltf);

}  // namespace fitup
