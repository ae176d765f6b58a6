#pragma once

#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// Exact sign of the determinant |a-d; b-d; c-d|: +1, 0 or -1. Positive when d lies below the plane through
/// a, b, c, seen from the side where they run counter-clockwise.
///
/// Floating-point filter with a proven bound, then expansion arithmetic (Shewchuk, Adaptive Precision
/// Floating-Point Arithmetic, 1997). Exact for coordinates within limits.h. Thread-safe.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept;

/// The determinant whose sign `orient3d` gives, with a relative error of at most 2^-50 (zero stays zero).
double orient3dValue(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept;

/// Exact sign of (a-c) x (b-c) in the coordinate plane that leaves out `dropAxis` (0, 1, 2), the other two
/// taken in cyclic order: dropAxis 2 gives the usual orientation in (x, y).
int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int dropAxis) noexcept;

/// The determinant whose sign `orient2d` gives, with a relative error of at most 2^-50 (zero stays zero).
double orient2dValue(const Vec3& a, const Vec3& b, const Vec3& c, int dropAxis) noexcept;

/// True if the corners lie on one line (or coincide), exactly.
bool isDegenerate(const Triangle& t) noexcept;

}  // namespace fitup
