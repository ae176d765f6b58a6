#pragma once

#include <memory>

#include <fitup/base/error.h>
#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/collision_model.h>

namespace FITUP_EXPORT fitup {

/// A model and where its part frame lies in the world. Shares the model; queries of none are an InputError.
struct PosedModel {
  std::shared_ptr<const CollisionModel> model;
  Transform worldFromPart;
};

/// Throws InputError where one is none.
inline void requireModels(const PosedModel& first, const PosedModel& second) {
  if (!first.model || !second.model) throw InputError("pair", "model", "is null");
}

}  // namespace fitup
