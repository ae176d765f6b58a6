#pragma once

#include <osg/Node>

namespace fitup::importers {

/// Throws InputError for a scene that contains itself, that is nested deeper than `deepestTree`, or whose
/// shared nodes occur in more places than a program could hold.
void checkGraphLimits(const osg::Node& scene);

}  // namespace fitup::importers
