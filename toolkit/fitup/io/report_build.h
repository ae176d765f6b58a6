#pragma once

#include <map>
#include <span>
#include <string>

#include <fitup/io/report_document.h>
#include <fitup/motion/replay.h>

namespace FITUP_EXPORT fitup {

struct ReportContext;
struct ReportPictures;
/// Draws the pictures of a page: `drawReportPictures` (report_pictures.h).
using PictureDrawer = ReportPictures(const ReportDocument& document, const ReportContext& context,
                                     const Model& model, std::span<const InterferenceReport* const> runs,
                                     const Progress& progress);

/// What was asked, for the head of a report.
struct ReportContext {
  std::string program;  ///< name and version
  std::string modelFile, trackFile;
  InterferenceOptions options;
  /// Of a replay: says where parts are at each step. Without it a replay's report has neither points nor
  /// pictures. Not owned; must outlive the call.
  const Track* track = nullptr;
  /// Where instances stand that have been moved; the report says which and where.
  Poses poses{};
  /// What people made of findings and pairs, by `findingId` and `pairId`, of now or of former versions
  /// (`FormerReviews`).
  std::map<std::string, Review> reviews{};
  PictureDrawer* drawPictures = nullptr;  ///< null: HTML has no pictures
};

/// A surface of a mesh as reports show it. Precondition: the mesh has it.
ReportedSurface reportedSurface(const TriangleMesh& mesh, SurfaceId surface);

/// What a rule makes of a pair as long as nobody has reviewed it or its findings: contact that is allowed is
/// approved.
Review reviewByRule(const Rules& rules, const PairInterference& pair);

/// The report of a check (instances where the context's poses have them) or of a replay. A check that had
/// nothing to look at is `truncated`, with a warning that says why. Where the model carries collision models,
/// each finding gets the box of what its listed triangles have in common and a point of it: the middle of the
/// common part that lies nearest to the box's centre. Throws as `intersectionLines`.
ReportDocument buildReport(const ReportContext& context, const Model& model,
                           const InterferenceReport& report);
ReportDocument buildReport(const ReportContext& context, const Model& model, const ReplayReport& report);

}  // namespace fitup
