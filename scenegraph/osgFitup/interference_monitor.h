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

/// Keeps the interference of a scene while it is edited: asks again about what has changed, and about nothing
/// else, and says so. `getReport` is then what an `InterferenceVisitor` of the same sets and options gives.
///
///     monitor = new osgFitup::InterferenceMonitor(scene);
///     monitor->addCallback([](const auto& m) { use(m.getSceneAssembly(), m.getReport()); });
///     scene->addUpdateCallback(monitor->getUpdateCallback());    // or monitor->update() once a frame
///
/// *Edits.* Transforms, children, node masks, switches, levels of detail and models of parts are looked at in
/// each update, which costs time for each group, not for each drawable; vertices of dynamic drawables
/// (osg::Object::DYNAMIC), once dirtied, lead to a refitted model. After anything else (names, drawables'
/// masks, primitive sets, a drawable put in place of another within a part, transforms without names inside a
/// part, dirtied vertices of static drawables) call `dirty`. Parts that were edited within are given a new
/// model, as `InterferenceVisitor` says.
///
/// *Time.* With `request.limits.timeBudget` in the options an update asks no longer than that; what is left
/// makes the report `truncated`, and the next updates go on with it, also when nothing moves.
///
/// The monitor refers to the scene, the scene's callback does not own the monitor: let go of the monitor and
/// it stops. All members are for the update phase and one thread; callbacks are called from `update`.
class InterferenceMonitor : public osg::Referenced {
 public:
  /// Where queries run.
  enum class Where {
    inUpdate,  ///< an answer is for the scene as it is in that update
    /// Updates take no longer than to look for edits; answers come a frame or more later, in the order of the
    /// updates that asked, some of which share one. What was begun before an edit of the scene is answered
    /// for the scene as it was (`getSceneAssembly`), so that answers come also while every frame has an edit;
    /// what was asked with other settings or before an error is not.
    onWorker,
  };
  using Callback = std::function<void(const InterferenceMonitor&)>;

  /// Of the parts at or below `root`; world coordinates are those that `root` hangs in. Throws
  /// fitup::InputError for null.
  explicit InterferenceMonitor(osg::Node* root);
  InterferenceMonitor(const InterferenceMonitor&) = delete;
  InterferenceMonitor& operator=(const InterferenceMonitor&) = delete;

  void setWhere(Where where);
  [[nodiscard]] Where getWhere() const noexcept;
  /// Mode, rules, verdicts, limits, threads; default: all pairs of surfaces. A limit of pairs and
  /// `stopAtFirstPair` have no meaning here: an update says so as an error.
  void setOptions(const fitup::InterferenceOptions& options);
  [[nodiscard]] const fitup::InterferenceOptions& getOptions() const noexcept;
  /// Masks as those of a visitor.
  void setTraversalMask(osg::Node::NodeMask mask);
  /// As `InterferenceVisitor` has them; models are built in the update that needs them.
  void setBuildMissingModels(bool build);
  void setBuildOptions(const fitup::BuildOptions& options);
  /// What surfaces are, as `CollisionModelVisitor::setSurfaces`.
  void setSurfaces(fitup::SceneSurfaces surfaces, double angleDegrees = 30);
  /// Parts and subassemblies to be watched: pairs of a part at or below a node of the first set and one at or
  /// below a node of the second, as `InterferenceVisitor::addFirst` says.
  void addFirst(osg::Node* node);
  void addSecond(osg::Node* node);
  void clearSets();

  /// Called after each new answer, in the order they were added. One may remove any and add some; those wait
  /// for the next answer. Throws fitup::InputError for an empty one.
  unsigned int addCallback(Callback callback);
  void removeCallback(unsigned int id);
  /// To be given to the scene's root; it traverses first, so that the callbacks of all nodes below have moved
  /// them before. Observes the monitor.
  osg::Callback* getUpdateCallback();

  /// Looks for edits, asks about them, takes what the worker has found, calls back. True if there is a new
  /// answer. Throws nothing for what is wrong with the scene: see `getError`.
  bool update();
  /// Waits for the worker, then as `update`.
  bool finish();
  /// Makes the assembly anew in the next update, and the models that do not fit what their parts show.
  void dirty() noexcept;

  // Of the last answer:
  /// The scene that the ids of `getReport` are those of: as it is in the last update, or, while the worker
  /// has not answered about the last edits other than moves, as it was in the last update before those. It
  /// refers to its nodes until there is an answer about a later one, though they may hang nowhere any more.
  [[nodiscard]] const SceneAssembly& getSceneAssembly() const noexcept;
  [[nodiscard]] const fitup::InterferenceReport& getReport() const noexcept;
  /// worldFromPart that the report is about, of the instances in it.
  [[nodiscard]] const fitup::Poses& getPlacements() const noexcept;
  /// Pairs that have not been checked to the end.
  [[nodiscard]] std::size_t getOpenPairs() const noexcept;
  /// Empty, or why there is no report: what `fitup::checkAllPairs` throws.
  [[nodiscard]] const std::string& getError() const noexcept;
  /// What of the scene (`getSceneAssembly`) is not asked about.
  [[nodiscard]] const std::vector<fitup::ImportWarning>& getWarnings() const noexcept;
  /// From the update that asked to the answer.
  [[nodiscard]] double getMilliseconds() const noexcept;
  /// Times that the assembly was made anew, for edits other than moves.
  [[nodiscard]] std::size_t getRescans() const noexcept;

 protected:
  ~InterferenceMonitor() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace osgFitup
