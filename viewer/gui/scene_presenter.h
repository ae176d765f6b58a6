#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <osg/ClipNode>
#include <osg/Group>

#include <fitup/hierarchy/level_box.h>
#include <fitup/scene/mates.h>
#include <osgFitup/highlight.h>
#include <osgFitup/part_node.h>
#include <viewer/core/camera.h>
#include <viewer/core/findings.h>
#include <viewer/core/session.h>
#include <viewer/gui/contact_paint.h>
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

/// How instances look, besides the file's colours.
struct InstanceLooks {
  std::set<NodeId> hidden, ghosted, selected;
  bool plain = false;  ///< all in one grey, so that what is painted on them can be seen
};

/// Shows a session's instances, interference and section as a scene graph. Use it in the GUI thread, between
/// frames.
class ScenePresenter {
 public:
  ScenePresenter();

  [[nodiscard]] osg::Group* root() noexcept { return root_.get(); }
  /// A group for what is drawn over the model and not cut by the section.
  [[nodiscard]] osg::Group* overlay() noexcept { return overlay_.get(); }

  /// `scene` is the result of `osgFitup::createScene` for the session's assembly. The session must outlive
  /// it.
  void show(const Session& session, osg::ref_ptr<osg::Group> scene);
  void clear();

  /// Sets the device pixels per widget pixel, by which lines are wider.
  void setPixelRatio(double ratio);
  /// Moves instances to their placements in the session, except for `moved`.
  void place(const Poses& moved = {});
  void setLooks(const InstanceLooks& looks);
  /// Highlights surfaces that intersect: red where action is needed; orange for pairs in contact, and only
  /// for pairs with an instance of `focus`, because mated parts touch everywhere. Of a clash without
  /// intersecting surfaces, the inner part is highlighted as a whole. Hidden instances have no highlight.
  /// While anything is highlighted, opaque instances with similarly coloured faces are grey. Null: nothing is
  /// known.
  void showInterference(const InterferenceReport* report, const std::set<NodeId>& focus);
  /// Null for none. The map must live until the next call.
  void showContactMap(const ContactMap* map);
  /// Shows a surface before it is picked. Returns false if it was already shown.
  bool showPreselected(const std::optional<Pick>& pick);
  /// Shows the surfaces of a row of the table over everything else; for a row without surfaces, both parts,
  /// or the inner one if one contains the other.
  void showChosen(const std::optional<Finding>& finding);
  /// Shows the chosen face of the selected part over everything that hides it.
  void showFace(const std::optional<std::pair<NodeId, SurfaceId>>& face);
  /// Shows the faces of a measurement's first target over everything that hides them.
  void showMeasured(NodeId instance, std::span<const SurfaceId> surfaces);
  /// Shows boxes of those of these instances that are visible, in the frame of the part.
  void showBoxes(const std::set<NodeId>& instances,
                 const std::function<std::vector<LevelBox>(NodeId)>& boxesOf);
  /// Shows the faces that a mate would bring together. Null for none.
  void showMate(const MateSuggestion* mate);
  void setSections(std::span<const SectionPlane> planes);
  /// Shows the caps of the sections for the placements, looks and sections that were set. `tolerance` as in
  /// `SectionCaps::Request`.
  void showCaps(const std::optional<double>& tolerance);
  [[nodiscard]] ShownSection& caps() noexcept { return caps_; }
  [[nodiscard]] const ShownSection& caps() const noexcept { return caps_; }

  /// Returns the nearest surface or cap on the ray that is visible and not cut away.
  [[nodiscard]] std::optional<Pick> pick(const Ray& ray) const;

 private:
  struct Shown {
    osg::ref_ptr<osgFitup::PartNode> node;
    std::optional<NodeId> above;  ///< the next instance on the way to the root
    Transform aboveFromParent;    ///< from the node's parent frame to that instance's, or the world
    const osg::StateSet* look = nullptr;
    bool likeAction = false, likeContact = false;  ///< has faces that look like highlighted ones
  };
  using SurfaceKey = std::pair<NodeId, SurfaceId>;
  struct Lit {
    SurfaceKey surface;
    bool action;
    osgFitup::Highlight::Id id;
  };

  void applyLooks();

  osg::ref_ptr<osg::Group> root_, overlay_, scene_;
  osg::ref_ptr<osg::ClipNode> section_;
  osg::ref_ptr<osgFitup::Highlight> highlight_;
  osg::ref_ptr<osg::StateSet> selectedLook_, ghostLook_, selectedGhostLook_, plainLook_;
  const Session* session_ = nullptr;
  std::map<NodeId, Shown> shown_;
  std::map<NodeId, osg::NodePath> paths_;  ///< from the scene to the nodes of `shown_`
  Poses placed_;
  std::map<const osg::Node*, NodeId> instanceOf_;
  std::vector<Lit> lit_;  ///< by surface
  InstanceLooks looks_;
  bool litAction_ = false, litContact_ = false;  ///< any of `lit_`
  std::optional<Pick> preselected_;
  osgFitup::Highlight::Id preselectedId_ = 0, faceId_ = 0;
  std::vector<osgFitup::Highlight::Id> chosen_, mate_, boxes_, measured_;
  ContactPaint contacts_;
  std::vector<SectionPlane> planes_;
  ShownSection caps_;
  float pixelRatio_ = 1;
};

}  // namespace fitup::viewer
