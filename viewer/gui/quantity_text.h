#pragma once

#include <QString>

#include <fitup/geometry/transform.h>

namespace fitup::viewer {

// Numbers as panels show them, in the C locale, so that what is copied can be pasted into any program.

/// Up to seven significant digits; what is below a thousand millionth counts as 0.
QString numberText(double value);
/// "x, y, z".
QString pointText(const Vec3& point);
/// Of an angle in radians: "12.5°".
QString angleText(double radians);
/// "90° about (0, 0, 1)".
QString turnText(const Quaternion& q);
/// "30° about (0, 0, 1)", "not turned"; of a placement that is no rigid one, also what it does besides.
QString orientationText(const Transform& worldFromPart);
/// "1 pair", "2 pairs".
QString countText(std::size_t count, const QString& one, const QString& several);
/// "1.2 MB".
QString bytesText(std::size_t bytes);

}  // namespace fitup::viewer
