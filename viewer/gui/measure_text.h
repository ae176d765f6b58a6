#pragma once

#include <vector>

#include <viewer/core/meant_value.h>
#include <viewer/core/session.h>
#include <viewer/core/snap_point.h>
#include <viewer/gui/length_unit.h>
#include <viewer/gui/value_list.h>

namespace fitup::viewer {

/// Returns "corner", "edge" or "centre of circle Ø 12 mm".
QString snapText(SnapKind kind, const std::optional<EdgeCircle>& circle, const Transform& worldFromPart,
                 const LengthUnit& unit);
/// Returns a text such as "face 3 (plane) of pump", "pump", "a point of pump", "corner of pump" or "edge of
/// pump"; parts have their `Session::nameOf`.
QString targetText(const Session& session, const MeasureTarget& target, const LengthUnit& unit);
/// Returns the least distance with its unit and, if the faces have chord errors, its bound.
QString distanceText(const MeasuredValue& value, const LengthUnit& unit);
/// Returns the number at the line in the view, with its bound and the sign of what it is: ℄ for a distance of
/// axes, ∥ for one of planes, Ø for a diameter.
QString labelText(const MeantValue& meant, const LengthUnit& unit);
/// Returns the properties of a target: radius and diameter, a plane's normal, a point's coordinates.
std::vector<ValueList::Line> linesOf(const QString& group, const QString& prefix, const MeasureTarget& target,
                                     const std::optional<SurfaceDescription>& shape,
                                     const ShapeAccuracy& accuracy, const LengthUnit& unit);
/// Returns all lines of a measurement.
std::vector<ValueList::Line> linesOf(const QString& group, const MeasureTarget& first,
                                     const MeasureTarget& second, const MeasuredValue& value,
                                     const LengthUnit& unit);

}  // namespace fitup::viewer
