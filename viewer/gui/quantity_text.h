#pragma once

#include <QString>

#include <fitup/geometry/transform.h>

namespace fitup::viewer {

// Numbers as panels show them, in the C locale, so that copied text can be pasted into any program.

/// Returns up to seven significant digits; values below 1e-9 count as 0.
QString numberText(double value);
/// Returns "x, y, z".
QString pointText(const Vec3& point);
/// Returns an angle in radians as degrees: "12.5°".
QString angleText(double radians);
/// Returns "90° about (0, 0, 1)".
QString turnText(const Quaternion& q);
/// Returns "30° about (0, 0, 1)" or "not turned"; for a placement that is not rigid, also its other effects.
QString orientationText(const Transform& worldFromPart);
/// Returns "1 pair" or "2 pairs".
QString countText(std::size_t count, const QString& one, const QString& several);
/// Returns "1.2 MB".
QString bytesText(std::size_t bytes);

}  // namespace fitup::viewer
