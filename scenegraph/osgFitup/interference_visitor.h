#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <osg/Drawable>
#include <osg/Matrixd>
#include <osg/NodeVisitor>
#include <osg/ObserverNodePath>
#include <osgUtil/IntersectionVisitor>

#include <fitup/geometry/triangle_intersection.h>
#include <fitup/scene/interference.h>
#include <osgFitup/scene_assembly.h>

namespace FITUP_EXPORT osgFitup {

/// A drawable of an instance, with its place in the scene.
struct InterferingDrawable {
  osg::RefNodePath nodePath;             ///< from the visited node to the drawable
  osg::ref_ptr<osg::Drawable> drawable;  ///< null if the graph no longer matches the model
  osg::Matrixd matrix;                   ///< world from drawable, for row vectors as everywhere in OSG
  fitup::NodeId instance{};              ///< in `InterferenceVisitor::getSceneAssembly`
  fitup::SurfaceId surface{};            ///< surface of the instance's part
};

/// Two primitives that intersect.
struct Interference {
  /// One of the two primitives.
  struct Side {
    std::shared_ptr<const InterferingDrawable> where;  ///< shared by hits of one drawable
    unsigned int primitiveIndex = 0;  ///< in the drawable, counted as osgUtil's intersectors do
    fitup::TriangleId triangle{};     ///< in the mesh of the instance's part

    // These throw fitup::InputError if `where` is null, as in a default-constructed side.
    [[nodiscard]] const osg::RefNodePath& getNodePath() const { return place().nodePath; }
    [[nodiscard]] osg::Drawable* getDrawable() const { return place().drawable.get(); }
    [[nodiscard]] const osg::Matrixd& getMatrix() const { return place().matrix; }

   private:
    [[nodiscard]] const InterferingDrawable& place() const;
  };
  /// The side with the smaller `instance` comes first.
  std::array<Side, 2> sides;
  /// The intersection of the two triangles, in world coordinates: a point, a segment or (if coplanar) a
  /// polygon.
  fitup::TriangleIntersection common;

  /// The number of points of `common`.
  [[nodiscard]] std::size_t getNumPoints() const noexcept { return common.count; }
  /// A point of `common` in world coordinates.
  [[nodiscard]] osg::Vec3d getWorldIntersectPoint(std::size_t point) const;
  /// A point of `common` in the coordinates of the drawable of a side (0 or 1).
  [[nodiscard]] osg::Vec3d getLocalIntersectPoint(std::size_t side, std::size_t point) const;
};

/// Finds, once, which drawables and primitives of a scene interfere: call `scene->accept(visitor)`, then
/// `getInterferences`. The answer is exact; the report is that of `fitup::checkAllPairs` on the same parts.
///
/// Drawables without a model first get one from a `CollisionModelVisitor` with the same masks, and so do
/// parts that no longer show what their model was built from. Nothing is therefore overlooked. A part of
/// `createScene` keeps its model: the model is refitted, or an `incomplete` warning names the part. Hide view
/// helpers such as draggers from the visitor with node masks, or turn `setBuildMissingModels` off. Node masks
/// select whole parts. World coordinates are those of the parent of the visited node.
class InterferenceVisitor : public osg::NodeVisitor {
 public:
  /// Limits, as in osgUtil::Intersector. NO_LIMIT: all pairs of primitives. LIMIT_ONE_PER_DRAWABLE: each pair
  /// of drawables once. LIMIT_ONE: any one pair. Pairs have no nearest one, so LIMIT_NEAREST throws
  /// fitup::InputError.
  using IntersectionLimit = osgUtil::Intersector::IntersectionLimit;

  InterferenceVisitor();
  META_NodeVisitor(osgFitup, InterferenceVisitor)

  /// Default: NO_LIMIT.
  void setIntersectionLimit(IntersectionLimit limit);
  [[nodiscard]] IntersectionLimit getIntersectionLimit() const noexcept { return limit_; }
  /// Rules, verdicts, threads, limits of pairs and time, touching. The limit decides the mode and
  /// `stopAtFirstPair`.
  void setOptions(const fitup::InterferenceOptions& options) { options_ = options; }
  [[nodiscard]] const fitup::InterferenceOptions& getOptions() const noexcept { return options_; }
  void setProgress(fitup::Progress progress) { progress_ = std::move(progress); }
  /// Default: on. If off, only parts that carry models are checked, and a warning counts the other drawables.
  /// A model that is out of date is then refitted if that is enough; otherwise a warning names it.
  void setBuildMissingModels(bool build) { buildMissing_ = build; }
  [[nodiscard]] bool getBuildMissingModels() const noexcept { return buildMissing_; }
  /// Refits the models of parts whose dynamic drawables (osg::Object::DYNAMIC) have new vertices before the
  /// check (`refitParts`). Default: on.
  void setRefit(bool refit) { refit_ = refit; }
  [[nodiscard]] bool getRefit() const noexcept { return refit_; }
  /// Options of models that have to be built; the hierarchy of the query options is added.
  void setBuildOptions(const fitup::BuildOptions& options) { build_ = options; }
  /// Chooses the surfaces, as `CollisionModelVisitor::setSurfaces` does.
  void setSurfaces(fitup::SceneSurfaces surfaces, double angleDegrees = 30) {
    division_ = {surfaces, angleDegrees};
  }

  /// Restricts the check to pairs of a part at or below a node of the first set and one at or below a node of
  /// the second. If only one set is given, the other one is all other parts; without both, all pairs are
  /// checked. Null nodes and nodes that the visitor does not reach are ignored.
  void addFirst(osg::Node* node) { first_.emplace_back(node); }
  void addSecond(osg::Node* node) { second_.emplace_back(node); }
  /// Removes both sets.
  void clearSets();

  using osg::NodeVisitor::apply;
  /// Checks the scene at or below the node; `accept` calls it. Throws like `fitup::checkAllPairs`.
  void apply(osg::Node& node) override;
  void reset() override;

  [[nodiscard]] bool containsInterferences() const noexcept { return report_.intersects(); }
  /// The pairs, sorted by instances and triangles. With LIMIT_ONE_PER_DRAWABLE, one pair of primitives for
  /// each pair of drawables.
  [[nodiscard]] const std::vector<Interference>& getInterferences() const noexcept { return interferences_; }
  /// The same result in terms of the toolkit, with status and statistics.
  [[nodiscard]] const fitup::InterferenceReport& getReport() const noexcept { return report_; }
  /// The scene to which the ids of `getReport` belong.
  [[nodiscard]] const SceneAssembly& getSceneAssembly() const noexcept { return scene_; }
  /// Warnings about content of the scene that is not checked.
  [[nodiscard]] const std::vector<fitup::ImportWarning>& getWarnings() const noexcept { return warnings_; }

 protected:
  ~InterferenceVisitor() override = default;

 private:
  [[nodiscard]] fitup::InterferenceOptions effectiveOptions() const;
  void list();

  IntersectionLimit limit_ = osgUtil::Intersector::NO_LIMIT;
  fitup::InterferenceOptions options_;
  fitup::BuildOptions build_;
  std::optional<SurfaceDivision> division_;
  bool buildMissing_ = true, refit_ = true;
  fitup::Progress progress_;
  std::vector<osg::ref_ptr<osg::Node>> first_, second_;

  SceneAssembly scene_;
  fitup::InterferenceReport report_;
  std::vector<Interference> interferences_;
  std::vector<fitup::ImportWarning> warnings_;
};

}  // namespace osgFitup
