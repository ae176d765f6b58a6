#pragma once

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/body_model.h>
#include <fitup/query/posed_model.h>

namespace FITUP_EXPORT fitup {

/// A body and where its part frame lies in the world. Does not own the body.
struct PosedBody {
  const BodyModel& body;
  Transform worldFromPart;

  [[nodiscard]] PosedModel posed() const noexcept { return {body.model(), worldFromPart}; }
  /// A point in the local coordinates of the mesh, in the world.
  [[nodiscard]] Vec3 inWorld(const Vec3& local) const noexcept {
    return worldFromPart.apply(body.mesh().origin() + local);
  }
};

}  // namespace fitup
