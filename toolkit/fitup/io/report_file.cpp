#include <fitup/io/report_file.h>

#include <fitup/base/error.h>
#include <fitup/io/atomic_file.h>
#include <fitup/io/detail/file_extension.h>
#include <fitup/io/detail/report_csv.h>
#include <fitup/io/detail/report_html.h>
#include <fitup/io/detail/report_json.h>
#include <fitup/io/detail/report_pictures.h>

namespace fitup {
namespace {

void write(const std::filesystem::path& file, const ReportDocument& report,
           const detail::ReportPictures& pictures) {
  const std::string extension = detail::lowerExtension(file);
  writeFileAtomically(file, [&](std::ostream& out) {
    if (extension == ".json")
      detail::writeReportJson(out, report);
    else if (extension == ".csv")
      detail::writeReportCsv(out, report);
    else
      detail::writeReportHtml(out, report, pictures);
  });
}

void expectReportFile(const std::filesystem::path& file) {
  if (!isReportFile(file))
    throw InputError(file.string(), "extension '" + file.extension().string() + "'",
                     "reports are .json, .csv or .html");
}

template <typename Report>
void buildAndWrite(const std::filesystem::path& file, const ReportContext& context, const Model& model,
                   const Report& report, const Progress& progress) {
  expectReportFile(file);
  const ReportDocument document = buildReport(context, model, report);
  detail::ReportPictures pictures;
  if (detail::lowerExtension(file) == ".html")
    pictures = detail::drawReportPictures(document, context, model, report, progress);
  write(file, document, pictures);
}

}  // namespace

bool isReportFile(const std::filesystem::path& file) {
  const std::string extension = detail::lowerExtension(file);
  return extension == ".json" || extension == ".csv" || extension == ".html";
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
  expectReportFile(file);
  detail::ReportPictures pictures;
  pictures.absence = "this report was put together from others, without the model";
  write(file, report, pictures);
}

}  // namespace fitup
