#pragma once

#include <string>

#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/geometry/transform.h>
#include <fitup/geometry/triangle_intersection.h>
#include <fitup/geometry/vec3.h>

/// Answers that share no code with the toolkit: CGAL's filtered exact predicates, and rational arithmetic
/// (GMP) that follows definitions instead of fast methods. Only the .cpp includes CGAL and GMP.
namespace fitup::test {

/// Returns the sign of |a-d; b-d; c-d|: by CGAL's filtered predicate, and from the definition in rationals.
int cgalOrient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
int rationalOrient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
/// Whether |value - exact| <= bound * |exact| for the same determinant.
bool orient3dWithin(double value, double bound, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
/// Returns the sign of (a-c) x (b-c) without axis `dropAxis`, the other two in cyclic order.
int rationalOrient2d(const Vec3& a, const Vec3& b, const Vec3& c, int dropAxis);
bool rationalDegenerate(const Triangle& t);

/// Whether the closed triangles meet; CGAL gets a degenerate one as the segment or point that it is. Fast.
bool cgalIntersect(const Triangle& a, const Triangle& b);

/// Computes the same from the definition: the first triangle is clipped by the half-spaces whose intersection
/// is the second one. For `exclude`: relative interiors meet exactly if the mean of the corners of the common
/// part, which is a point of its relative interior, lies in both relative interiors (Rockafellar, Convex
/// Analysis, theorem 6.5). About 0.1 ms.
bool rationalIntersect(const Triangle& a, const Triangle& b, Touching touching);

/// Returns the least distance of the closed triangles: the square is exact (CGAL's exact kernel, segment
/// against segment and point against triangle), the root is rounded. Degenerate triangles are treated as the
/// segments or points that they are.
double exactDistance(const Triangle& a, const Triangle& b);

/// Returns what is wrong with `found` as the common part: kind, number and cyclic order of corners, each
/// coordinate within the documented error bound of the exact corner. Empty if nothing is. Corners of a
/// polygon that lie within a few error bounds of each other or of one line may merge or change places.
std::string problemOf(const TriangleIntersection& found, const Triangle& a, const Triangle& b);

/// Whether |given - (m p + t)| <= bound on every axis, exactly.
bool imageWithin(const Transform& map, const Vec3& p, const Vec3& given, const Vec3& bound);
/// Whether m p + t lies in [low, high] on every axis, exactly.
bool imageInside(const Transform& map, const Vec3& p, const Vec3& low, const Vec3& high);

}  // namespace fitup::test
