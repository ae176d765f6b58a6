#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <osg/ClipNode>
#include <osg/Group>
#include <osg/LightSource>

#include <fitup/hierarchy/level_box.h>
#include <fitup/motion/slide.h>
#include <fitup/scene/mates.h>
#include <osgFitup/highlight.h>
#include <osgFitup/part_node.h>
#include <osgFitup/swept_volume_node.h>
#include <viewer/core/camera.h>
#include <viewer/core/display_mode.h>
#include <viewer/core/findings.h>
#include <viewer/core/session.h>
#include <viewer/gui/contact_paint.h>
#include <viewer/gui/part_drawing.h>
#include <viewer/gui/part_ghosts.h>
#include <viewer/gui/selection_outline.h>
#include <viewer/gui/shown_marks.h>
#include <viewer/gui/shown_section.h>

namespace fitup::viewer {

/// The surface under the cursor, or the face that a section plane has cut.
struct Pick {
  NodeId instance{};
  std::optional<SurfaceId> surface;  ///< unset for a cut face
  Vec3 point;                        ///< in world coordinates
  double distance = 0;               ///< from the eye
  [[nodiscard]] bool isSameSurface(const Pick& other) const {
    return instance == other.instance && surface == other.surface;
  }
};

/// The parts that are picked: all that are visible, or those of them that are not ghosted.
enum class PickFrom { visibleParts, solidParts };

/// How instances look, besides the file's colours.
struct InstanceLooks {
  std::set<NodeId> hidden, ghosted, selected;
  /// What users chose instead of the file's look.
  PartLooks own{};
  bool plain = false;  ///< all in one grey, so that what is painted on them can be seen
  /// The parts of the finding that is looked at: the first one blue, the second one orange, as in reports,
  /// and all others ghosted.
  std::optional<std::pair<NodeId, NodeId>> finding{};
  bool marksFaces = false;  ///< the parts of the finding are paler, because its faces are marked
};

/// A translucent copy of parts, drawn besides the parts.
struct DrawnGhost {
  Poses at;  ///< the placements of its instances, and of no others
  osg::Vec4 colour;
};

/// Shows a session's instances, interference and section as a scene graph. Use it in the GUI thread, between
/// frames.
class ScenePresenter {
 public:
  ScenePresenter();

  [[nodiscard]] osg::Group* root() noexcept { return root_.get(); }
  /// A group for what is drawn over the model and not cut by the section.
  [[nodiscard]] osg::Group* overlay() noexcept { return overlay_.get(); }

  /// `scene` is that of the session's assembly, with `addDrawings`. The session must outlive it.
  void show(const Session& session, osg::ref_ptr<osg::Group> scene);
  void clear();
  [[nodiscard]] bool isClear() const noexcept { return session_ == nullptr; }

  /// Sets the device pixels per widget pixel, by which lines are wider.
  void setPixelRatio(double ratio);
  /// Moves instances to their placements in the session, except for `moved`.
  void place(const Poses& moved = {});
  /// Draws instances apart, from 0, as assembled, to 1. The ways are those of the placements at which the
  /// view leaves 0. Picks find what is drawn.
  void explode(double fraction);
  [[nodiscard]] bool isExploded() const noexcept { return fraction_ > 0; }
  /// The placements at which instances are drawn.
  [[nodiscard]] const Poses& drawnPoses() const noexcept { return placed_; }
  void setLooks(const InstanceLooks& looks);
  /// Sets whether the background is dark. Edges that are seen in front of it are then light.
  void setDark(bool dark);
  void setDisplayMode(DisplayMode mode);
  [[nodiscard]] DisplayMode displayMode() const noexcept { return mode_; }
  /// For a picture that is soon replaced by the next one: parts are coarser, by more than a pixel only if
  /// there are more triangles than the budget, edges are left out if there are too many, and parts that are
  /// smaller than what is left out elsewhere.
  void setHaste(const Camera& camera, std::size_t mostTriangles);
  /// Draws everything.
  void setLeisure();
  /// Call this at the begin of each picture: new drawables move to OpenGL, which then has the only copy of
  /// them. Needs the current context of `info`.
  void moveToOpenGl(osg::RenderInfo& info);
  /// Call this when OpenGL loses what it has: makes the drawables anew.
  void remakeDrawings();
  /// The number of triangles of opaque faces in the next picture.
  [[nodiscard]] std::size_t drawnTriangles() const;
  void setUpAxis(UpAxis axis);
  /// Highlights surfaces that intersect: red where action is needed; orange for pairs in contact, and only
  /// for pairs with an instance of `focus`, because mated parts touch everywhere. Of a clash without
  /// intersecting surfaces, the inner part is highlighted as a whole. Hidden instances have no highlight. The
  /// pairs of `showMarks` have none either. While anything is highlighted, opaque instances with similarly
  /// coloured faces are grey. Null: nothing is known.
  void showInterference(const InterferenceReport* report, const std::set<NodeId>& focus);
  /// Null for none. The map must live until the next call.
  void showContactMap(const ContactMap* map);
  /// Shows a surface before it is picked. Returns false if it was already shown.
  bool showPreselected(const std::optional<Pick>& pick);
  /// Shows the surfaces of a row of the table over everything else; for a row without surfaces, both parts,
  /// or the inner one if one contains the other. With `InstanceLooks::marksFaces`, it marks the surfaces in
  /// the colours of the parts, with their borders.
  void showChosen(const std::optional<Finding>& finding);
  /// Shows where pairs intersect: the lines, and what of each part is inside the other. Those of
  /// `InstanceLooks::finding` are shown over everything. Call `showInterference` afterwards.
  void showMarks(const std::vector<MarkedPair>& pairs);
  /// Shows the chosen face of the selected part over everything that hides it.
  void showFace(const std::optional<std::pair<NodeId, SurfaceId>>& face);
  /// Shows the faces of a measurement's first target over everything that hides them.
  void showMeasured(NodeId instance, std::span<const SurfaceId> surfaces);
  /// Shows boxes of those of these instances that are visible, in the frame of the part.
  void showBoxes(const std::set<NodeId>& instances,
                 const std::function<std::vector<LevelBox>(NodeId)>& boxesOf);
  /// Shows the faces that a mate would bring together, by their outlines over everything. Null for none.
  void showMate(const MateSuggestion* mate);
  /// Shows copies of parts, also of hidden ones. They are neither picked nor cut.
  void showGhosts(std::span<const DrawnGhost> ghosts);
  /// Lights faces of what is in the way, over everything that hides them.
  void showBlocking(std::span<const std::pair<NodeId, SurfaceId>> faces);
  /// Shows what a motion sweeps, translucent and not cut. Null for none.
  void showSwept(const SweptVolume* swept);
  /// Lights the faces that hold a sliding part.
  void showHolding(std::span<const SlideHold> holding);
  void setSections(std::span<const SectionPlane> planes);
  /// Shows the caps of the sections for the placements, looks and sections that were set. `tolerance` as in
  /// `SectionCaps::Request`.
  void showCaps(const std::optional<double>& tolerance);
  [[nodiscard]] ShownSection& caps() noexcept { return caps_; }
  [[nodiscard]] const ShownSection& caps() const noexcept { return caps_; }

  /// Returns the nearest surface or cap on the ray that is visible and not cut away.
  [[nodiscard]] std::optional<Pick> pick(const Ray& ray, PickFrom from = PickFrom::visibleParts) const;

 private:
  struct Shown {
    osg::ref_ptr<osgFitup::PartNode> node;
    DrawnInstance* drawn = nullptr;  ///< below the node
    std::optional<NodeId> above;     ///< the next instance on the way to the root
    Transform aboveFromParent;       ///< from the node's parent frame to that instance's, or the world
    const osg::StateSet* look = nullptr;
    bool likeAction = false, likeContact = false;  ///< has faces that look like highlighted ones
    bool isDark = false;                           ///< in the file's colours
  };
  using SurfaceKey = std::pair<NodeId, SurfaceId>;
  struct Lit {
    SurfaceKey surface;
    bool action;
    osgFitup::Highlight::Id id;
  };

  void addPlans();
  void clearPlans();
  void drawGhosts();
  void applyLooks();
  void makeEdgeLooks();
  /// Whether the instance has faces that resemble highlighted ones.
  [[nodiscard]] bool resemblesLit(NodeId node, const Shown& entry) const;
  void markFace(NodeId node, SurfaceId surface, bool isFirst);
  [[nodiscard]] osg::StateSet* ownLook(NodeId node);
  [[nodiscard]] osg::StateSet* edgesOf(NodeId node, const Shown& entry);
  [[nodiscard]] double capMargin() const;
  [[nodiscard]] std::optional<Pick> pickOf(NodeId node, const Shown& entry, const Ray& ray,
                                           double reach) const;
  [[nodiscard]] osg::StateSet* lookOf(NodeId node, const Shown& entry);

  osg::ref_ptr<osg::Group> root_, overlay_, mateOutline_, scene_;
  osg::ref_ptr<osg::ClipNode> section_;
  osg::ref_ptr<osg::LightSource> sky_;
  osg::ref_ptr<osgFitup::Highlight> highlight_;
  ShownMarks marks_;
  std::set<InstancePair> marked_;
  osg::ref_ptr<osg::StateSet> firstLook_, secondLook_, paleFirstLook_, paleSecondLook_, ghostLook_,
      plainLook_, transparentLook_, paperLook_;
  std::map<PartLook, osg::ref_ptr<osg::StateSet>> ownLooks_;
  osg::ref_ptr<osg::StateSet> edges_, ghostEdges_, selectedEdges_, edgesOnDark_;
  SelectionOutline outline_;
  PartGhosts ghosts_;
  std::vector<DrawnGhost> shownGhosts_;
  osg::ref_ptr<osgFitup::SweptVolumeNode> swept_;
  DisplayMode mode_ = DisplayMode::shadedWithEdges;
  const Session* session_ = nullptr;
  std::map<NodeId, Shown> shown_;
  std::map<NodeId, osg::NodePath> paths_;  ///< from the scene to the nodes of `shown_`
  Poses placed_;
  double fraction_ = 0;
  std::map<NodeId, Vec3> ways_;  ///< of the exploded view; empty while it is at 0
  std::vector<Lit> lit_;         ///< by surface
  InstanceLooks looks_;
  bool litAction_ = false, litContact_ = false;  ///< any of `lit_`
  std::optional<Pick> preselected_;
  osgFitup::Highlight::Id preselectedId_ = 0, faceId_ = 0;
  std::vector<osgFitup::Highlight::Id> chosen_, mate_, holding_, boxes_, measured_, blocking_;
  ContactPaint contacts_;
  std::vector<SectionPlane> planes_;
  ShownSection caps_;
  float pixelRatio_ = 1;
  bool isDark_ = false, isNew_ = false;  ///< new: there are drawables that OpenGL does not have
};

}  // namespace fitup::viewer
