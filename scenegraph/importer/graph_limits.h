#pragma once

#include <osg/Node>

namespace fitup::importers {

/// Throws InputError for a scene that contains itself or is nested deeper than `deepestTree`, and for one
/// whose few nodes, by being shared, stand in more places than any program could hold.
void checkGraphLimits(const osg::Node& scene);

}  // namespace fitup::importers
