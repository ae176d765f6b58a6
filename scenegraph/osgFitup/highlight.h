#pragma once

#include <map>
#include <memory>
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
#include <fitup/query/posed_solid.h>
#include <fitup/scene/interference.h>
#include <osgFitup/interference_monitor.h>
#include <osgFitup/scene_assembly.h>

namespace FITUP_EXPORT osgFitup {

namespace detail {
class FollowedPart;
}

/// The look of a highlight.
struct HighlightStyle {
  osg::Vec4 colour{1.0F, 0.1F, 0.05F, 1.0F};  ///< below 1, alpha lets what is behind show through
  bool inFront = false;                       ///< drawn over everything that hides it
  float lineWidth = 2;                        ///< in pixels, for lines and boxes
  /// Factor of the osg::PolygonOffset of faces: below that of the scene's faces, so that the highlight wins.
  /// Its units are `unitsOfOffset` times as many, so that offsets differ by more than rounding where a face
  /// is seen straight on.
  float offset = -1;
  static constexpr float unitsOfOffset = 16;
  friend bool operator==(const HighlightStyle&, const HighlightStyle&) = default;
};

/// Shows surfaces, triangles, regions, lines and boxes of hierarchies over a scene. A highlight is a node of
/// its own, to be placed beside the scene; it does not change any node, state set or user data of the scene.
///
/// A highlight follows its part: the placement of the part is read while culling. Surfaces share the vertex
/// arrays of their drawables, so parts can move without new geometry, and the highlight of a deforming part
/// deforms with it. A part that node masks hide has no visible highlight. A part is given by its node path,
/// which begins at the node in whose coordinates the highlight is placed. The paths are observed, not owned;
/// the highlight of a deleted node disappears.
///
/// Only update, event and cull traversals enter the highlight, and it has no bound. Picks, interference
/// queries, statistics and the camera's home position therefore do not see it. Change it in the update phase.
class Highlight : public osg::Group {
 public:
  /// The id of one shown item; never 0.
  using Id = unsigned int;

  Highlight();
  Highlight(const Highlight& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
  META_Node(osgFitup, Highlight)

  // Each of these functions throws fitup::InputError for a path with a null node, or whose last node carries
  // no model.

  /// Shows a surface; draws nothing if the drawable of the surface does not exist.
  Id showSurface(const osg::NodePath& toPart, fitup::SurfaceId surface, const HighlightStyle& style = {});
  /// Shows triangles of the part's mesh, whose corners are copied. Throws fitup::InputError for a triangle
  /// that does not exist.
  Id showTriangles(const osg::NodePath& toPart, std::span<const fitup::TriangleId> triangles,
                   const HighlightStyle& style = {});
  /// Shows what triangles have in common (`fitup::intersectionLines`), in world coordinates: those of the
  /// first node of the paths. The lines do not follow any part.
  Id showLines(std::span<const fitup::IntersectionLine> lines, const HighlightStyle& style = {});
  /// Shows triangles in world coordinates, such as `fitup::regionInside` returns. They do not follow any
  /// part.
  Id showPieces(std::span<const fitup::Triangle> pieces, const HighlightStyle& style = {});
  /// Shows the edges of boxes in the part's frame, as `fitup::levelBoxes` returns them; they are copied.
  Id showBoxes(const osg::NodePath& toPart, std::span<const fitup::LevelBox> boxes,
               const HighlightStyle& style = {});
  /// Shows the boxes of a level of a hierarchy. Builds the hierarchy if the part's model does not carry it.
  Id showBoxes(const osg::NodePath& toPart, fitup::HierarchyKind kind, std::size_t level,
               const HighlightStyle& style = {});
  /// Returns false if no shown item has that id.
  bool hide(Id id);
  /// Hides everything and frees what `showInterference` and `showRegions` keep for later calls.
  void hideAll();
  [[nodiscard]] std::size_t getNumShown() const noexcept { return shown_.size() + surfaces_.size(); }

  /// Shows the surfaces of all pairs that intersect, and their lines (none if `lines` is unset). Hides what
  /// the previous call showed and this one does not; keeps the rest. `scene` supplies the paths. `placements`
  /// are those of the report (worldFromPart); an instance without one is where the assembly places it.
  void showInterference(const SceneAssembly& scene, const fitup::InterferenceReport& report,
                        const HighlightStyle& surfaces = {},
                        const std::optional<HighlightStyle>& lines = std::nullopt,
                        const fitup::Poses& placements = {});
  /// Shows where the pairs intersect, as reports do, in place of whole surfaces: what of each part is inside
  /// the other one (`fitup::regionInside`), and their lines over everything. The surfaces of a pair are shown
  /// as a whole if nothing is inside, as with open parts, or if it takes too many pieces. Other arguments,
  /// and what is hidden and kept, as in `showInterference`. It takes milliseconds a pair, and builds a solid
  /// of each part at first: for parts that rest. Regions and lines do not follow parts.
  void showRegions(const SceneAssembly& scene, const fitup::InterferenceReport& report,
                   const HighlightStyle& style = {}, const fitup::Poses& placements = {});
  /// Shows the last answer of a monitor.
  void showInterference(const InterferenceMonitor& monitor, const HighlightStyle& surfaces = {},
                        const std::optional<HighlightStyle>& lines = std::nullopt);

  void showRegions(const InterferenceMonitor& monitor, const HighlightStyle& style = {});

  void traverse(osg::NodeVisitor& visitor) override;
  osg::BoundingSphere computeBound() const override { return {}; }

 protected:
  ~Highlight() override;

 private:
  /// An item shown at a place of a followed part or, for lines, directly below this node.
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
  // State of `showInterference`:
  std::vector<SurfaceKey> surfaces_;  ///< shown; their parts keep them
  std::uint64_t call_ = 0;
  HighlightStyle surfaceStyle_;
  Id lines_ = 0;
  // State of `showRegions`:
  Id pieces_ = 0;
  std::map<std::shared_ptr<const fitup::CollisionModel>, std::shared_ptr<const fitup::SolidModel>> solids_;
};

}  // namespace osgFitup
