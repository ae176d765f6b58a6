#pragma once

#include <osg/Group>
#include <osg/StateSet>

#include <fitup/geometry/transform.h>
#include <viewer/gui/part_drawing.h>

namespace fitup::viewer {

/// Draws translucent copies of parts, with their edges, besides the parts themselves. World coordinates.
class PartGhosts {
 public:
  PartGhosts();

  [[nodiscard]] osg::Group* node() noexcept { return root_.get(); }
  void clear();
  /// `origin` is that of the mesh.
  void add(const Transform& worldFromPart, const Vec3& origin, const PartDrawing& drawing,
           const osg::Vec4& colour, float pixelRatio);

 private:
  osg::ref_ptr<osg::Group> root_;
};

}  // namespace fitup::viewer
