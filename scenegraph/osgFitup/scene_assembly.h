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

/// An instance of a part as it stands in the scene graph.
struct SceneInstance {
  fitup::NodeId node{};          ///< in the assembly
  osg::RefNodePath path;         ///< from the node that was visited to the part's, both included
  osg::ref_ptr<PartModel> part;  ///< what its last node carries
};

/// A scene graph as an assembly: what the toolkit's queries take, and the way back from their ids to nodes,
/// drawables and primitives. A value; holds references to the nodes. Const members are thread-safe as long as
/// the graph is not edited.
struct SceneAssembly {
  fitup::Scene scene;  ///< as the graph stood when it was made
  fitup::Poses poses;  ///< of instances that have moved since, if somebody follows them (a monitor)
  std::vector<SceneInstance> instances;        ///< in the order of `scene.instances()`
  std::vector<osg::ref_ptr<osg::Node>> nodes;  ///< of the graph, by NodeId
  std::vector<fitup::ImportWarning> warnings;  ///< what is missing, of the graph and of the parts' models
  std::size_t drawablesOutsideParts = 0;       ///< at or below no part with a model

  [[nodiscard]] const fitup::Assembly& assembly() const noexcept { return scene.assembly(); }
  /// Throws fitup::InputError for a node that is no instance.
  [[nodiscard]] fitup::Transform worldFromPart(fitup::NodeId instance) const {
    return scene.worldFromPart(instance, poses);
  }
  /// Throws fitup::InputError for a node that is no instance.
  [[nodiscard]] const SceneInstance& at(fitup::NodeId node) const;
  /// The instances at or below a node of the graph, in their order.
  [[nodiscard]] std::vector<fitup::NodeId> instancesBelow(const osg::Node& node) const;
};

/// The assembly of the parts at or below a node that carry a model (`PartNode`, `CollisionModelVisitor`), in
/// their present placements: a node for each transform, part and named group above or at one of them, and
/// for the subassemblies without parts of a scene of `createScene`. The reverse of `createScene`: unit, up
/// axis, names, placements, the order of nodes, and so paths, node ids and `contentHash` come back bit by
/// bit, and queries give the same reports; parts are numbered in the order in which nodes show them. Other
/// graphs, and those whose nodes have been added or removed, give nodes depth first: each before those below
/// it, which come before its next sibling.
///
/// A group that is visited first gives its name to the assembly and is no node. `masks`: traversal mask and
/// override of that visitor; null: all nodes. Walks as `CollisionModelVisitor`; what it leaves out is in
/// `warnings`.
SceneAssembly createAssembly(osg::Node& root, const osg::NodeVisitor* masks = nullptr);

}  // namespace osgFitup
