#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fitup_field/detail/axis_split.h>
#include <fitup_field/trees/aabb_tree.h>

namespace fitup::detail {

/// Makes the nodes of an AABB tree with leaves. All kinds of AABB trees use the same boxes.
std::vector<AabbNode> makeAabbNodes(const TriangleMesh& mesh, AabbSplit split, const WorkMeter& meter);

std::optional<std::string> problemOfAabbNodes(std::span<const AabbNode> nodes, const TriangleMesh& mesh);

void visitBoxesOfAabbNodes(std::span<const AabbNode> nodes, std::size_t deepest, const BoxVisit& visit);

}  // namespace fitup::detail
