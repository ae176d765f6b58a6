#pragma once

#include <filesystem>

#include <fitup/scene/interference.h>

namespace FITUP_EXPORT fitup {

/// Writes all instances in the world as Wavefront OBJ, atomically: an object `o` for each instance, a group
/// `g` for each surface, coordinates in the assembly's unit with enough digits to read them back exactly.
///
/// Where something has a colour, each surface has a material by the colour of its instance, else its own, and
/// FILE.mtl (for FILE.obj, in the same folder) holds the materials; what has none bears "uncoloured". It is
/// replaced only if its first line says that this function wrote it, and after the OBJ file: materials are
/// named by their colours, so that none of an older library passes for one of a newer OBJ file. Parts without
/// instances, and names, colours and placements of subassemblies, are left out.
///
/// Throws FileError, with nothing written where FILE.mtl may not be replaced; InputError where its name
/// cannot stand in an OBJ file; CancelledError, with nothing written.
void writeObj(const std::filesystem::path& file, const Assembly& assembly, const Progress& progress = {});

/// Writes where the triangles of a check of the scene with these poses meet, in the world, as Wavefront OBJ,
/// atomically: an object for each pair of instances; a line `l` for each pair of triangles (closed around a
/// common area), a point `p` where they touch in one. Needs a report in the mode `allTrianglePairs` to be
/// complete. Throws FileError, and as `intersect`.
void writeIntersectionLines(const std::filesystem::path& file, const Scene& scene, const Poses& poses,
                            const InterferenceReport& report);

/// The same chained: a line `l` for each polyline or loop (`intersectionChains`), in groups `g` by the pair
/// of surfaces that its first stretch belongs to. Throws FileError, NotBuiltError and as
/// `intersectionChains`.
void writeIntersectionChains(const std::filesystem::path& file, const Scene& scene, const Poses& poses,
                             const InterferenceReport& report);

}  // namespace fitup
