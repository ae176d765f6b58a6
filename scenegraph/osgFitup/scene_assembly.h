#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include <osg/NodeVisitor>
#include <osg/ObserverNodePath>

#include <fitup/io/model_file.h>
#include <fitup/scene/scene.h>
#include <osgFitup/part_model.h>

namespace FITUP_EXPORT osgFitup {

/// An instance of a part, with its place in the scene graph.
struct SceneInstance {
  fitup::NodeId node{};          ///< in the assembly
  osg::RefNodePath path;         ///< from the visited node to that of the part, both included
  osg::ref_ptr<PartModel> part;  ///< the model that the last node carries
};

/// A scene graph as an assembly: the input of the toolkit's queries, and the map from their ids back to
/// nodes, drawables and primitives. A value that holds references to the nodes. Const members are thread-safe
/// while the graph is not edited.
struct SceneAssembly {
  fitup::Scene scene;  ///< the graph at the time of creation
  fitup::Poses poses;  ///< placements of instances that have moved since, if a monitor follows them
  std::vector<SceneInstance> instances;        ///< in the order of `scene.instances()`
  std::vector<osg::ref_ptr<osg::Node>> nodes;  ///< nodes of the graph, by NodeId
  std::vector<fitup::ImportWarning> warnings;  ///< about what the graph and the models of its parts lack
  std::size_t drawablesOutsideParts = 0;       ///< those at or below no part with a model

  [[nodiscard]] const fitup::Assembly& assembly() const noexcept { return scene.assembly(); }
  /// Throws fitup::InputError for a node that is not an instance.
  [[nodiscard]] fitup::Transform worldFromPart(fitup::NodeId instance) const {
    return scene.worldFromPart(instance, poses);
  }
  /// Throws fitup::InputError for a node that is not an instance.
  [[nodiscard]] const SceneInstance& at(fitup::NodeId node) const;
  /// The instances at or below a node of the graph, in their order.
  [[nodiscard]] std::vector<fitup::NodeId> instancesBelow(const osg::Node& node) const;
};

/// Makes the assembly of the parts at or below `root` that carry a model (`PartNode`,
/// `CollisionModelVisitor`), in their current placements. The assembly has a node for each transform, part
/// and named group at or above a part, and for the empty subassemblies of a scene of `createScene`.
///
/// It is the reverse of `createScene`: unit, up axis, names, placements and the order of nodes come back bit
/// for bit, and with them paths, node ids and `contentHash`; queries give the same reports. Parts are
/// numbered in the order in which nodes show them. Other graphs, and those whose nodes have been added or
/// removed, give nodes depth first: each node before those below it, and these before its next sibling.
///
/// If `root` is a plain group, neither transform nor part, it names the assembly and is not a node of it.
/// `masks` supplies the traversal mask and override; null takes all nodes. The walk is that of
/// `CollisionModelVisitor`; `warnings` lists what it leaves out.
SceneAssembly createAssembly(osg::Node& root, const osg::NodeVisitor* masks = nullptr);

}  // namespace osgFitup
