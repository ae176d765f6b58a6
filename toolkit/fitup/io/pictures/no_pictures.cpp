#include <fitup/io/report_pictures.h>

// In place of draw_report_pictures.cpp where Embree or the JPEG library is absent.
namespace fitup {

ReportPictures drawReportPictures(const ReportDocument&, const ReportContext&, const Model&,
                                  std::span<const InterferenceReport* const>, const Progress&) {
  ReportPictures pictures;
  pictures.absence = "this Fitup was built without Embree or without the JPEG library";
  return pictures;
}

}  // namespace fitup
