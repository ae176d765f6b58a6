#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <osg/Callback>
#include <osg/NodeVisitor>
#include <osg/Referenced>
#include <osg/ref_ptr>

#include <fitup/scene/interference.h>
#include <osgFitup/scene_assembly.h>

namespace FITUP_EXPORT osgFitup {

/// Keeps the interference of a scene up to date while the scene is edited: checks again what has changed, and
/// only that, and notifies callbacks. `getReport` then equals the report of an `InterferenceVisitor` with the
/// same sets and options.
///
///     monitor = new osgFitup::InterferenceMonitor(scene);
///     monitor->addCallback([](const auto& m) { use(m.getSceneAssembly(), m.getReport()); });
///     scene->addUpdateCallback(monitor->getUpdateCallback());    // or monitor->update() once per frame
///
/// *Edits.* Each update looks at transforms, children, node masks, switches, levels of detail and the models
/// of parts; its cost grows with the number of groups, not of drawables. Dirtied vertices of dynamic
/// drawables (osg::Object::DYNAMIC) lead to a refitted model. Call `dirty` after any other edit: of names,
/// masks of drawables, primitive sets, transforms without names inside a part, dirtied vertices of static
/// drawables, or after exchanging a drawable within a part. A part that was edited inside is given a new
/// model, as with `InterferenceVisitor`.
///
/// *Time.* `request.limits.timeBudget` in the options limits the time of an update. If pairs are left, the
/// report is `truncated`, and the next updates continue with them, even if nothing moves.
///
/// *Exact shapes.* With `VerdictOptions::exactShapes`, the verdicts of parts that move are those of their
/// triangles, so that an update takes no longer; with `tolerancesOfFaces`, those at the tolerances of whole
/// parts. Once no edit has come for `fitup::LiveSession::pause`, the
/// exact shapes are judged: on the worker, or in updates, each of which judges at least one pair, and more
/// while there is time budget left. Newer answers then come until `getPairsOfTriangles` is 0. The next edit
/// ends that at once. A `refinement` belongs to the parts of the scene when it was made; a part that an edit
/// exchanges or renumbers is not refined, and is undecided where its chord errors leave the verdict open,
/// until `setOptions` is called again.
///
/// The monitor holds a reference to the scene; the scene's callback only observes the monitor. Release the
/// monitor to stop it. Call all members from one thread, in the update phase; `update` runs the callbacks.
class InterferenceMonitor : public osg::Referenced {
 public:
  /// The thread that runs the queries.
  enum class Where {
    inUpdate,  ///< in `update`: an answer is about the scene of that update
    /// On a worker thread: an update takes only the time to look for edits. Answers come one or more frames
    /// later, in the order of the updates that asked; several updates may share one. A check that began
    /// before an edit is answered for the scene before the edit (`getSceneAssembly`), so that answers arrive
    /// even if every frame has an edit. Answers to questions that precede a change of settings or an error
    /// are discarded.
    onWorker,
  };
  using Callback = std::function<void(const InterferenceMonitor&)>;

  /// Watches the parts at or below `root`; world coordinates are those of the parent of `root`. Throws
  /// fitup::InputError for null.
  explicit InterferenceMonitor(osg::Node* root);
  InterferenceMonitor(const InterferenceMonitor&) = delete;
  InterferenceMonitor& operator=(const InterferenceMonitor&) = delete;

  /// Default: `Where::inUpdate`.
  void setWhere(Where where);
  [[nodiscard]] Where getWhere() const noexcept;
  /// Mode, rules, verdicts, limits and threads. Default: all pairs of surfaces. A limit of pairs and
  /// `stopAtFirstPair` cannot be used here: an update reports them as an error.
  void setOptions(const fitup::InterferenceOptions& options);
  [[nodiscard]] const fitup::InterferenceOptions& getOptions() const noexcept;
  /// Node mask, as of a visitor: nodes that it hides are not checked.
  void setTraversalMask(osg::Node::NodeMask mask);
  /// As in `InterferenceVisitor`; the update that needs a model builds it.
  void setBuildMissingModels(bool build);
  void setBuildOptions(const fitup::BuildOptions& options);
  /// Chooses the surfaces, as `CollisionModelVisitor::setSurfaces` does.
  void setSurfaces(fitup::SceneSurfaces surfaces, double angleDegrees = 30);
  /// Restricts the check to pairs of a part at or below a node of the first set and one at or below a node of
  /// the second, as `InterferenceVisitor::addFirst` does.
  void addFirst(osg::Node* node);
  void addSecond(osg::Node* node);
  /// Removes both sets.
  void clearSets();

  /// Adds a function that is called after each new answer, in the order of addition, and returns its id. A
  /// callback may remove any callback and add new ones, which are first called for the next answer. Throws
  /// fitup::InputError for an empty function.
  unsigned int addCallback(Callback callback);
  /// Ignores an unknown id.
  void removeCallback(unsigned int id);
  /// An update callback for the root of the scene. It traverses the scene first, so that all callbacks below
  /// have moved their nodes. Observes the monitor.
  osg::Callback* getUpdateCallback();

  /// Looks for edits, checks them, takes what the worker has found, and runs the callbacks. Returns true if
  /// there is a new answer. Does not throw for a fault of the scene; see `getError`.
  bool update();
  /// Waits for the worker, then does what `update` does.
  bool finish();
  /// Makes the next update rebuild the assembly, and the models that do not match what their parts show.
  void dirty() noexcept;

  // Members about the last answer:
  /// The scene to which the ids of `getReport` belong. It is the scene of the last update, or, if the worker
  /// has not yet answered about later edits other than moves, the scene before those edits. It keeps
  /// references to its nodes until a later scene is answered, even if they have left the graph.
  [[nodiscard]] const SceneAssembly& getSceneAssembly() const noexcept;
  [[nodiscard]] const fitup::InterferenceReport& getReport() const noexcept;
  /// worldFromPart of the instances in the report, as the report uses it.
  [[nodiscard]] const fitup::Poses& getPlacements() const noexcept;
  /// The number of pairs that are not fully checked.
  [[nodiscard]] std::size_t getOpenPairs() const noexcept;
  /// The number of pairs whose verdicts are those of their triangles, although the options ask for exact
  /// shapes (`fitup::LiveAnswer::pairsOfTriangles`). If it is 0, `getReport` has caught up.
  [[nodiscard]] std::size_t getPairsOfTriangles() const noexcept;
  /// The reason why there is no report, from the error of `fitup::checkAllPairs`; empty if there is one.
  [[nodiscard]] const std::string& getError() const noexcept;
  /// Warnings about content of the scene (`getSceneAssembly`) that is not checked.
  [[nodiscard]] const std::vector<fitup::ImportWarning>& getWarnings() const noexcept;
  /// The time from the update that asked to the answer.
  [[nodiscard]] double getMilliseconds() const noexcept;
  /// The number of times the assembly was rebuilt, for edits other than moves.
  [[nodiscard]] std::size_t getRescans() const noexcept;

 protected:
  ~InterferenceMonitor() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace osgFitup
