#include <fitup/hierarchy/body_model.h>

#include <utility>

namespace fitup {

BodyModel::BodyModel(std::shared_ptr<const CollisionModel> model)
    : model_(std::move(model)), topology_(model_->mesh()), closedness_(model_->mesh(), topology_) {
  (void)model_->wide();
}

std::shared_ptr<const BodyModel> BodyModel::build(std::shared_ptr<const CollisionModel> model) {
  return std::shared_ptr<const BodyModel>(new BodyModel(std::move(model)));
}

}  // namespace fitup
