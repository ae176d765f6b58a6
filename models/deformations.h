#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <fitup/geometry/aabb.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup::models {

/// Where a point of the part frame goes. The deformations of van den Bergen (1998, section 4): a twist, a
/// wave, features blown out of proportion, self-intersection.
using Deformation = std::function<Vec3(const Vec3&)>;

/// Turns cross sections about the line through the box's middle along its longest edge, by `radians` from one
/// end of the box to the other.
Deformation twist(const Box& box, double radians);
/// Moves points along z by `amplitude` sin(2 pi waves t + phase), t running from 0 to 1 over the box's x.
Deformation wave(const Box& box, double amplitude, double waves, double phase);
/// Scales distances from `centre` by `factor` there, fading to 1 at `radius`. A factor below 0 turns what is
/// near the centre inside out.
Deformation blowUp(const Vec3& centre, double radius, double factor);
/// Folds the upper half (z) down through the lower one and shears it by a hundredth of the box, so that the
/// part intersects itself.
Deformation foldThrough(const Box& box);

/// One of the above or two, one after the other; moderate to violent.
Deformation randomDeformation(const Box& box, std::uint64_t seed);

/// Where the points of a mesh go, in their order.
std::vector<Vec3> deformedPoints(const TriangleMesh& mesh, const Deformation& deformation);

}  // namespace fitup::models
