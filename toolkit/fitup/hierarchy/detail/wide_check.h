#pragma once

#include <optional>
#include <string>

#include <fitup/hierarchy/wide_bvh.h>

namespace fitup::detail {

/// Implements `WideBvh::problemFor`.
std::optional<std::string> problemOfWide(const WideBvh& tree, const TriangleMesh& mesh, bool boxes,
                                         const WorkMeter& meter, unsigned threads);

}  // namespace fitup::detail
