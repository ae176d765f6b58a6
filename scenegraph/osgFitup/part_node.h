#pragma once

#include <memory>
#include <string>

#include <osg/Geometry>
#include <osg/MatrixTransform>

#include <fitup/geometry/transform.h>
#include <fitup/mesh/ids.h>
#include <osgFitup/part_model.h>

namespace FITUP_EXPORT osgFitup {

/// A drawable that shows one surface of a part: triangle k of the surface is its primitive k. A class of its
/// own so that the surface is known from a pick alone. It is made with user data (an empty object, to be
/// replaced by the user's), since that keeps osgUtil::Optimizer from merging it with others.
class SurfaceGeometry : public osg::Geometry {
 public:
  explicit SurfaceGeometry(fitup::SurfaceId surface = {});
  SurfaceGeometry(const SurfaceGeometry& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY)
      : osg::Geometry(other, copyop), surface_(other.surface_) {}
  META_Node(osgFitup, SurfaceGeometry)

  /// Ordinal in the part.
  [[nodiscard]] fitup::SurfaceId getSurface() const noexcept { return surface_; }
  void setSurface(fitup::SurfaceId surface) noexcept { surface_ = surface; }

 protected:
  ~SurfaceGeometry() override = default;

 private:
  fitup::SurfaceId surface_{};
};

/// An instance of a part: a transform (parentFromPart) above the part's drawables, which carries the part's
/// collision model, where the design puts it and its path in the assembly. Move it by `setMatrix`, in the
/// update phase, like any transform.
///
/// All instances of a part share its `PartModel` and its drawables. Copies share the model; what copyop
/// copies of the children does not matter to it. Dynamic by data variance, so that osgUtil::Optimizer does
/// not flatten it. Lengths are in the assembly's unit.
class PartNode : public osg::MatrixTransform {
 public:
  PartNode();
  /// In its design placement, where it is put.
  PartNode(PartModel* model, const fitup::Transform& designPlacement);
  PartNode(const PartNode& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
  META_Node(osgFitup, PartNode)

  void setPartModel(PartModel* model) { model_ = model; }
  [[nodiscard]] PartModel* getPartModel() noexcept { return model_.get(); }
  [[nodiscard]] const PartModel* getPartModel() const noexcept { return model_.get(); }
  /// What files hold: the model if it is saved (`PartModel::isSaved`), else null.
  [[nodiscard]] const PartModel* getSavedPartModel() const noexcept {
    return model_.valid() && model_->isSaved() ? model_.get() : nullptr;
  }
  /// Null as long as the node has no model.
  [[nodiscard]] std::shared_ptr<const fitup::CollisionModel> getCollisionModel() const;

  /// parentFromPart as the assembly gives it. Setting it moves nothing.
  void setDesignPlacement(const fitup::Transform& parentFromPart) { designPlacement_ = parentFromPart; }
  [[nodiscard]] const fitup::Transform& getDesignPlacement() const noexcept { return designPlacement_; }
  /// Back to the design placement.
  void resetPlacement();
  /// parentFromPart now. Throws fitup::PlacementError for a matrix with a projective part.
  [[nodiscard]] fitup::Transform getPlacement() const;
  void setPlacement(const fitup::Transform& parentFromPart);

  /// As in `fitup::Assembly`: names joined by '/'. Stays when the node is moved to another parent.
  void setInstancePath(std::string path) { instancePath_ = std::move(path); }
  [[nodiscard]] const std::string& getInstancePath() const noexcept { return instancePath_; }

  /// The drawable of a surface; null for one that is not there. Shared by all instances of the part.
  [[nodiscard]] osg::Drawable* getSurfaceDrawable(fitup::SurfaceId surface);

 protected:
  ~PartNode() override = default;

 private:
  osg::ref_ptr<PartModel> model_;
  fitup::Transform designPlacement_;
  std::string instancePath_;
};

}  // namespace osgFitup
