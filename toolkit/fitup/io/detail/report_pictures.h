#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/io/report_build.h>

namespace fitup::detail {

/// Pictures of a report, as JPEG.
struct ReportPictures {
  std::string absence;   ///< why there are none; empty if there are
  std::string overview;  ///< the whole assembly in the design; may be empty
  /// Where findings are in the overview, from the upper left, in widths and heights; by id.
  std::unordered_map<std::string, std::pair<double, double>> places;
  std::unordered_map<std::string, std::string> ofFinding;  ///< by id
};

/// The whole assembly, and the `most` worst findings (clash before contact, then by depth, then by the number
/// of triangle pairs, then in the order of the report), each at its worst step. `report` is what `document`
/// was built from.
ReportPictures drawReportPictures(const ReportDocument& document, const ReportContext& context,
                                  const Model& model, const InterferenceReport& report,
                                  const Progress& progress, std::size_t most = 200);
ReportPictures drawReportPictures(const ReportDocument& document, const ReportContext& context,
                                  const Model& model, const ReplayReport& report, const Progress& progress,
                                  std::size_t most = 200);

}  // namespace fitup::detail
