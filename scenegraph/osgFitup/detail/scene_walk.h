#pragma once

#include <span>
#include <string>
#include <vector>

#include <osg/NodeVisitor>
#include <osg/Object>

#include <fitup/geometry/transform.h>
#include <fitup/io/model_file.h>

// What is exported is for the importer, the plugins and the tests.
namespace osgFitup::detail {

/// Names from the top of the path downwards, escaped and joined by '/' as in `fitup::Assembly`; a node
/// without a name is called by its class.
FITUP_EXPORT std::string pathText(const osg::NodePath& path);

/// Appends those that are not there yet.
FITUP_EXPORT void addWarnings(std::span<const fitup::ImportWarning> more,
                              std::vector<fitup::ImportWarning>& warnings);

/// Whether a node of osgAnimation, osgTerrain, osgVolume or osgSim has its shape only once it is shown.
FITUP_EXPORT bool isShapedWhileShown(const osg::Object& node);

/// Walks what is active of a subgraph (switches and sequences as they are, the finest loaded level of detail,
/// node masks) and knows where each node lies. Nodes whose place depends on the view or whose placement
/// cannot be answered are left out, with a warning: cameras below the first node, projections, billboards,
/// automatic and absolute transforms, matrices that are singular, projective or not finite. So are levels of
/// detail of which none is for an eye at their centre, sequences that have not begun, and files of paged
/// levels and proxies that are not loaded. A warning is incomplete unless nothing with an area is drawn
/// there.
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

  /// A node on the way; to go on downwards is up to it (`traverse`). `parentFromNode` is null for nodes that
  /// are no transforms.
  virtual void visit(osg::Node& node, const fitup::Transform* parentFromNode) = 0;

  /// Says that the node at the end of the current path is missing from what is found; `incomplete` if it may
  /// hold parts.
  void leaveOut(const std::string& message, bool incomplete);

 private:
  /// Whether an area is drawn by a child, or by what is active below it.
  [[nodiscard]] bool drawsAreaBelow(osg::Group& node) const;

  fitup::Transform worldFromParent_;
};

}  // namespace osgFitup::detail
