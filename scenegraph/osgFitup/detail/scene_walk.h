#pragma once

#include <span>
#include <string>
#include <vector>

#include <osg/NodeVisitor>
#include <osg/Object>

#include <fitup/geometry/transform.h>
#include <fitup/io/model_file.h>

// Exported for the importer, the plugins and the tests.
namespace osgFitup::detail {

/// Returns the names from the top of the path downwards, escaped and joined by '/' as in `fitup::Assembly`;
/// the class stands for a node without a name.
FITUP_EXPORT std::string pathText(const osg::NodePath& path);

/// Appends those that are not yet in `warnings`.
FITUP_EXPORT void addWarnings(std::span<const fitup::ImportWarning> more,
                              std::vector<fitup::ImportWarning>& warnings);

/// Whether a node of osgAnimation, osgTerrain, osgVolume or osgSim gets its shape only when it is shown.
FITUP_EXPORT bool isShapedWhileShown(const osg::Object& node);

/// Walks the active part of a subgraph (current state of switches and sequences, finest loaded level of
/// detail, node masks) and knows the placement of each node.
///
/// Nodes whose placement depends on the view or cannot be checked are left out, with a warning: cameras below
/// the first node, projections, billboards, automatic and absolute transforms, and matrices that are
/// singular, projective or not finite. So are levels of detail without a level for an eye at their centre,
/// sequences that have not begun, and files of paged levels and proxies that are not loaded. A warning is
/// incomplete unless nothing with an area is drawn there.
class FITUP_EXPORT SceneWalk : public osg::NodeVisitor {
 public:
  std::vector<fitup::ImportWarning> warnings;

  using osg::NodeVisitor::apply;
  void apply(osg::Node& node) final { visit(node, nullptr); }
  void apply(osg::Transform& node) final;
  void apply(osg::Camera& node) final;
  void apply(osg::Projection& node) final;
  void apply(osg::Billboard& node) final;
  void apply(osg::LOD& node) final;
  void apply(osg::ProxyNode& node) final;
  void apply(osg::Sequence& node) final;

 protected:
  SceneWalk() : osg::NodeVisitor(TRAVERSE_ACTIVE_CHILDREN) {}
  ~SceneWalk() override = default;

  /// Called for each node on the way; calls `traverse` to continue below it. `parentFromNode` is null for
  /// nodes that are not transforms.
  virtual void visit(osg::Node& node, const fitup::Transform* parentFromNode) = 0;

  /// Warns that the node at the end of the current path is left out; `incomplete` if it may hold parts.
  void leaveOut(const std::string& message, bool incomplete);

 private:
  /// Whether a child, or what is active below it, draws an area.
  [[nodiscard]] bool drawsAreaBelow(osg::Group& node) const;

  fitup::Transform worldFromParent_;
};

}  // namespace osgFitup::detail
