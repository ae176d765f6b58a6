#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/detail/wide_bodies.h>
#include <fitup/hierarchy/detail/wide_split.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup::detail {

/// The surfaces of a mesh in pieces of up to eight triangles each. Surfaces that run alongside each other,
/// such as strips, make bad boxes as wholes; trees over their pieces need not keep each surface together.
/// Functions for different surfaces may be called at the same time.
class SurfacePieces {
 public:
  /// Keeps references to the arguments.
  SurfacePieces(const TriangleMesh& mesh, float unit, const WorkMeter& meter);

  /// Returns the pieces of some surfaces, if a tree over them may have a smaller area of boxes than one that
  /// splits by surfaces first; nothing if that is unlikely, or for few triangles. `surfaces` has items of
  /// `surfacesOf`, in any order.
  std::optional<Bodies> worthTrying(std::span<const BuildItem> surfaces,
                                    std::span<const std::uint32_t> weights);
  /// Returns the sum of the areas of the wide nodes below the node of a surface whose triangles are split by
  /// themselves.
  double areaBelow(std::uint32_t surface) { return of(surface).areaBelow; }

 private:
  struct Pieces {
    std::vector<BuildItem> items;  ///< one box each; ids count from 0
    std::vector<std::uint32_t> weights, triangles;
    double areaBelow = 0;
  };
  const Pieces& of(std::uint32_t surface);

  const TriangleMesh& mesh_;
  float unit_;
  const WorkMeter& meter_;
  std::vector<std::optional<Pieces>> pieces_;  ///< by surface
};

}  // namespace fitup::detail
