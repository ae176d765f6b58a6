#pragma once

#include <vector>

#include <fitup/geometry/transform.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup::models {

// Stand-ins for models of the field's papers that are not public: the same number of triangles and the same
// kind of shape, made by formula or from a seed. What is measured on them is not what was measured on the
// originals.

/// A long body with four thin swept wings, 6,084 triangles (for the X-wing of van den Bergen 1998).
TriangleMesh makeCraft();
/// A squat body with a spout and a handle, 3,752 triangles (for the teapot of the same paper).
TriangleMesh makePot();
/// A tube around a trefoil, `around` x `across` quads of two triangles (for the knots of Terdiman 2001).
TriangleMesh makeKnot(int around = 160, int across = 16);
/// Straight open tubes of long thin triangles along the axes, through a cube of side `size` about the origin:
/// 143,690 triangles (for the pipes of Gottschalk, Lin and Manocha 1996).
TriangleMesh makePipes(double size = 1, std::uint64_t seed = 1);
/// A square field of side 20 about the origin with dimples and teeth, a tall spike in its middle: 98,000
/// triangles (for the landscape of the same paper).
TriangleMesh makeLandscape(std::uint64_t seed = 1);
/// A wrinkled torus of 20,000 triangles that goes round the spike (same paper).
TriangleMesh makeRing();

/// Where pipes of size 1/15 are on its way to the middle of the large ones: they tumble and
/// slow down.
std::vector<Transform> pipesTrack(std::size_t steps = 4008, std::uint64_t seed = 1);
/// Where the ring is on its way down the spike: it tumbles, bounces and comes to rest.
std::vector<Transform> ringTrack(std::size_t steps = 1298, std::uint64_t seed = 1);

}  // namespace fitup::models
