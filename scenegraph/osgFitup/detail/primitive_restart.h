#pragma once

#include <optional>
#include <vector>

#include <osg/Node>
#include <osg/StateSet>

#include <fitup/base/export.h>

// What is exported is for the importer, the plugins and the tests.
namespace osgFitup::detail {

/// The index that ends a primitive and begins another (osg::PrimitiveRestartIndex), as state sets say it one
/// below the other: by the rules of osg::State for inheritance, OVERRIDE and PROTECTED.
class FITUP_EXPORT PrimitiveRestart {
 public:
  /// State of a node below those that were applied before; null changes nothing.
  void apply(const osg::StateSet* state);
  /// Nothing where indices do not restart.
  [[nodiscard]] std::optional<unsigned int> index() const;

  friend auto operator<=>(const PrimitiveRestart&, const PrimitiveRestart&) = default;

 private:
  unsigned int mode_ = 0;   ///< flags of osg::StateAttribute
  unsigned int index_ = 0;  ///< OpenGL's own is 0
  unsigned int indexFlags_ = 0;
};

/// What the nodes of a path hand down, and what is above its first node by its first parents. Of the path's
/// last node too, unless it is a drawable. Linear in the depth.
FITUP_EXPORT PrimitiveRestart restartAlong(const osg::NodePath& path);
/// What all nodes above a node hand down to it, each different state once. Linear in the graph above it.
FITUP_EXPORT std::vector<PrimitiveRestart> restartsAbove(const osg::Node& node);

}  // namespace osgFitup::detail
