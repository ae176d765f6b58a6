#pragma once

#include <QString>

#include <fitup/scene/interference_report.h>

namespace fitup::viewer {

/// The numbers of a report as pairs of parts and as pairs of faces: "2 of 12 pairs of parts and 22 of 58
/// pairs of faces clash". Without verdicts: "12 pairs of parts, 58 pairs of faces".
QString countsText(const InterferenceReport& report);

}  // namespace fitup::viewer
