#pragma once

#include <cstddef>
#include <cstdint>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// Ordinal of a surface in its part, in the order of the file (for CAD: the ordinal of the face). From 0.
enum class SurfaceId : std::uint32_t {};

/// Ordinal of a triangle in its mesh; triangles are grouped by surface. `TriangleMesh::sourceTriangle` gives
/// the index in the source file. From 0.
enum class TriangleId : std::uint32_t {};

constexpr std::size_t index(SurfaceId id) noexcept { return static_cast<std::size_t>(id); }
constexpr std::size_t index(TriangleId id) noexcept { return static_cast<std::size_t>(id); }

}  // namespace fitup
