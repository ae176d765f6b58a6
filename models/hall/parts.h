#pragma once

#include <cstdint>
#include <string>

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::models::hall {

enum class PartKind { beam, boredPlate, pipe, vessel, ring, panel };
inline constexpr int partKinds = 6;

/// "beam", "plate", ...
const char* name(PartKind kind) noexcept;

/// Kinds that can have about so many triangles: beams are coarse, plates stay below two thousand.
bool suits(PartKind kind, std::size_t triangles) noexcept;

/// One part of a kind whose shape and sizes are drawn from the seed, in millimetres: one closed solid,
/// tessellated with about so many triangles (a tenth off, more where there are few). Precondition: `suits`.
TriangleMesh makePart(PartKind kind, const std::string& name, std::size_t triangles, std::uint64_t seed);

}  // namespace fitup::models::hall
