#pragma once

#include <memory>

#include <fitup/base/error.h>
#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/query/posed_model.h>

namespace FITUP_EXPORT fitup {

/// A solid and the pose of its part frame in the world. Shares ownership of the solid. Queries throw
/// InputError if the solid is null.
struct PosedSolid {
  std::shared_ptr<const SolidModel> solid;
  Transform worldFromPart;

  /// The model of the solid's boundary.
  [[nodiscard]] PosedModel posed() const noexcept { return {solid->sharedModel(), worldFromPart}; }
  /// The model of the part, with all triangles of its file.
  [[nodiscard]] PosedModel posedPart() const noexcept { return {solid->partModel(), worldFromPart}; }
  /// Maps a point from the local coordinates of the mesh to the world.
  [[nodiscard]] Vec3 inWorld(const Vec3& local) const noexcept {
    return worldFromPart.apply(solid->mesh().origin() + local);
  }
};

/// Throws InputError if a solid is null.
inline void requireSolids(const PosedSolid& first, const PosedSolid& second) {
  if (!first.solid || !second.solid) throw InputError("pair", "solid", "is null");
}

}  // namespace fitup
