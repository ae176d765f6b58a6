#pragma once

#include <array>
#include <cstdint>

#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// Lower bounds on the distances of a point from the children of a node, or the triangles of a leaf.
using EightDistances = std::array<float, 8>;

/// Computes the distances of a point from eight boxes with these centres and half extents by axis, in single
/// precision, less 2^-22 of `magnitude`, which is at least the largest coordinate of boxes and point.
void boundBoxDistances(const std::array<std::array<float, 8>, 3>& centre,
                       const std::array<std::array<float, 8>, 3>& half, const Vec3& p, double magnitude,
                       EightDistances& bounds);

/// Computes lower bounds for up to eight triangles at once, in single precision. `rows` are the rows of the
/// leaf's packet (`WideBvh::packets`), with `count` triangles. `magnitude` is at least the largest coordinate
/// of the triangles and of the point.
///
/// A bound is that of the box, or of the plane and the edges beyond whose lines the foot of the point lies,
/// whichever is larger; the latter is the distance itself unless a corner is nearest. Sums of products are
/// off by a few units of roundoff of the products of their lengths, by which they are lowered before they are
/// divided; so slivers only have worse bounds. Coordinates are divided by `magnitude`, and what is too small
/// for a square of a square in single precision has no bound but the box.
void boundLeafDistances(const float* rows, std::uint32_t count, const Vec3& p, double magnitude,
                        EightDistances& bounds);

}  // namespace fitup::detail
