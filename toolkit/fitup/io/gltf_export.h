#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include <fitup/base/progress.h>
#include <fitup/scene/assembly.h>

namespace FITUP_EXPORT fitup {

/// Bytes of the largest binary glTF file: its header counts them in 32 bits.
inline constexpr std::uint64_t largestGltf = UINT32_MAX;

/// The frame of glTF (metres, y up) from that of an assembly; nothing for a unit that is none of
/// `lengthUnits`.
std::optional<Transform> gltfFromWorld(std::string_view unit, UpAxis up) noexcept;

/// The member of `extras` that holds what this project notes beside what the format has.
inline constexpr const char* gltfNotes = "fitup";

/// Writes an assembly as binary glTF 2.0 (.glb), atomically: the tree of nodes with names and placements, a
/// mesh for each part, shared by its instances, and in it a primitive for each surface that has triangles, in
/// a material of its colour. An instance with a colour of its own shows a mesh that shares the part's
/// accessors. Corners are the 32-bit coordinates of the part, bit by bit; there are no normals, so that
/// viewers shade each triangle flat. Parts without instances are left out.
///
/// One node stands above all others: it has the assembly's name and takes its unit and up axis to glTF's
/// metres and y. A node whose placement shears has a node below it, for a node of glTF cannot shear alone.
/// Beside that, `extras` hold what glTF has no place for: names of surfaces, surfaces and parts without
/// triangles, the origin of a part, placements in double precision, and the colours as they were. The reader
/// believes those of them that agree with the rest of the file.
///
/// Throws FileError; CancelledError, with nothing written; InputError that names the file for a unit that is
/// none of `lengthUnits`, for a placement that 32 bits cannot hold (naming the node), and where the file
/// would have more than `largest` bytes.
void writeGltf(const std::filesystem::path& file, const Assembly& assembly, const Progress& progress = {},
               std::uint64_t largest = largestGltf);

}  // namespace fitup
