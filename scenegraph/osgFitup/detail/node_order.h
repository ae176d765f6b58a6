#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <osg/Group>
#include <osg/ref_ptr>

#include <fitup/scene/assembly.h>

namespace osgFitup::detail {

/// Stores, as user values, what a scene graph does not express of its assembly: the order of the nodes, if it
/// is not depth first, and which subassemblies hold no parts. `createAssembly` needs both to make the same
/// assembly again, with the same ids and content hash.
///
/// `nodes`: those of the graph, by NodeId.
void rememberNodes(osg::Group& root, const fitup::Assembly& assembly,
                   std::span<const osg::ref_ptr<osg::Group>> nodes);

/// Whether the node is a subassembly without parts, which would otherwise not become a node of an assembly.
bool isRememberedSubassembly(const osg::Node& node);

/// Returns the order in the assembly of nodes that were found depth first, as positions among them.
/// `parents[i]`: the position of node i's parent. Depth first if nothing is stored, or if the graph was
/// edited so that the stored order no longer matches.
std::vector<std::size_t> rememberedOrder(const osg::Node& root,
                                         std::span<const std::optional<std::size_t>> parents);

}  // namespace osgFitup::detail
