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

/// A drawable of an instance, where it is.
struct InterferingDrawable {
  osg::RefNodePath nodePath;             ///< from the node that was visited to the drawable
  osg::ref_ptr<osg::Drawable> drawable;  ///< null where the graph no longer is as the model knows it
  osg::Matrixd matrix;                   ///< world from drawable, row vectors as everywhere in OSG
  fitup::NodeId instance{};              ///< in `InterferenceVisitor::getSceneAssembly`
  fitup::SurfaceId surface{};            ///< of the instance's part
};

/// Two primitives that intersect: one side of the pair each.
struct Interference {
  struct Side {
    std::shared_ptr<const InterferingDrawable> where;  ///< shared by hits of one drawable
    unsigned int primitiveIndex = 0;                   ///< of the drawable, as osgUtil's intersectors count
    fitup::TriangleId triangle{};                      ///< of the instance's part

    // Throw fitup::InputError where `where` is null, as in one that no visitor has made.
    [[nodiscard]] const osg::RefNodePath& getNodePath() const { return place().nodePath; }
    [[nodiscard]] osg::Drawable* getDrawable() const { return place().drawable.get(); }
    [[nodiscard]] const osg::Matrixd& getMatrix() const { return place().matrix; }

   private:
    [[nodiscard]] const InterferingDrawable& place() const;
  };
  /// That of the smaller `instance` first.
  std::array<Side, 2> sides;
  /// What the two triangles have in common, in the world: a point, a segment or (coplanar) a polygon.
  fitup::TriangleIntersection common;

  [[nodiscard]] std::size_t getNumPoints() const noexcept { return common.count; }
  [[nodiscard]] osg::Vec3d getWorldIntersectPoint(std::size_t point) const;
  /// In the coordinates of the drawable of a side (0 or 1).
  [[nodiscard]] osg::Vec3d getLocalIntersectPoint(std::size_t side, std::size_t point) const;
};

/// Which drawables and primitives of a scene interfere, asked once: `scene->accept(visitor)`, then
/// `getInterferences`. Exact; the report is that of `fitup::checkAllPairs` on the same parts.
///
/// Drawables that belong to no part with a model are given one first, by a `CollisionModelVisitor` of the
/// same masks, and so are parts that show something else than what their model was
/// built from, so that nothing is overlooked. A part of `createScene` keeps its model: it is refitted, or an
/// `incomplete` warning names it. Helpers of the view, such as draggers,
/// are hidden from the visitor by their node masks, or `setBuildMissingModels` is turned off. Node masks
/// select whole parts. World coordinates are those of the node that is visited.
class InterferenceVisitor : public osg::NodeVisitor {
 public:
  /// As osgUtil::Intersector has them. NO_LIMIT: all pairs of primitives. LIMIT_ONE_PER_DRAWABLE: each pair
  /// of drawables once. LIMIT_ONE: any one pair. There is no nearest: LIMIT_NEAREST throws fitup::InputError.
  using IntersectionLimit = osgUtil::Intersector::IntersectionLimit;

  InterferenceVisitor();
  META_NodeVisitor(osgFitup, InterferenceVisitor)

  void setIntersectionLimit(IntersectionLimit limit);
  [[nodiscard]] IntersectionLimit getIntersectionLimit() const noexcept { return limit_; }
  /// Rules, verdicts, threads, limits of pairs and time, touching. Mode and `stopAtFirstPair` follow the
  /// limit.
  void setOptions(const fitup::InterferenceOptions& options) { options_ = options; }
  [[nodiscard]] const fitup::InterferenceOptions& getOptions() const noexcept { return options_; }
  void setProgress(fitup::Progress progress) { progress_ = std::move(progress); }
  /// Off: only parts that carry models are asked about, a warning counts other drawables, and models that are
  /// out of date are refitted if that is enough, else named by a warning. Default: on.
  void setBuildMissingModels(bool build) { buildMissing_ = build; }
  [[nodiscard]] bool getBuildMissingModels() const noexcept { return buildMissing_; }
  /// Models of parts whose dynamic drawables (osg::Object::DYNAMIC) have other vertices than when the models
  /// were made are refitted first (`refitParts`). Default: on.
  void setRefit(bool refit) { refit_ = refit; }
  [[nodiscard]] bool getRefit() const noexcept { return refit_; }
  /// Of models that have to be made; they carry the hierarchy that the options ask for besides.
  void setBuildOptions(const fitup::BuildOptions& options) { build_ = options; }
  /// What surfaces are, as `CollisionModelVisitor::setSurfaces`.
  void setSurfaces(fitup::SceneSurfaces surfaces, double angleDegrees = 30) {
    division_ = {surfaces, angleDegrees};
  }

  /// Only pairs of a part at or below a node of the first set and one at or below a node of the second.
  /// Without a second set (null or empty) the other side is any part that is not in the first; without both,
  /// all pairs. Nodes that are not met on the way count for nothing.
  void addFirst(osg::Node* node) { first_.emplace_back(node); }
  void addSecond(osg::Node* node) { second_.emplace_back(node); }
  void clearSets();

  using osg::NodeVisitor::apply;
  /// Throws as `fitup::checkAllPairs`.
  void apply(osg::Node& node) override;
  void reset() override;

  [[nodiscard]] bool containsInterferences() const noexcept { return report_.intersects(); }
  /// Sorted by instances and triangles. With LIMIT_ONE_PER_DRAWABLE one pair of primitives for each pair of
  /// drawables.
  [[nodiscard]] const std::vector<Interference>& getInterferences() const noexcept { return interferences_; }
  /// The same in the toolkit's words, with status and statistics.
  [[nodiscard]] const fitup::InterferenceReport& getReport() const noexcept { return report_; }
  [[nodiscard]] const SceneAssembly& getSceneAssembly() const noexcept { return scene_; }
  /// What of the scene has not been asked about.
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
