#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <osg/Callback>
#include <osg/Node>
#include <osg/NodeVisitor>
#include <osg/Referenced>
#include <osg/Transform>
#include <osg/observer_ptr>
#include <osg/ref_ptr>

#include <fitup/planning/removal.h>
#include <osgFitup/part_ghost.h>
#include <osgFitup/scene_assembly.h>

namespace FITUP_EXPORT osgFitup {

/// Looks for a way out of parts of a scene (`fitup::findRemoval`) on a thread of its own, while the
/// application draws.
///
///     search = new osgFitup::WayOutSearch(scene, {bolt});
///     root->addChild(search->getGhost());                     // beside the scene: where the search is
///     scene->addUpdateCallback(search->getUpdateCallback());  // or search->update() once per frame
///     search->setFinished([&](const auto& s) {
///       if (s.getTrack()) player = new osgFitup::TrackPlayer(*scene, *s.getTrack());
///     });
///     search->start();
///
/// A search is about the scene at its start: the models, and where the parts are then. The application may
/// edit the scene meanwhile. With only the toolkit, straight ways and ways of several pieces are tried; for a
/// search among poses, set `options.search = fitup::treeSearch()`, and link `fitup::tree_search`.
///
/// The object observes the scene and the moved nodes. Call all members from one thread, in the update phase;
/// `update` and `finish` run the callback. Releasing the object cancels a running search and waits until it
/// has noticed, which it does at its next step; the callback is then not called.
class WayOutSearch : public osg::Referenced {
 public:
  /// Searches for ways of the parts at or below these nodes, which move as one rigid group. Obstacles are all
  /// other parts at or below `root`. Throws fitup::InputError if there is no root or no node, and for a node
  /// that a `PartDragger` cannot move.
  WayOutSearch(osg::Node* root, const std::vector<osg::Node*>& moved);
  WayOutSearch(const WayOutSearch&) = delete;
  WayOutSearch& operator=(const WayOutSearch&) = delete;

  // Settings of the next search:
  /// Goal, guide points, clearance, tolerance, rules, limits. Motions are from where the parts are at the
  /// start, in the coordinates above `root`. `watch` is called on the thread of the search.
  void setOptions(const fitup::RemovalOptions& options) { options_ = options; }
  [[nodiscard]] const fitup::RemovalOptions& getOptions() const noexcept { return options_; }
  /// Node mask, as of a visitor: nodes that it hides are no obstacles.
  void setTraversalMask(osg::Node::NodeMask mask) { masks_->setTraversalMask(mask); }
  /// Sets a function that is called at the end of each search, also of a cancelled one and of one that ended
  /// with an error. It may begin the next search.
  void setFinished(std::function<void(const WayOutSearch&)> finished) { finished_ = std::move(finished); }

  /// A copy of the parts at the pose where the search is; it shows nothing while there is no search. Place it
  /// beside the scene, in the coordinates above `root`.
  [[nodiscard]] PartGhost* getGhost() noexcept { return ghost_.get(); }
  /// An update callback, for the root of the scene for example. It traverses the node first. Observes the
  /// object. The function of `setFinished` is then called during a traversal: it must not add or remove
  /// children of the nodes above, which are being traversed. Call `update` between frames for that.
  [[nodiscard]] osg::Callback* getUpdateCallback() noexcept { return updateCallback_.get(); }

  /// Begins a search. One that is running is cancelled, and its result is lost. Builds models that parts
  /// lack. Returns false if it cannot begin, because a node is gone or has no parts, for example; `getError`
  /// says why.
  bool start();
  /// Ends the search soon. It then finishes like any other, with what it has found.
  void cancel();
  [[nodiscard]] bool isSearching() const noexcept { return running_ != nullptr; }
  /// Moves the ghost to where the search is. If the search has ended, takes its result, runs the callback and
  /// returns true.
  bool update();
  /// Waits for the end of the search, then does what `update` does.
  bool finish();

  /// What the search was doing at the last update; empty before its first pose, and if there is no search.
  [[nodiscard]] const std::optional<fitup::RemovalSight>& getSight() const noexcept { return sight_; }

  // Members about the last search that has finished:
  /// The result. Null before the first one, during a search, and after an error.
  [[nodiscard]] const fitup::RemovalReport* getReport() const noexcept {
    return report_ ? &*report_ : nullptr;
  }
  /// The way, if one is certain, otherwise null. It names the moved nodes, and `TrackPlayer` plays it in the
  /// scene.
  [[nodiscard]] const fitup::Track* getTrack() const noexcept { return track_ ? &*track_ : nullptr; }
  /// The scene of the current or last search, to which the ids of its report belong: `PartNode`s are in their
  /// design placements, and `poses` has the placements at the start. Keeps references to its nodes. Empty
  /// after a search that could not begin.
  [[nodiscard]] const SceneAssembly& getSceneAssembly() const noexcept { return scene_; }
  /// The reason why there is no report, such as an error of `fitup::findRemoval`; empty otherwise.
  [[nodiscard]] const std::string& getError() const noexcept { return error_; }

 protected:
  ~WayOutSearch() override;

 private:
  /// A moved node, by its path in the whole scene, and the instances below it, by their paths in the search.
  struct Group {
    std::string path;
    std::vector<std::string> instances, instancesInScene;
  };
  struct Running;
  void begin();
  void findGroups(osg::Node& root, const std::vector<osg::ref_ptr<osg::Transform>>& moved);
  [[nodiscard]] fitup::Track trackFor(const fitup::Track& found) const;
  bool take();

  osg::observer_ptr<osg::Node> root_;
  std::vector<osg::observer_ptr<osg::Transform>> moved_;
  osg::ref_ptr<osg::NodeVisitor> masks_;
  fitup::RemovalOptions options_;
  std::function<void(const WayOutSearch&)> finished_;
  osg::ref_ptr<PartGhost> ghost_;
  osg::ref_ptr<osg::Callback> updateCallback_;

  std::unique_ptr<Running> running_;
  std::optional<fitup::RemovalSight> sight_;
  SceneAssembly scene_;
  std::vector<Group> groups_;
  std::optional<std::uint64_t> modelHash_;  ///< of the whole scene
  std::optional<fitup::RemovalReport> report_;
  std::optional<fitup::Track> track_;
  std::string error_;
};

}  // namespace osgFitup
