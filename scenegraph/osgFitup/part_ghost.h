#pragma once

#include <span>

#include <osg/MatrixTransform>
#include <osg/Vec4>

#include <fitup/motion/track.h>
#include <osgFitup/scene_assembly.h>

namespace FITUP_EXPORT osgFitup {

/// A translucent copy of parts, besides the parts themselves: where they could go, or where a search is.
/// Place it beside the scene, in the coordinates above the scene's root. It draws the triangles that are
/// checked, as they were when it was made, and changes nothing of the scene.
///
/// Only update, event and cull traversals enter it, and it has no bound, as with `Highlight`: picks and
/// queries do not see it. Change it in the update phase.
class PartGhost : public osg::MatrixTransform {
 public:
  PartGhost();
  PartGhost(const PartGhost& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
  META_Node(osgFitup, PartGhost)

  /// Shows these instances where the scene has them, instead of what was shown. Throws fitup::InputError for
  /// a node that is not an instance of the scene.
  void show(const SceneAssembly& scene, std::span<const fitup::NodeId> instances);
  /// Shows nothing.
  void clear();
  [[nodiscard]] bool isShown() const noexcept { return getNumChildren() > 0; }
  /// Moves what is shown: by a motion from where `show` has found it.
  void setMotion(const fitup::RigidMotion& motion);
  [[nodiscard]] const fitup::RigidMotion& getMotion() const noexcept { return motion_; }
  /// The default is a translucent cyan. Alpha is the opacity.
  void setColour(const osg::Vec4& colour);
  [[nodiscard]] const osg::Vec4& getColour() const noexcept { return colour_; }

  void traverse(osg::NodeVisitor& visitor) override;
  osg::BoundingSphere computeBound() const override { return {}; }

 protected:
  ~PartGhost() override = default;

 private:
  fitup::RigidMotion motion_;
  osg::Vec4 colour_{0.0F, 0.62F, 0.72F, 0.45F};
};

}  // namespace osgFitup
