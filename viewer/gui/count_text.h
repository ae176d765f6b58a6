#pragma once

#include <QString>

#include <fitup/scene/interference_report.h>

namespace fitup::viewer {

/// The numbers of what the table lists, without those that are 0: "15 pairs of parts: 2 clash, 1 too near, 12
/// in contact; 22 of 58 pairs of faces clash". Without verdicts: "12 pairs of parts; 58 pairs of faces".
/// While the depth of a clash is not known, it is not stated how many pairs of faces clash.
QString countsText(const InterferenceReport& report);

}  // namespace fitup::viewer
