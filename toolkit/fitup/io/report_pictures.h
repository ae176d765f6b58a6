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
  std::string absence;   ///< why there are no pictures; otherwise empty
  std::string overview;  ///< the whole assembly in the design placement; may be empty
  /// Positions of findings in the overview, by id: from the upper left, as fractions of width and height.
  std::unordered_map<std::string, std::pair<double, double>> places;
  std::unordered_map<std::string, std::string> ofFinding;  ///< by id
};

/// Draws pictures for `ReportContext::drawPictures`: the whole assembly, and of the findings that
/// `context.picturesOf` selects the 200 worst (clash before contact, then by depth, by distance, by number of
/// triangle pairs, and by order in the report), each at its worst step. `runs` holds, for each run of the
/// document, the report from which it was built. Uses all cores, or `context.options.threads` threads if that
/// is above 1; after a cancellation, the remaining pictures are missing.
///
/// It is in a separate library, fitup::report_pictures, which needs Embree and libturbojpeg. A build without
/// them draws no pictures.
ReportPictures drawReportPictures(const ReportDocument& document, const ReportContext& context,
                                  const Model& model, std::span<const InterferenceReport* const> runs,
                                  const Progress& progress);

}  // namespace fitup
