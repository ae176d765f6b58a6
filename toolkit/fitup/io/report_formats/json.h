#pragma once

#include <ostream>

#include <fitup/io/report_document.h>

namespace fitup::detail {

/// Writes the JSON report, docs/reference/report.md: a line for each pair of instances, so that large reports
/// are written as a stream. Always UTF-8, whatever names contain.
void writeReportJson(std::ostream& out, const ReportDocument& report);

/// Version of the JSON and CSV that this program writes and reads.
inline constexpr int reportVersion = 2;

}  // namespace fitup::detail
