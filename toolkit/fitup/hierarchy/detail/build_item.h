#pragma once

#include <cstdint>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/geometry/vectors-inl.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup::detail {

/// A triangle, surface or shell while a tree is built: its box, with its number in a free lane.
struct BuildItem {
  Float4 min, max;

  [[nodiscard]] std::uint32_t id() const noexcept { return static_cast<std::uint32_t>(bits(min)[3]); }
  void setId(std::uint32_t id) noexcept {
    Int4 b = bits(min);
    b[3] = static_cast<std::int32_t>(id);
    min = __builtin_bit_cast(Float4, b);
  }
  /// Twice the centre of the box. The fourth lane is cleared, because the number in it is a denormal float,
  /// which is slow.
  [[nodiscard]] Float4 centre() const noexcept { return firstThree(min) + max; }

 private:
  static Int4 bits(Float4 v) noexcept { return __builtin_bit_cast(Int4, v); }
};

BuildItem itemOf(const TriangleMesh& mesh, std::uint32_t triangle);
/// Returns the items of all triangles, by id.
FITUP_EXPORT std::vector<BuildItem> triangleItems(const TriangleMesh& mesh, const WorkMeter& meter);

}  // namespace fitup::detail
