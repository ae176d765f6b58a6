#pragma once

#include <cstdint>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/geometry/vectors-inl.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup::detail {

/// A triangle, a surface or a shell while a tree is built: its box, in the free lane of which stands its
/// number.
struct BuildItem {
  Float4 min, max;

  [[nodiscard]] std::uint32_t id() const noexcept { return static_cast<std::uint32_t>(bits(min)[3]); }
  void setId(std::uint32_t id) noexcept {
    Int4 b = bits(min);
    b[3] = static_cast<std::int32_t>(id);
    min = __builtin_bit_cast(Float4, b);
  }
  /// Twice the box's centre. The fourth lane is cleared: read as a float, a number is denormal and slow.
  [[nodiscard]] Float4 centre() const noexcept { return firstThree(min) + max; }

 private:
  static Int4 bits(Float4 v) noexcept { return __builtin_bit_cast(Int4, v); }
};

BuildItem itemOf(const TriangleMesh& mesh, std::uint32_t triangle);
/// Those of all triangles, by id.
FITUP_EXPORT std::vector<BuildItem> triangleItems(const TriangleMesh& mesh, const WorkMeter& meter);

}  // namespace fitup::detail
