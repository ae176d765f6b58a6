#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include <fitup/base/progress.h>
#include <fitup/io/report_build.h>

namespace FITUP_EXPORT fitup {

/// Pictures of a report, as JPEG.
struct ReportPictures {
  std::string absence;   ///< why there are none; empty if there are
  std::string overview;  ///< the whole assembly in the design; may be empty
  /// Where findings are in the overview, from the upper left, in widths and heights; by id.
  std::unordered_map<std::string, std::pair<double, double>> places;
  std::unordered_map<std::string, std::string> ofFinding;  ///< by id
};

/// For `ReportContext::drawPictures`: the whole assembly, and the 200 worst findings (clash before contact,
/// then by depth, then by the number of triangle pairs, then in the order of the report), each at its worst
/// step. `runs`, one for each of the document's, is what that was built from. Draws on
/// `context.options.threads` threads; a cancel leaves the rest of them out.
///
/// In a library of its own, fitup::report_pictures, which needs Embree and libturbojpeg. Where it was built
/// without them there are no pictures.
ReportPictures drawReportPictures(const ReportDocument& document, const ReportContext& context,
                                  const Model& model, std::span<const InterferenceReport* const> runs,
                                  const Progress& progress);

}  // namespace fitup
