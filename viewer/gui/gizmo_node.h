#pragma once

#include <optional>

#include <osg/Geode>

#include <viewer/core/gizmo.h>

namespace fitup::viewer {

/// Draws a gizmo over everything else: x red, y green, z blue, the handle under the cursor yellow. Place it
/// below a node in world coordinates; change it between frames.
class GizmoNode : public osg::Group {
 public:
  GizmoNode();
  /// Without a gizmo, draws nothing. `hand` is where the hand is, if the part is still on its way there: a
  /// line leads to it.
  void show(const std::optional<Gizmo>& gizmo, std::optional<GizmoHandle> lit,
            const std::optional<Vec3>& hand = {});

 private:
  osg::ref_ptr<osg::Geode> geode_;
};

}  // namespace fitup::viewer
