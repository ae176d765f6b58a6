#pragma once

#include <functional>
#include <map>

#include <osg/Group>
#include <osg/MatrixTransform>

#include <fitup/geometry/transform.h>
#include <fitup/scene/assembly.h>
#include <viewer/gui/part_drawing.h>

namespace fitup::viewer {

/// Draws a line around selected parts, over everything, so that their own colours and highlights stay
/// visible. It takes a stencil buffer that each picture clears.
class SelectionOutline {
 public:
  SelectionOutline();

  [[nodiscard]] osg::Group* node() noexcept { return root_.get(); }
  void clear();
  /// `origin` is that of the mesh.
  void add(NodeId instance, const Vec3& origin, const PartDrawing& drawing, float pixelRatio);
  /// Moves all to their placements.
  void place(const std::function<Transform(NodeId)>& worldFromPart);

 private:
  struct Outlined {
    Vec3 origin;
    osg::ref_ptr<osg::MatrixTransform> inside, around;
  };

  osg::ref_ptr<osg::Group> root_, inside_, around_;
  std::map<NodeId, Outlined> outlined_;
};

}  // namespace fitup::viewer
