#include <fitup/io/report_pictures.h>

// Replaces draw_report_pictures.cpp in builds without Embree or the JPEG library.
namespace fitup {

ReportPictures drawReportPictures(const ReportDocument&, const ReportContext&, const Model&,
                                  std::span<const InterferenceReport* const>, const Progress&) {
  ReportPictures pictures;
  pictures.absence = "this Fitup was built without Embree or without the JPEG library";
  return pictures;
}

}  // namespace fitup
