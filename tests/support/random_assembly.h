#pragma once

#include <cstdint>

#include <fitup/scene/assembly.h>

namespace fitup::test {

/// Makes a seeded assembly of `instances` small parts in a crowd, so that many of them intersect. It has
/// nested subassemblies, several roots, names that need escaping and names that siblings share, every class
/// of placement (also mirrored and scaled), PartIds that share a mesh, meshes used more than once, and a part
/// without triangles.
Assembly randomAssembly(std::uint64_t seed, std::uint32_t instances);

}  // namespace fitup::test
