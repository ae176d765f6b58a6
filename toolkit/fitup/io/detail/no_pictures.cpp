#include <fitup/io/detail/report_pictures.h>

// In place of report_pictures.cpp where Embree or the JPEG library is absent.
namespace fitup::detail {
namespace {

ReportPictures absent() {
  ReportPictures pictures;
  pictures.absence = "this Fitup was built without Embree or without the JPEG library";
  return pictures;
}

}  // namespace

ReportPictures drawReportPictures(const ReportDocument&, const ReportContext&, const Model&,
                                  const InterferenceReport&, const Progress&, std::size_t) {
  return absent();
}

ReportPictures drawReportPictures(const ReportDocument&, const ReportContext&, const Model&,
                                  const ReplayReport&, const Progress&, std::size_t) {
  return absent();
}

}  // namespace fitup::detail
