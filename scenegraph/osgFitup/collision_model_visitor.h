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

/// Says that everything below a node is one part, whatever is named there (other marks below it are parts of
/// their own), or takes that back.
void markAsPart(osg::Node& node, bool isPart = true);
bool isMarkedAsPart(const osg::Node& node);

/// Makes the collision models of a subgraph that comes from anywhere, and gives them to its nodes
/// (`partModelOf`): `node->accept(visitor)`, like osg::KdTreeBuilder.
///
/// *Parts.* A drawable belongs to the nearest node above it that is a `PartNode` or marked (`markAsPart`);
/// without one to the nearest transform with a name; without one to the top-level child that it hangs under
/// (groups of which the masks let a single child be seen are followed first; a Geode, LOD or Sequence there
/// is one part). A node that is a part in one place of the graph is one in all of them. *Surfaces* are the
/// drawables of a part, in the order of traversal, or patches of them (`setSurfaces`). Below one part,
/// transforms without names are worked into the model's coordinates (double precision, so that double
/// vertices far from the origin keep their digits); after moving them visit again.
///
/// *What counts* is what is active when the visitor comes: node masks against the visitor's, switches,
/// sequences, of levels of detail the finest that is loaded. Primitives of every kind with an area; points
/// and lines are counted and left out. Whatever is left out besides is listed by `getWarnings`.
///
/// Parts that show the same drawables in the same way share one model. Models are built in parallel. Nodes
/// that carry a model are parts and keep it as long as it is of what they show: a model that was built by a
/// visitor is built anew once drawables of the part, their places, primitive sets or (dirtied or replaced)
/// static vertices are others, by the masks that it was built with. Dynamic vertices are for `refitParts`;
/// models of `createScene` stay, since their triangles have the numbers of a file. `setRebuild` builds all
/// anew, and also takes models from nodes that are no longer parts. Changes what the nodes carry only, in the
/// calling thread: call it from where the scene may be edited.
class CollisionModelVisitor : public osg::NodeVisitor {
 public:
  CollisionModelVisitor();
  META_NodeVisitor(osgFitup, CollisionModelVisitor)

  void setBuildOptions(const fitup::BuildOptions& options) { options_ = options; }
  [[nodiscard]] const fitup::BuildOptions& getBuildOptions() const noexcept { return options_; }
  /// 1 by default; `fitup::allCores`: one for each.
  void setThreads(unsigned int threads) { threads_ = threads; }
  [[nodiscard]] unsigned int getThreads() const noexcept { return threads_; }
  /// Phase "building hierarchies". When cancelled, no node is given a model.
  void setProgress(fitup::Progress progress) { progress_ = std::move(progress); }
  /// New models also for nodes that carry one of what they show.
  void setRebuild(bool rebuild) { rebuild_ = rebuild; }
  [[nodiscard]] bool getRebuild() const noexcept { return rebuild_; }
  /// The parts' models go into files that the scene is written to (`PartModel::setSaved`), those that they
  /// carry already too. Default: off; what a file has brought along stays in the next one.
  void setSaved(bool saved) { saved_ = saved; }
  [[nodiscard]] bool getSaved() const noexcept { return saved_; }
  /// What surfaces are: drawables unless set, or their primitive sets, or smooth patches within them, whose
  /// neighbours' normals differ by at most that angle (0 to 180 degrees). Each bears the name of its
  /// drawable, and no primitive is divided. Once this is set, models that were built otherwise are built
  /// anew; unset, each goes on as it was built.
  void setSurfaces(fitup::SceneSurfaces surfaces, double angleDegrees = 30) {
    division_ = {surfaces, angleDegrees};
  }

  using osg::NodeVisitor::apply;
  void apply(osg::Node& node) override;

  // Of the last subgraph visited:
  /// Nodes that are parts, with the models that they carry, each once, in the order of traversal.
  [[nodiscard]] const std::vector<osg::ref_ptr<osg::Node>>& getParts() const noexcept { return parts_; }
  /// Models built; parts may share them.
  [[nodiscard]] std::size_t getBuiltModels() const noexcept { return builtModels_; }
  [[nodiscard]] bool isCancelled() const noexcept { return cancelled_; }
  [[nodiscard]] std::size_t getPointsAndLines() const noexcept { return pointsAndLines_; }
  /// What was left out, by the path of the node; `incomplete` if it may have had an area.
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
