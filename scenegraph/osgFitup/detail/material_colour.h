#pragma once

#include <optional>

#include <osg/Node>

#include <fitup/mesh/surface.h>

namespace osgFitup::detail {

enum class MaterialStrength { any, overriding };

/// The diffuse colour of the material in a node's own state set. Nothing if it has none, one that takes its
/// colour from the vertices, or (if asked for an overriding one) one that gives way to those below.
std::optional<fitup::Colour> materialColour(const osg::Node& node,
                                            MaterialStrength strength = MaterialStrength::any);

}  // namespace osgFitup::detail
