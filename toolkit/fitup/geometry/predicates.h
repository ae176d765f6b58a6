#pragma once

#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// Returns the exact sign of the determinant |a-d; b-d; c-d|: +1, 0 or -1. It is positive if d lies below the
/// plane through a, b, c, seen from the side from which they run counter-clockwise.
///
/// A floating-point filter with a proven bound comes first, then expansion arithmetic (Shewchuk, Adaptive
/// Precision Floating-Point Arithmetic, 1997). The sign is exact for coordinates within limits.h.
/// Thread-safe.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept;

/// Returns the determinant whose sign `orient3d` gives, with a relative error of at most 2^-50. Zero is
/// exact.
double orient3dValue(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept;

/// Returns the exact sign of (a-c) x (b-c) in the coordinate plane without the axis `dropAxis` (0, 1, 2). The
/// other two axes are taken in cyclic order: dropAxis 2 gives the usual orientation in (x, y).
int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int dropAxis) noexcept;

/// Returns the determinant whose sign `orient2d` gives, with a relative error of at most 2^-50. Zero is
/// exact.
double orient2dValue(const Vec3& a, const Vec3& b, const Vec3& c, int dropAxis) noexcept;

/// Returns true if the corners lie on one line or coincide. Exact.
bool isDegenerate(const Triangle& t) noexcept;

}  // namespace fitup
