#pragma once

#include <vector>

#include <viewer/core/flat_region.h>

namespace fitup::viewer {

/// Divides a region into triangles, three points each, by OpenSceneGraph's tessellator (GLU). Empty if that
/// fails, so that nothing is drawn rather than something wrong.
std::vector<FlatPoint> trianglesOf(const FlatRegion& region);

}  // namespace fitup::viewer
