#pragma once

#include <cstddef>
#include <cstdint>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// Ordinal, from 0, of a surface in its part, in the order of the file (for CAD: the ordinal of the face).
enum class SurfaceId : std::uint32_t {};

/// Ordinal, from 0, of a triangle in its mesh; triangles are grouped by surface.
/// `TriangleMesh::sourceTriangle` returns the index in the source file.
enum class TriangleId : std::uint32_t {};

constexpr std::size_t index(SurfaceId id) noexcept { return static_cast<std::size_t>(id); }
constexpr std::size_t index(TriangleId id) noexcept { return static_cast<std::size_t>(id); }

}  // namespace fitup
