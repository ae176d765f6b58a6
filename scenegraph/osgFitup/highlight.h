#pragma once

#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <osg/Group>
#include <osg/Vec4>
#include <osg/ref_ptr>

#include <fitup/hierarchy/kind.h>
#include <fitup/hierarchy/level_box.h>
#include <fitup/query/intersection_lines.h>
#include <fitup/scene/interference.h>
#include <osgFitup/interference_monitor.h>
#include <osgFitup/scene_assembly.h>

namespace FITUP_EXPORT osgFitup {

namespace detail {
class FollowedPart;
}

/// How something that is highlighted looks.
struct HighlightStyle {
  osg::Vec4 colour{1.0F, 0.1F, 0.05F, 1.0F};  ///< alpha below 1: what is behind shines through
  bool inFront = false;                       ///< drawn over everything that hides it
  float lineWidth = 2;                        ///< pixels; of lines and boxes
  friend bool operator==(const HighlightStyle&, const HighlightStyle&) = default;
};

/// Shows surfaces, triangles, lines and boxes of hierarchies over a scene: a node of its own to hang beside
/// the scene, so that no node, state set or user data of the scene is touched.
///
/// What is shown of a part goes with it: its placement is read while culling. Surfaces share the vertex
/// arrays of their drawables, so no geometry is made anew however parts move; where vertices of a deforming
/// part change, the highlight changes too. A part whose node masks hide it hides its highlight. Parts are
/// given by the nodes from the one in whose coordinates the highlight hangs down to the part's; the paths are
/// observed, not owned, and what belongs to a node that is gone is no longer drawn.
///
/// Only update, event and cull traversals go below the highlight, and it has no bound: picks, interference
/// queries, statistics and the home position of the camera do not see it. Change it in the update phase.
class Highlight : public osg::Group {
 public:
  /// Names one thing that is shown; never 0.
  using Id = unsigned int;

  Highlight();
  Highlight(const Highlight& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
  META_Node(osgFitup, Highlight)

  // Each throws fitup::InputError for a path with a null node, or whose last node carries no model.

  /// Nothing is drawn for a surface whose drawable is not there.
  Id showSurface(const osg::NodePath& toPart, fitup::SurfaceId surface, const HighlightStyle& style = {});
  /// Of the part's mesh; their corners are copied. Throws for a triangle that is not there.
  Id showTriangles(const osg::NodePath& toPart, std::span<const fitup::TriangleId> triangles,
                   const HighlightStyle& style = {});
  /// What triangles have in common (`fitup::intersectionLines`), in world coordinates: those of the node that
  /// paths begin at. Does not follow anything.
  Id showLines(std::span<const fitup::IntersectionLine> lines, const HighlightStyle& style = {});
  /// The edges of boxes of the part's frame, as `fitup::levelBoxes` gives them; they are copied.
  Id showBoxes(const osg::NodePath& toPart, std::span<const fitup::LevelBox> boxes,
               const HighlightStyle& style = {});
  /// Of the boxes of a level of a hierarchy, which is built for it where the part's model does not carry it.
  Id showBoxes(const osg::NodePath& toPart, fitup::HierarchyKind kind, std::size_t level,
               const HighlightStyle& style = {});
  /// False if nothing of that name is shown.
  bool hide(Id id);
  /// Also what `showInterference` keeps for showing it again.
  void hideAll();
  [[nodiscard]] std::size_t getNumShown() const noexcept { return shown_.size() + surfaces_.size(); }

  /// Shows the surfaces of all pairs that intersect, and their lines (unset: none); what the last call showed
  /// and is not among them is hidden, what is stays as it is. Paths are those of `scene`. `placements`
  /// are those that the report is about (worldFromPart); instances without one are where the assembly says.
  void showInterference(const SceneAssembly& scene, const fitup::InterferenceReport& report,
                        const HighlightStyle& surfaces = {},
                        const std::optional<HighlightStyle>& lines = std::nullopt,
                        const fitup::Poses& placements = {});
  /// What a monitor has found last.
  void showInterference(const InterferenceMonitor& monitor, const HighlightStyle& surfaces = {},
                        const std::optional<HighlightStyle>& lines = std::nullopt);

  void traverse(osg::NodeVisitor& visitor) override;
  osg::BoundingSphere computeBound() const override { return {}; }

 protected:
  ~Highlight() override;

 private:
  /// What hangs at a place of a part that is followed, or below this node for lines.
  struct Shown {
    osg::ref_ptr<osg::Group> parent;  ///< null: this node
    osg::ref_ptr<osg::Node> node;
  };
  using SurfaceKey = std::pair<detail::FollowedPart*, fitup::SurfaceId>;

  osg::StateSet* stateOf(const HighlightStyle& style, bool lit);
  template <typename Path>
  detail::FollowedPart& followed(const Path& toPart);
  void dropDead();
  Id keep(osg::Group& parent, osg::Node* node);
  void renewFound(detail::FollowedPart& part);
  void dropFound();
  Shown makeSurface(detail::FollowedPart& followedPart, fitup::SurfaceId surface,
                    const HighlightStyle& style);

  std::map<Id, Shown> shown_;
  Id lastId_ = 0;
  std::unordered_multimap<const osg::Node*, osg::ref_ptr<detail::FollowedPart>> followed_;  ///< by its node
  std::vector<std::pair<std::pair<HighlightStyle, bool>, osg::ref_ptr<osg::StateSet>>> states_;
  // Of `showInterference`:
  std::vector<SurfaceKey> surfaces_;  ///< shown; their parts keep them
  std::uint64_t call_ = 0;
  HighlightStyle surfaceStyle_;
  Id lines_ = 0;
};

}  // namespace osgFitup
