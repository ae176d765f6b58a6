#pragma once

#include <filesystem>

#include <fitup/scene/interference.h>

namespace FITUP_EXPORT fitup {

/// Writes all instances in the world as Wavefront OBJ, atomically: an object `o` for each instance, a group
/// `g` for each surface, and coordinates in the assembly's unit with enough digits to read them back exactly.
///
/// If anything has a colour, each surface gets a material of the colour of its instance or, without one, its
/// own. FILE.mtl (for FILE.obj, in the same folder) holds the materials; surfaces without a colour have the
/// material "uncoloured". The library is replaced only if its first line says that this function wrote it,
/// and after the OBJ file. Materials are named by their colours, so a material of an older library is never
/// taken for one of a newer OBJ file. Parts without instances, and names, colours and placements of
/// subassemblies, are omitted.
///
/// Throws FileError, with nothing written if FILE.mtl may not be replaced; InputError if the name of FILE.mtl
/// cannot occur in an OBJ file; CancelledError, with nothing written.
void writeObj(const std::filesystem::path& file, const Assembly& assembly, const Progress& progress = {});

/// Writes the triangles of all instances in the world as binary STL, atomically, with corners rounded to 32
/// bits and unit normals. STL has no names, surfaces, colours and units. Throws FileError; InputError for more
/// than 2^32 - 1 triangles; CancelledError, with nothing written.
void writeStl(const std::filesystem::path& file, const Assembly& assembly, const Progress& progress = {});

/// Writes, as Wavefront OBJ in the world, atomically, where the triangles of a check intersect: an object for
/// each pair of instances, a line `l` for each pair of triangles (closed around a common area), a point `p`
/// where they touch in one point. `scene` and `poses` are those of the check. The result is complete only for
/// a report in the mode `allTrianglePairs`. Throws FileError, and as `intersectionLines`.
void writeIntersectionLines(const std::filesystem::path& file, const Scene& scene, const Poses& poses,
                            const InterferenceReport& report);

/// The same with chained lines: a line `l` for each polyline or loop (`intersectionChains`), in groups `g` by
/// the pair of surfaces of its first piece. Throws FileError, NotBuiltError, and as `intersectionChains`.
void writeIntersectionChains(const std::filesystem::path& file, const Scene& scene, const Poses& poses,
                             const InterferenceReport& report);

}  // namespace fitup
