#pragma once

#include <memory>
#include <optional>
#include <string>

#include <osg/Geometry>
#include <osg/Group>
#include <osg/Vec4>
#include <osg/ref_ptr>

#include <fitup/planning/swept_volume.h>

namespace FITUP_EXPORT osgFitup {

/// The look of a swept volume. Alpha is the opacity.
struct SweptVolumeStyle {
  osg::Vec4 colour{0.58F, 0.46F, 1.0F, 0.42F};
  /// Set: the colour shows the time, from `colour` where the motion begins to this one where it ends.
  std::optional<osg::Vec4> lastColour{};
  osg::Vec4 litColour{1.0F, 0.80F, 0.10F, 0.75F};  ///< of the patch that is lit
  friend bool operator==(const SweptVolumeStyle&, const SweptVolumeStyle&) = default;
};

/// What a pick has hit of a swept volume.
struct SweptHit {
  fitup::TriangleId triangle{};  ///< of `SweptVolume::outer`
  fitup::SurfaceId surface{};    ///< position in `SweptVolume::patches`
  fitup::SweptPatch patch;       ///< the instance and face that come nearest, and the times of the patch
  std::string name;              ///< "PATH: face 3 (plane), steps 0 to 2.25"
  double time = 0;               ///< of the triangle, in steps of the track
};

/// A swept volume (`fitup::sweptVolume`) as a node: a translucent surface in the coordinates of the world of
/// its scene. Place it beside the scene, in the coordinates above the scene's root.
///
///     root->addChild(new osgFitup::SweptVolumeNode(fitup::sweptVolume(scene, track)));
///
/// Intersection visitors see it, and `getHit` returns what they have hit. Besides them, only update, event
/// and cull traversals enter it, so that queries and monitors never take it for a part. Change it in the
/// update phase; const members are thread-safe meanwhile.
class SweptVolumeNode : public osg::Group {
 public:
  SweptVolumeNode();
  explicit SweptVolumeNode(fitup::SweptVolume swept, const SweptVolumeStyle& style = {});
  /// Copies share the swept volume and have nodes of their own.
  SweptVolumeNode(const SweptVolumeNode& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
  META_Node(osgFitup, SweptVolumeNode)

  /// Shows a swept volume instead of what was shown; one without an outer surface shows nothing. Throws
  /// fitup::InputError for one whose patches or times are not those of its surface.
  void setSweptVolume(fitup::SweptVolume swept);
  /// Null before there is one.
  [[nodiscard]] const fitup::SweptVolume* getSweptVolume() const noexcept { return swept_.get(); }
  void setStyle(const SweptVolumeStyle& style);
  [[nodiscard]] const SweptVolumeStyle& getStyle() const noexcept { return style_; }

  /// Returns what was hit, by the drawable and the primitive index of an intersection, such as
  /// `osgUtil::LineSegmentIntersector` has. Empty if the drawable is not that of this node.
  [[nodiscard]] std::optional<SweptHit> getHit(const osg::Drawable* drawable,
                                               unsigned int primitiveIndex) const;
  /// Lights a patch, such as that of a hit, instead of the one that was lit; empty for none. Throws
  /// fitup::InputError for a patch that does not exist.
  void setLitPatch(std::optional<fitup::SurfaceId> surface);
  [[nodiscard]] const std::optional<fitup::SurfaceId>& getLitPatch() const noexcept { return lit_; }

  void traverse(osg::NodeVisitor& visitor) override;

 protected:
  ~SweptVolumeNode() override = default;

 private:
  void build();
  void applyStyle();

  std::shared_ptr<const fitup::SweptVolume> swept_;
  SweptVolumeStyle style_;
  std::optional<fitup::SurfaceId> lit_;
  osg::ref_ptr<osg::Geometry> faces_, litFaces_;  ///< null without a surface
};

}  // namespace osgFitup
