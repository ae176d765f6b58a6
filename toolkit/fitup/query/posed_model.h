#pragma once

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/collision_model.h>

namespace FITUP_EXPORT fitup {

/// A model and where its part frame lies in the world. Does not own the model.
struct PosedModel {
  const CollisionModel& model;
  Transform worldFromPart;
};

}  // namespace fitup
