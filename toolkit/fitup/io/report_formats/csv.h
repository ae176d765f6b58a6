#pragma once

#include <ostream>

#include <fitup/io/report_document.h>

namespace fitup::detail {

/// Writes a row for each pair of triangles, after lines with '#' that describe the report.
void writeReportCsv(std::ostream& out, const ReportDocument& report);

}  // namespace fitup::detail
