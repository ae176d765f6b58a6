#pragma once

#include <QString>

#include <fitup/scene/assessment.h>
#include <viewer/gui/length_unit.h>

namespace fitup::viewer {

/// Returns a distance or a depth of a finding with up to `digits` digits, down to what chord errors and
/// rounding leave; without the name of the unit.
QString measuredText(double length, const Assessment& found, const LengthUnit& unit, int digits = 6);
/// Returns by how much the depth of the exact shapes may differ. Precondition: there is a depth.
QString depthBoundText(const Assessment& found, const LengthUnit& unit);
/// Returns "5.37", "5.37 ± 0.02", "≥ 5.37" for a lower bound, and "> 0.1" while it is only known to be deeper
/// than the tolerance; without the name of the unit. Empty without a depth.
QString depthText(const Assessment& found, bool isOpen, const LengthUnit& unit, int digits = 6);

}  // namespace fitup::viewer
