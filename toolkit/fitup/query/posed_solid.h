#pragma once

#include <memory>

#include <fitup/base/error.h>
#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/query/posed_model.h>

namespace FITUP_EXPORT fitup {

/// A solid and where its part frame lies in the world. Shares the solid; queries of none are an InputError.
struct PosedSolid {
  std::shared_ptr<const SolidModel> solid;
  Transform worldFromPart;

  [[nodiscard]] PosedModel posed() const noexcept { return {solid->sharedModel(), worldFromPart}; }
  /// A point in the local coordinates of the mesh, in the world.
  [[nodiscard]] Vec3 inWorld(const Vec3& local) const noexcept {
    return worldFromPart.apply(solid->mesh().origin() + local);
  }
};

/// Throws InputError where one is none.
inline void requireSolids(const PosedSolid& first, const PosedSolid& second) {
  if (!first.solid || !second.solid) throw InputError("pair", "solid", "is null");
}

}  // namespace fitup
