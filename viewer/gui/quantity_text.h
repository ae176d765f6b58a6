#pragma once

#include <QString>

#include <fitup/geometry/transform.h>
#include <fitup/query/distance_error.h>
#include <viewer/gui/length_unit.h>

namespace fitup::viewer {

// Numbers as panels show them, in the C locale, so that copied text can be pasted into any program.

/// From here on down, values of which no bound is known count as 0.
inline constexpr double leastShown = 1e-9;
/// Returns up to `digits` significant digits, down to the bound of the value (`boundedNumber`).
QString numberText(double value, double bound = leastShown, int digits = 7);
/// Returns a length of the model, with its bound, as a number in the shown unit, without the unit's name.
QString lengthNumber(double length, const LengthUnit& unit, double bound = leastShown, int digits = 7);
/// Returns the name of the unit for after the word "in": "inches", otherwise as in "mm".
QString unitAfterIn(const LengthUnit& unit);
/// Returns "0.313 mm", with digits down to its bound; with a chord error, "0.313 mm ± 0.031".
QString lengthText(double length, const DistanceError& error, const LengthUnit& unit, int digits = 7);
/// Returns "x, y, z", each down to the bound.
QString pointText(const Vec3& point, double bound = leastShown);
/// Returns a point or a shift of the model in the shown unit, without the unit's name.
QString placeText(const Vec3& point, const LengthUnit& unit, double bound = leastShown);
/// Returns an angle in radians as degrees, down to its bound in radians: "12.5°".
QString angleText(double radians, double bound = 0);
/// Returns "90° about (0, 0, 1)".
QString turnText(const Quaternion& q);
/// Returns "30° about (0, 0, 1)" or "not turned"; for a placement that is not rigid, also its other effects.
QString orientationText(const Transform& worldFromPart);
/// Returns "1 pair" or "2 pairs".
QString countText(std::size_t count, const QString& one, const QString& several);
/// Returns "1.2 MB".
QString bytesText(std::size_t bytes);

}  // namespace fitup::viewer
