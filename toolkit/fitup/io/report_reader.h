#pragma once

#include <filesystem>

#include <fitup/io/report_document.h>

namespace FITUP_EXPORT fitup {

/// Reads a JSON report of version 2 (docs/reference/report.md): everything that `writeReport` wrote into it,
/// and changes that people made to reviews. Unknown members are ignored. Throws FileError, or InputError that
/// names the file, the place ("pair 3: finding 2: id") and the problem.
ReportDocument readReport(const std::filesystem::path& file);

}  // namespace fitup
