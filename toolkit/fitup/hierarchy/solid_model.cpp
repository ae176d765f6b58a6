#include <fitup/hierarchy/solid_model.h>

#include <utility>

#include <fitup/base/error.h>

namespace fitup {

SolidModel::SolidModel(std::shared_ptr<const CollisionModel> model, const WorkMeter& meter)
    : model_(std::move(model)),
      topology_(model_->mesh(), meter),
      watertightness_(model_->mesh(), topology_, meter) {
  (void)model_->wide();
}

std::shared_ptr<const SolidModel> SolidModel::build(std::shared_ptr<const CollisionModel> model,
                                                    const WorkMeter& meter) {
  if (!model) throw InputError("solid: no collision model");
  return std::shared_ptr<const SolidModel>(new SolidModel(std::move(model), meter));
}

}  // namespace fitup
