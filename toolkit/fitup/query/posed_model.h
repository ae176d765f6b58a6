#pragma once

#include <memory>

#include <fitup/base/error.h>
#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/collision_model.h>

namespace FITUP_EXPORT fitup {

/// A model and the pose of its part frame in the world. Shares ownership of the model. Queries throw
/// InputError if the model is null.
struct PosedModel {
  std::shared_ptr<const CollisionModel> model;
  Transform worldFromPart;
};

/// Throws InputError if a model is null.
inline void requireModels(const PosedModel& first, const PosedModel& second) {
  if (!first.model || !second.model) throw InputError("pair", "model", "is null");
}

}  // namespace fitup
