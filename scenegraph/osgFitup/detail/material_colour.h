#pragma once

#include <optional>

#include <osg/Node>

#include <fitup/mesh/surface.h>

namespace osgFitup::detail {

enum class MaterialStrength { any, overriding };

/// Returns the diffuse colour of the material in a node's own state set. Empty if there is no material, if it
/// takes its colour from the vertices, or (when an overriding one is requested) if it does not override those
/// below.
std::optional<fitup::Colour> materialColour(const osg::Node& node,
                                            MaterialStrength strength = MaterialStrength::any);

}  // namespace osgFitup::detail
