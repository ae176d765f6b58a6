#pragma once

#include <future>
#include <map>
#include <memory>
#include <optional>

#include <osg/Group>

#include <viewer/core/measurement.h>
#include <viewer/core/snap_point.h>
#include <viewer/gui/drag_controller.h>
#include <viewer/gui/gizmo_tool.h>
#include <viewer/gui/scene_presenter.h>

namespace fitup::viewer {

/// Corners, edges and centres of circles under the cursor, for measuring. Finds those of a part in the
/// background as soon as the cursor comes near it; until then, it does not snap to them.
class SnapTool {
 public:
  SnapTool(const Document& document, const DragController& drag, const ScenePresenter& presenter);
  ~SnapTool();
  /// The drawn node; world coordinates.
  [[nodiscard]] osg::Group* node() noexcept { return node_.get(); }

  /// Returns what is visible at most `reach` pixels of the picture from the point.
  [[nodiscard]] std::optional<SnapPoint> at(const Camera& camera, PicturePoint point, double reach);
  /// Lights it, or nothing. Returns true if that is a change.
  bool show(const std::optional<SnapPoint>& snap);
  /// Returns "corner", "edge" or "centre of circle Ø 12 mm", after the path of the part.
  [[nodiscard]] QString textOf(const SnapPoint& snap) const;
  [[nodiscard]] MeasureTarget targetOf(const SnapPoint& snap);
  /// The pivot at a corner, in the middle of a circle with its axis, or on an edge and, if it is straight,
  /// along it.
  [[nodiscard]] GizmoPivot pivotOf(const SnapPoint& snap) const;
  /// Forgets the parts.
  void clear();

 private:
  struct Part {
    std::future<SnapShapes> found;
    std::optional<SnapShapes> shapes;
    std::map<std::size_t, std::shared_ptr<const CollisionModel>> edges;  ///< that were taken
  };
  [[nodiscard]] const SnapShapes* shapesOf(const std::shared_ptr<const CollisionModel>& model);
  [[nodiscard]] std::shared_ptr<const CollisionModel> modelOf(NodeId instance) const;

  const Document& document_;
  const DragController& drag_;
  const ScenePresenter& presenter_;
  osg::ref_ptr<osg::Group> node_;
  std::map<std::shared_ptr<const CollisionModel>, Part> parts_;
  std::optional<SnapPoint> shown_;
};

}  // namespace fitup::viewer
