#pragma once

#include <memory>
#include <string>

#include <osg/Geometry>
#include <osg/MatrixTransform>

#include <fitup/geometry/transform.h>
#include <fitup/mesh/ids.h>
#include <osgFitup/part_model.h>

namespace FITUP_EXPORT osgFitup {

/// A drawable that shows one surface of a part: triangle k of the surface is its primitive k. It is a
/// separate class so that a pick alone identifies the surface. It is created with an empty object as user
/// data, which you may replace, because user data keep osgUtil::Optimizer from merging it with others.
class SurfaceGeometry : public osg::Geometry {
 public:
  explicit SurfaceGeometry(fitup::SurfaceId surface = {});
  SurfaceGeometry(const SurfaceGeometry& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY)
      : osg::Geometry(other, copyop), surface_(other.surface_) {}
  META_Node(osgFitup, SurfaceGeometry)

  /// The index of the surface in the part.
  [[nodiscard]] fitup::SurfaceId getSurface() const noexcept { return surface_; }
  void setSurface(fitup::SurfaceId surface) noexcept { surface_ = surface; }

 protected:
  ~SurfaceGeometry() override = default;

 private:
  fitup::SurfaceId surface_{};
};

/// An instance of a part: a transform (parentFromPart) above the part's drawables. It carries the part's
/// collision model, the design placement and the instance path in the assembly. Move it with `setMatrix`, in
/// the update phase, like any transform.
///
/// All instances of a part share its `PartModel` and its drawables. Copies share the model, however copyop
/// copies the children. The data variance is DYNAMIC, so that osgUtil::Optimizer does not flatten the node.
/// Lengths are in the unit of the assembly.
class PartNode : public osg::MatrixTransform {
 public:
  PartNode();
  /// Places the node in its design placement.
  PartNode(PartModel* model, const fitup::Transform& designPlacement);
  PartNode(const PartNode& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
  META_Node(osgFitup, PartNode)

  void setPartModel(PartModel* model) { model_ = model; }
  [[nodiscard]] PartModel* getPartModel() noexcept { return model_.get(); }
  [[nodiscard]] const PartModel* getPartModel() const noexcept { return model_.get(); }
  /// The model that files store: the node's model if it is saved (`PartModel::isSaved`), otherwise null.
  [[nodiscard]] const PartModel* getSavedPartModel() const noexcept {
    return model_.valid() && model_->isSaved() ? model_.get() : nullptr;
  }
  /// Null while the node has no model.
  [[nodiscard]] std::shared_ptr<const fitup::CollisionModel> getCollisionModel() const;

  /// parentFromPart according to the assembly. The setter does not move the node.
  void setDesignPlacement(const fitup::Transform& parentFromPart) { designPlacement_ = parentFromPart; }
  [[nodiscard]] const fitup::Transform& getDesignPlacement() const noexcept { return designPlacement_; }
  /// Moves the node back to the design placement.
  void resetPlacement();
  /// The current parentFromPart. Throws fitup::PlacementError for a matrix with a projective part.
  [[nodiscard]] fitup::Transform getPlacement() const;
  void setPlacement(const fitup::Transform& parentFromPart);

  /// The path as in `fitup::Assembly`: names joined by '/'. It does not change when the node is moved to
  /// another parent.
  void setInstancePath(std::string path) { instancePath_ = std::move(path); }
  [[nodiscard]] const std::string& getInstancePath() const noexcept { return instancePath_; }

  /// The drawable of a surface, shared by all instances of the part; null if it does not exist.
  [[nodiscard]] osg::Drawable* getSurfaceDrawable(fitup::SurfaceId surface);

 protected:
  ~PartNode() override = default;

 private:
  osg::ref_ptr<PartModel> model_;
  fitup::Transform designPlacement_;
  std::string instancePath_;
};

}  // namespace osgFitup
