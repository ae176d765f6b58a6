#pragma once

#include <vector>

#include <viewer/core/measurement.h>
#include <viewer/core/session.h>
#include <viewer/gui/value_list.h>

namespace fitup::viewer {

/// "face 3 (plane) of pump", "pump", "a point of pump"; parts as `Session::nameOf` calls them.
QString targetText(const Session& session, const MeasureTarget& target);
/// The number at the line in the view: the least distance with its unit.
QString labelText(const MeasuredValue& value, const QString& unit);
/// What a target says of itself: radius and diameter, a plane's normal, a point's coordinates.
std::vector<ValueList::Line> linesOf(const QString& group, const QString& prefix, const MeasureTarget& target,
                                     const std::optional<SurfaceDescription>& shape, const QString& unit);
/// All that a measurement says.
std::vector<ValueList::Line> linesOf(const QString& group, const MeasureTarget& first,
                                     const MeasureTarget& second, const MeasuredValue& value,
                                     const QString& unit);

}  // namespace fitup::viewer
