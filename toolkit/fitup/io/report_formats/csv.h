#pragma once

#include <ostream>

#include <fitup/io/report_document.h>

namespace fitup::detail {

/// A row for each pair of triangles, after lines with '#' that tell what the report is about.
void writeReportCsv(std::ostream& out, const ReportDocument& report);

}  // namespace fitup::detail
