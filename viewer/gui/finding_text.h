#pragma once

#include <vector>

#include <QString>

#include <fitup/scene/assembly.h>
#include <viewer/core/findings.h>
#include <viewer/core/session.h>
#include <viewer/gui/length_unit.h>
#include <viewer/gui/value_list.h>

namespace fitup::viewer {

// What the table and the panel of properties say of a finding. Headings name the unit.

/// Returns the verdict, with the distance of a pair that is too near.
QString verdictText(const Finding& finding, const LengthUnit& unit);
/// Returns why it is undecided, or how exact it is; may be empty.
QString verdictTip(const Finding& finding, const LengthUnit& unit);
/// Returns up to six digits, down to what chord errors and rounding leave, with the bound of its error; empty
/// if there is no depth.
QString depthText(const Finding& finding, const LengthUnit& unit);
QString depthTip(const Finding& finding, const LengthUnit& unit);
/// Returns the number or name of a face and its shape, as in reports.
QString faceText(const Assembly& assembly, NodeId instance, SurfaceId surface);
/// Returns the status as users read it.
QString statusText(ReviewStatus status);

/// A finding with what its row of the table shows besides.
struct FindingDetails {
  Finding finding;
  QString faceA, faceB;  ///< the second one is empty for several pairs of faces
  QString status, comment;
};
/// Returns all that is known of a finding, in groups. `rules` are those of the report.
std::vector<ValueList::Line> linesOf(const Session& session, const FindingDetails& details,
                                     const Rules& rules, const LengthUnit& unit);

}  // namespace fitup::viewer
