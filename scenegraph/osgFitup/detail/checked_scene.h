#pragma once

#include <optional>
#include <vector>

#include <osg/NodeVisitor>

#include <fitup/base/progress.h>
#include <fitup/hierarchy/collision_model.h>
#include <fitup/scene/pair_selection.h>
#include <osgFitup/scene_assembly.h>

// What is exported is for the importer, the plugins and the tests.
namespace osgFitup::detail {

/// How a scene is made ready for a check.
struct SceneRequest {
  const osg::NodeVisitor* masks = nullptr;  ///< traversal mask and override; null: all nodes
  bool buildMissing = true;  ///< models of drawables that no model knows of, and in place of stale ones
  bool refit = true;         ///< models whose dynamic drawables have other vertices now
  fitup::BuildOptions build{};
  fitup::Progress progress{};
  /// For scenes of unknown origin: models that they bring along are used only where they are of the triangles
  /// that are drawn, whose numbers are rounded to this part of themselves; else they are built anew, with a
  /// warning. Unset: they are taken at their word.
  std::optional<double> drawnRounding{};
  /// Of models that are built; what was built otherwise is built anew. Unset: as models had it, else
  /// drawables.
  std::optional<SurfaceDivision> division{};
};

/// A scene as the queries take it, and what is missing from it.
struct CheckedScene {
  SceneAssembly scene;
  std::vector<fitup::ImportWarning> warnings;
  std::size_t pointsAndLines = 0;  ///< left out of the models that were built for it
  bool cancelled = false;
};
FITUP_EXPORT CheckedScene checkedScene(osg::Node& root, const SceneRequest& request);

/// Which instances are at or below a node of the first set and of the second. A set that is not given
/// (empty) is all that the other one leaves; without both, all pairs.
FITUP_EXPORT fitup::PairSelection selectionOf(const SceneAssembly& scene,
                                              const std::vector<osg::ref_ptr<osg::Node>>& first,
                                              const std::vector<osg::ref_ptr<osg::Node>>& second);

}  // namespace osgFitup::detail
