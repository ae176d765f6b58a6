#include <fitup/hierarchy/solid_model.h>

#include <algorithm>
#include <utility>

#include <fitup/base/count_text.h>
#include <fitup/base/error.h>
#include <fitup/base/rounding.h>
#include <fitup/base/text.h>
#include <fitup/hierarchy/detail/find_cavities.h>
#include <fitup/hierarchy/detail/outer_boundary.h>

namespace fitup {

SolidModel::SolidModel(std::shared_ptr<const CollisionModel> model, const WorkMeter& meter)
    : part_(std::move(model)), model_(part_), topology_(part_->mesh(), meter) {
  (void)part_->wide();
  BoundaryMesh boundary = boundaryMesh(part_->sharedMesh(), topology_, meter);
  repairs_ = boundary.repairs;
  if (repairs_.any()) {
    model_ = CollisionModel::build(std::move(boundary.mesh), {}, meter);
    topology_ = MeshTopology(model_->mesh(), meter);
  }
  watertightness_ = Watertightness(model_->mesh(), topology_, meter);
  const auto& components = watertightness_.components();
  if (std::count_if(components.begin(), components.end(), [](const auto& c) { return c.closed(); }) > 1)
    watertightness_ = watertightness_.withCavities(
        topology_, detail::findCavities(*model_, topology_, watertightness_, meter));
}

std::shared_ptr<const SolidModel> SolidModel::build(std::shared_ptr<const CollisionModel> model,
                                                    const WorkMeter& meter) {
  if (!model) throw InputError("solid: no collision model");
  return std::shared_ptr<const SolidModel>(new SolidModel(std::move(model), meter));
}

const Walls& SolidModel::walls() const {
  std::call_once(wallsOnce_, [&] { walls_.emplace(*model_, topology_, watertightness_); });
  return *walls_;
}

const CollisionModel& SolidModel::outer() const {
  std::call_once(outerOnce_, [&] {
    auto mesh = detail::outerBoundary(*model_, topology_, watertightness_);
    outer_ = mesh ? CollisionModel::build(std::move(mesh)) : model_;
  });
  return *outer_;
}

const SurfacePatches& SolidModel::patches() const {
  std::call_once(patchesOnce_, [&] { patches_.emplace(outer().mesh()); });
  return *patches_;
}

std::string text(const SolidModel& solid) {
  std::string result = text(solid.watertightness());
  const BoundaryRepairs& repairs = solid.repairs();
  const auto add = [&](std::uint32_t count, const char* one, const char* many, const std::string& what) {
    if (count > 0) result += ", " + countText(count, one, many) + what;
  };
  add(repairs.duplicateTriangles, "duplicate triangle", "duplicate triangles", " counted once");
  add(repairs.cancelledTriangles, "triangle", "triangles", " cancelled by others of opposite sense");
  add(repairs.doubleSidedTriangles, "triangle", "triangles", " of a second skin left out");
  add(repairs.joinedPoints, "point", "points", " joined");
  add(repairs.insertedPoints, "point", "points", " inserted into edges");
  if (repairs.joinedPoints + repairs.insertedPoints > 0)
    result += " (within " + numberText(roundedUp(repairs.joinedWithin)) + ")";
  return result;
}

}  // namespace fitup
