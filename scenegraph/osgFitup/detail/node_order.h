#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <osg/Group>
#include <osg/ref_ptr>

#include <fitup/scene/assembly.h>

namespace osgFitup::detail {

/// What a scene graph by itself does not tell of the assembly that it was made of, kept as user values: the
/// order of its nodes, where that is not depth first, and which subassemblies hold no parts. `createAssembly`
/// needs both to make the same assembly again, with the same ids and content hash.
///
/// `nodes`: those of the graph, by NodeId.
void rememberNodes(osg::Group& root, const fitup::Assembly& assembly,
                   std::span<const osg::ref_ptr<osg::Group>> nodes);

/// A subassembly without parts, which else no node of an assembly would stand for.
bool isRememberedSubassembly(const osg::Node& node);

/// The order in which nodes that were found depth first stood in the assembly, as positions among them.
/// `parents[i]`: the position of node i's parent. Depth first where nothing is remembered, or the graph was
/// edited so that it no longer fits.
std::vector<std::size_t> rememberedOrder(const osg::Node& root,
                                         std::span<const std::optional<std::size_t>> parents);

}  // namespace osgFitup::detail
