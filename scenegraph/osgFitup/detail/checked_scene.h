#pragma once

#include <optional>
#include <vector>

#include <osg/NodeVisitor>

#include <fitup/base/progress.h>
#include <fitup/hierarchy/collision_model.h>
#include <fitup/scene/pair_selection.h>
#include <osgFitup/scene_assembly.h>

// Exported for the importer, the plugins and the tests.
namespace osgFitup::detail {

/// How to prepare a scene for a check.
struct SceneRequest {
  const osg::NodeVisitor* masks = nullptr;  ///< traversal mask and override; null takes all nodes
  bool buildMissing = true;  ///< builds models for drawables without one, and replaces stale models
  bool refit = true;         ///< refits models whose dynamic drawables have moved vertices
  fitup::BuildOptions build{};
  fitup::Progress progress{};
  /// For scenes of unknown origin. Models that they bring along are used only if they match the triangles
  /// that are drawn, whose numbers are rounded by at most this share of themselves; otherwise they are
  /// rebuilt, with a warning. If unset, they are trusted.
  std::optional<double> drawnRounding{};
  /// The surfaces of built models; models with another division are rebuilt. If unset, models keep the
  /// division that they had, and new ones use drawables.
  std::optional<SurfaceDivision> division{};
};

/// A scene as input of the queries, and what it lacks.
struct CheckedScene {
  SceneAssembly scene;
  std::vector<fitup::ImportWarning> warnings;
  std::size_t pointsAndLines = 0;  ///< left out of the models that were built for it
  bool cancelled = false;
};
FITUP_EXPORT CheckedScene checkedScene(osg::Node& root, const SceneRequest& request);

/// Finds the instances at or below a node of the first set and of the second. A set that is empty stands for
/// all instances that are not in the other one; if both are empty, all pairs are selected.
FITUP_EXPORT fitup::PairSelection selectionOf(const SceneAssembly& scene,
                                              const std::vector<osg::ref_ptr<osg::Node>>& first,
                                              const std::vector<osg::ref_ptr<osg::Node>>& second);

/// True if an instance lies at or below the node.
FITUP_EXPORT bool selectsAny(const SceneAssembly& scene, const osg::Node& node);

}  // namespace osgFitup::detail
