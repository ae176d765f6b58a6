#pragma once

#include <cstdint>

#include <fitup/scene/assembly.h>

namespace fitup::test {

/// A seeded assembly of `instances` small parts in a crowd, so that many of them intersect: nested
/// subassemblies, several roots, names that need escaping and names that siblings share, every class of
/// placement (mirrored and scaled too), PartIds that share a mesh, meshes used more than once, a part without
/// triangles.
Assembly randomAssembly(std::uint64_t seed, std::uint32_t instances);

}  // namespace fitup::test
