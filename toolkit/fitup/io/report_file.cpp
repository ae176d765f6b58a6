#include <fitup/io/report_file.h>

#include <algorithm>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/base/text.h>
#include <fitup/io/atomic_file.h>
#include <fitup/io/formats.h>
#include <fitup/io/report_formats/csv.h>
#include <fitup/io/report_formats/html.h>
#include <fitup/io/report_formats/json.h>
#include <fitup/io/report_pictures.h>

namespace fitup {
namespace {

/// One entry for each format: a new format is its writer and a line here.
struct ReportFormat {
  std::string_view extension;
  void (*write)(std::ostream& out, const ReportDocument& report, const ReportPictures& pictures);
  bool hasPictures = false;
};
constexpr ReportFormat reportFormats[] = {
    {".json", [](auto& out, const auto& report, const auto&) { detail::writeReportJson(out, report); }},
    {".csv", [](auto& out, const auto& report, const auto&) { detail::writeReportCsv(out, report); }},
    {".html", detail::writeReportHtml, true},
};

const ReportFormat* reportFormatOf(const std::filesystem::path& file) {
  const auto* const found = std::ranges::find(reportFormats, lowerExtension(file), &ReportFormat::extension);
  return found == std::end(reportFormats) ? nullptr : found;
}

const ReportFormat& expectFormat(const std::filesystem::path& file) {
  if (const ReportFormat* const format = reportFormatOf(file)) return *format;
  throw InputError(file.string(), "extension '" + file.extension().string() + "'",
                   "reports can be written as " + reportExtensions());
}

void write(const std::filesystem::path& file, const ReportFormat& format, const ReportDocument& report,
           const ReportPictures& pictures) {
  writeFileAtomically(file, [&](std::ostream& out) { format.write(out, report, pictures); });
}

std::vector<const InterferenceReport*> runsOf(const InterferenceReport& report) { return {&report}; }

std::vector<const InterferenceReport*> runsOf(const ReplayReport& report) {
  std::vector<const InterferenceReport*> runs;
  for (const ReplayStep& step : report.steps) runs.push_back(&step.interference);
  return runs;
}

template <typename Report>
void buildAndWrite(const std::filesystem::path& file, const ReportContext& context, const Model& model,
                   const Report& report, const Progress& progress) {
  const ReportFormat& format = expectFormat(file);
  const ReportDocument document = buildReport(context, model, report);
  ReportPictures pictures;
  pictures.absence = "the program that wrote this report does not draw any";
  if (format.hasPictures && context.drawPictures != nullptr)
    pictures = context.drawPictures(document, context, model, runsOf(report), progress);
  write(file, format, document, pictures);
}

}  // namespace

bool isReportFile(const std::filesystem::path& file) { return reportFormatOf(file) != nullptr; }

std::string reportExtensions(std::string_view between, std::string_view beforeLast) {
  std::vector<std::string_view> extensions;
  for (const ReportFormat& format : reportFormats) extensions.push_back(format.extension);
  return joined(extensions, between, beforeLast);
}

void writeReport(const std::filesystem::path& file, const ReportContext& context, const Model& model,
                 const InterferenceReport& report, const Progress& progress) {
  buildAndWrite(file, context, model, report, progress);
}

void writeReport(const std::filesystem::path& file, const ReportContext& context, const Model& model,
                 const ReplayReport& report, const Progress& progress) {
  buildAndWrite(file, context, model, report, progress);
}

void writeReport(const std::filesystem::path& file, const ReportDocument& report) {
  const ReportFormat& format = expectFormat(file);
  ReportPictures pictures;
  pictures.absence = "this report was made from other reports, without the model";
  write(file, format, report, pictures);
}

}  // namespace fitup
