#pragma once

#include <memory>

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/collision_model.h>

namespace FITUP_EXPORT fitup {

/// A model and where its part frame lies in the world. Shares the model; queries of none are an InputError.
struct PosedModel {
  std::shared_ptr<const CollisionModel> model;
  Transform worldFromPart;
};

}  // namespace fitup
