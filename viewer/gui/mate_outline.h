#pragma once

#include <span>
#include <utility>
#include <vector>

#include <osg/Geode>

#include <fitup/scene/mates.h>

namespace fitup::viewer {

/// The border of faces of a part that are seen as one: the edges of their triangles that no other of these
/// triangles has. In the part's frame. O(n log n).
std::vector<std::pair<Vec3, Vec3>> borderOf(const TriangleMesh& mesh, std::span<const SurfaceId> surfaces);

/// The borders of the faces that a mate would bring together, in world coordinates: that of the moved part
/// light, the other one dark.
osg::ref_ptr<osg::Geode> outlineOf(const MateSuggestion& mate, const Scene& scene, const Poses& poses);

}  // namespace fitup::viewer
