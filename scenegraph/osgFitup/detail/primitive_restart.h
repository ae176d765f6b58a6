#pragma once

#include <optional>
#include <vector>

#include <osg/Node>
#include <osg/StateSet>

#include <fitup/base/export.h>

// Exported for the importer, the plugins and the tests.
namespace osgFitup::detail {

/// The index that ends a primitive and begins another (osg::PrimitiveRestartIndex), as nested state sets
/// define it, by the rules of osg::State for inheritance, OVERRIDE and PROTECTED.
class FITUP_EXPORT PrimitiveRestart {
 public:
  /// Applies the state of a node below those applied before; null changes nothing.
  void apply(const osg::StateSet* state);
  /// Empty if indices do not restart.
  [[nodiscard]] std::optional<unsigned int> index() const;

  friend auto operator<=>(const PrimitiveRestart&, const PrimitiveRestart&) = default;

 private:
  unsigned int mode_ = 0;   ///< flags of osg::StateAttribute
  unsigned int index_ = 0;  ///< the default of OpenGL is 0
  unsigned int indexFlags_ = 0;
};

/// Returns the restart state that the nodes of a path pass down; above the first node, it follows first
/// parents. Includes the path's last node, unless that is a drawable. Linear in the depth.
FITUP_EXPORT PrimitiveRestart restartAlong(const osg::NodePath& path);
/// Returns each different restart state that the nodes above a node pass down to it. Linear in the graph
/// above it.
FITUP_EXPORT std::vector<PrimitiveRestart> restartsAbove(const osg::Node& node);

}  // namespace osgFitup::detail
