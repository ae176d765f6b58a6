#include <fitup/hierarchy/body_model.h>

#include <utility>

#include <fitup/base/error.h>

namespace fitup {

BodyModel::BodyModel(std::shared_ptr<const CollisionModel> model, const WorkMeter& meter)
    : model_(std::move(model)),
      topology_(model_->mesh(), meter),
      closedness_(model_->mesh(), topology_, meter) {
  (void)model_->wide();
}

std::shared_ptr<const BodyModel> BodyModel::build(std::shared_ptr<const CollisionModel> model,
                                                  const WorkMeter& meter) {
  if (!model) throw InputError("body: no collision model");
  return std::shared_ptr<const BodyModel>(new BodyModel(std::move(model), meter));
}

}  // namespace fitup
