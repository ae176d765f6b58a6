#pragma once

#include <ostream>
#include <string_view>

#include <fitup/io/detail/json_fields.h>
#include <fitup/io/report_document.h>

namespace fitup::detail {

/// Writes the JSON report, docs/reference/report.md: a line for each pair of instances, so that large reports
/// are written as a stream. Always UTF-8, whatever names contain.
void writeReportJson(std::ostream& out, const ReportDocument& report);

/// The counts of a report, under the names that all formats use.
nlohmann::ordered_json countsJson(const FindingCounts& counts);

/// Version of the JSON and CSV that this program writes and reads.
inline constexpr int reportVersion = 3;
/// The status of a report whose check was not cut short, but is not complete either: geometry is missing, or
/// verdicts are undecided. Versions before 3 have "complete" there.
inline constexpr std::string_view incompleteStatus = "incomplete";
inline std::string_view statusName(const ReportDocument& report) noexcept {
  const bool isComplete = !report.geometryIncomplete && report.isDecided();
  return report.status == ReportStatus::complete && !isComplete ? incompleteStatus : name(report.status);
}

}  // namespace fitup::detail
