#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <fitup/base/progress.h>
#include <fitup/io/report_build.h>

namespace FITUP_EXPORT fitup {

/// Writes a report of a check or of a replay, atomically, in the format of the extension
/// (`reportExtensions`); docs/reference/report.md describes the formats. HTML gets the pictures that
/// `context.drawPictures` draws. Throws FileError, InputError for any other extension, and as `buildReport`.
void writeReport(const std::filesystem::path& file, const ReportContext& context, const Model& model,
                 const InterferenceReport& report, const Progress& progress = {});
void writeReport(const std::filesystem::path& file, const ReportContext& context, const Model& model,
                 const ReplayReport& report, const Progress& progress = {});

/// The same for a report that was read or composed; HTML is then without pictures.
void writeReport(const std::filesystem::path& file, const ReportDocument& report);

/// True for the extensions of reports, in any case.
bool isReportFile(const std::filesystem::path& file);
/// ".json, .csv or .html", with the given separators.
std::string reportExtensions(std::string_view between = ", ", std::string_view beforeLast = " or ");

}  // namespace fitup
