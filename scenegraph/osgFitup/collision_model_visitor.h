#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <osg/NodeVisitor>
#include <osg/ref_ptr>

#include <fitup/base/progress.h>
#include <fitup/hierarchy/collision_model.h>
#include <fitup/io/model_file.h>
#include <osgFitup/part_model.h>

namespace FITUP_EXPORT osgFitup {

namespace detail {
class PartCollector;
}

/// Marks a node as one part, or removes the mark. The part is everything below the node, whatever names there
/// are, except other marked nodes, which are parts of their own.
void markAsPart(osg::Node& node, bool isPart = true);
bool isMarkedAsPart(const osg::Node& node);

/// Builds the collision models of a subgraph from any source and gives them to its nodes (`partModelOf`). Use
/// it like osg::KdTreeBuilder: `node->accept(visitor)`.
///
/// *Parts.* A drawable belongs to the nearest node above it that is a `PartNode` or marked (`markAsPart`). If
/// there is none, it belongs to the nearest transform with a name, and otherwise to the top-level child that
/// it is below. Groups with only one child that the masks show are skipped before top-level children are
/// taken; a Geode, LOD or Sequence there is one part. A node that is a part in one place of the graph is one
/// in all of them. The *surfaces* of a part are its drawables, in the order of traversal, or patches of them
/// (`setSurfaces`). Transforms without names below a part are applied to the coordinates of the model (in
/// double precision, so that double vertices far from the origin keep their digits); visit again after moving
/// them.
///
/// *Active content* at the time of the visit goes into the models: what node masks and the visitor's masks,
/// switches and sequences show, and the finest loaded level of detail. Primitives of every kind that have an
/// area count; points and lines are counted and left out. `getWarnings` lists everything else that is left
/// out.
///
/// Parts that show the same drawables in the same way share one model. Models are built in parallel. A node
/// that carries a model is a part, and keeps the model as long as it matches what the node shows. A model
/// that a visitor built is rebuilt after a change of the part's drawables, their placements, their primitive
/// sets, or their static vertices (dirtied or replaced), as seen through the masks with which it was built.
/// Dynamic vertices are left to `refitParts`. Models of `createScene` are kept, because their triangles have
/// the numbers of a file. `setRebuild` rebuilds all models, and removes those of nodes that are no longer
/// parts. The visitor changes only the models that nodes carry, in the calling thread: call it where the
/// scene may be edited.
class CollisionModelVisitor : public osg::NodeVisitor {
 public:
  CollisionModelVisitor();
  META_NodeVisitor(osgFitup, CollisionModelVisitor)

  /// Options of the models that are built.
  void setBuildOptions(const fitup::BuildOptions& options) { options_ = options; }
  [[nodiscard]] const fitup::BuildOptions& getBuildOptions() const noexcept { return options_; }
  /// Default: 1. `fitup::allCores` uses one for each core.
  void setThreads(unsigned int threads) { threads_ = threads; }
  [[nodiscard]] unsigned int getThreads() const noexcept { return threads_; }
  /// The phase is "building hierarchies". After a cancellation, no node is given a model.
  void setProgress(fitup::Progress progress) { progress_ = std::move(progress); }
  /// Also rebuilds models that match what their nodes show. Default: off.
  void setRebuild(bool rebuild) { rebuild_ = rebuild; }
  [[nodiscard]] bool getRebuild() const noexcept { return rebuild_; }
  /// Writes the models of the parts, including those that they already carry, to the files to which the scene
  /// is saved (`PartModel::setSaved`). Default: off; models that came from a file are saved again.
  void setSaved(bool saved) { saved_ = saved; }
  [[nodiscard]] bool getSaved() const noexcept { return saved_; }
  /// Chooses the surfaces: drawables (the default), their primitive sets, or smooth patches within them, in
  /// which the normals of neighbours differ by at most `angleDegrees` (0 to 180). Each surface has the name
  /// of its drawable, and no primitive is divided. After a call, models that were built with a different
  /// choice are rebuilt; without one, each model keeps the choice with which it was built.
  void setSurfaces(fitup::SceneSurfaces surfaces, double angleDegrees = 30) {
    division_ = {surfaces, angleDegrees};
  }

  using osg::NodeVisitor::apply;
  /// Builds the models of the scene at or below the node; `accept` calls it.
  void apply(osg::Node& node) override;

  // Results of the last visit:
  /// The nodes that are parts, with the models that they carry, each once, in the order of traversal.
  [[nodiscard]] const std::vector<osg::ref_ptr<osg::Node>>& getParts() const noexcept { return parts_; }
  /// The number of models built; parts may share them.
  [[nodiscard]] std::size_t getBuiltModels() const noexcept { return builtModels_; }
  /// Whether the visit was cancelled.
  [[nodiscard]] bool isCancelled() const noexcept { return cancelled_; }
  /// The number of points and lines left out.
  [[nodiscard]] std::size_t getPointsAndLines() const noexcept { return pointsAndLines_; }
  /// Everything that was left out, by the path of its node; `incomplete` if it may have had an area.
  [[nodiscard]] const std::vector<fitup::ImportWarning>& getWarnings() const noexcept { return warnings_; }

 protected:
  ~CollisionModelVisitor() override = default;

 private:
  struct Plan;
  Plan planFor(osg::Node& node);
  bool buildMissing(Plan& plan);
  void rememberContents(osg::Node& node, PartModel& model, const SurfaceDivision& division) const;

  fitup::BuildOptions options_;
  unsigned int threads_ = 1;
  fitup::Progress progress_;
  bool rebuild_ = false, saved_ = false;
  std::optional<SurfaceDivision> division_;

  std::vector<osg::ref_ptr<osg::Node>> parts_;
  std::vector<fitup::ImportWarning> warnings_;
  std::size_t builtModels_ = 0, pointsAndLines_ = 0;
  bool cancelled_ = false;
};

}  // namespace osgFitup
