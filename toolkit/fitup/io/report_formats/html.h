#pragma once

#include <ostream>
#include <string_view>

#include <fitup/io/report_pictures.h>

namespace fitup::detail {

/// Writes one page without external resources: a list of findings that can be filtered, sorted and grouped,
/// with pictures and details. Names occur in it as data, never as markup. The steps of a replay are gathered:
/// a finding is one row with the steps that have it.
void writeReportHtml(std::ostream& out, const ReportDocument& report, const ReportPictures& pictures);

/// The page's body, style and script (page.html, page.css, page.js).
extern const std::string_view reportPageHtml, reportPageCss, reportPageScript;

}  // namespace fitup::detail
