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

namespace fitup::viewer {

/// What lies under the cursor.
struct Pick {
  NodeId instance{};
  SurfaceId surface{};
  Vec3 point;           ///< in the world
  double distance = 0;  ///< from the eye
  [[nodiscard]] bool isSameSurface(const Pick& other) const {
    return instance == other.instance && surface == other.surface;
  }
};

/// How instances look, beyond what the file says.
struct InstanceLooks {
  std::set<NodeId> hidden, ghosted, selected;
  bool plain = false;  ///< all in one grey, for what is painted on them to be seen
};

/// Shows a session's instances, interference and section as a scene graph. GUI thread, between frames.
class ScenePresenter {
 public:
  ScenePresenter();

  [[nodiscard]] osg::Group* root() noexcept { return root_.get(); }
  /// For what is drawn over the model and not cut by the section.
  [[nodiscard]] osg::Group* overlay() noexcept { return overlay_.get(); }

  /// `scene` is what `osgFitup::createScene` made of the session's assembly. The session must outlive it.
  void show(const Session& session, osg::ref_ptr<osg::Group> scene);
  void clear();

  /// Pixels of the device for one of the widget: lines are that much wider.
  void setPixelRatio(double ratio);
  /// Instances stand where the session has them, but for `moved`.
  void place(const Poses& moved = {});
  void setLooks(const InstanceLooks& looks);
  /// Surfaces that intersect: red where somebody has to act. Those of parts in contact only for pairs with
  /// one of `focus`, orange, as mated parts touch everywhere. Of a clash without such surfaces the part that
  /// lies in the other one is lit as a whole. Hidden instances show nothing. As long as anything is lit,
  /// opaque instances with faces of a colour like that are grey. Null: nothing is known.
  void showInterference(const InterferenceReport* report, const std::set<NodeId>& focus);
  /// Null: none. The map must live until the next call.
  void showContactMap(const ContactMap* map);
  /// A surface before it is picked. False if it was shown already.
  bool showPreselected(const std::optional<Pick>& pick);
  /// The surfaces of a row of the table, or where it has none both parts (of one in another the inner), over
  /// the rest.
  void showChosen(const std::optional<Finding>& finding);
  /// The chosen face of the selected part, over everything that hides it.
  void showFace(const std::optional<std::pair<NodeId, SurfaceId>>& face);
  /// What a measurement begins at: faces, over everything that hides them.
  void showMeasured(NodeId instance, std::span<const SurfaceId> surfaces);
  /// Boxes of those of these instances that are shown, in the frame of the part.
  void showBoxes(const std::set<NodeId>& instances,
                 const std::function<std::vector<LevelBox>(NodeId)>& boxesOf);
  /// The faces that a mate would bring together. Null: none.
  void showMate(const MateSuggestion* mate);
  void setSection(const SectionPlane& section);

  /// The nearest surface on the ray that is shown and not cut away.
  [[nodiscard]] std::optional<Pick> pick(const Ray& ray) const;

 private:
  struct Shown {
    osg::ref_ptr<osgFitup::PartNode> node;
    std::optional<NodeId> above;  ///< the next instance on the way to the root
    Transform aboveFromParent;    ///< from the frame that the node lies in to that instance's, or the world
    const osg::StateSet* look = nullptr;
    bool likeAction = false, likeContact = false;  ///< has faces that look as if they were lit so
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
  SectionPlane plane_;
  float pixelRatio_ = 1;
};

}  // namespace fitup::viewer
