#pragma once

#include <map>
#include <span>
#include <string>

#include <fitup/io/report_document.h>
#include <fitup/motion/motion_clearance.h>
#include <fitup/motion/replay.h>

namespace FITUP_EXPORT fitup {

struct ReportContext;
struct ReportPictures;
/// Draws the pictures of an HTML report: `drawReportPictures` (report_pictures.h).
using PictureDrawer = ReportPictures(const ReportDocument& document, const ReportContext& context,
                                     const Model& model, std::span<const InterferenceReport* const> runs,
                                     const Progress& progress);

/// Findings of which an HTML report has pictures.
enum class PicturesOf {
  toActOn,  ///< those that need action (`needsAction`)
  all,
};

/// The question, for the head of a report.
struct ReportContext {
  std::string program;  ///< name and version
  std::string modelFile, trackFile;
  InterferenceOptions options;
  /// The track of a replay, which gives the placements at each step. Without it, the report of a replay has
  /// neither points nor pictures. Not owned; must outlive the call.
  const Track* track = nullptr;
  /// Poses of moved instances; the report lists them.
  Poses poses{};
  /// Reviews of findings and pairs, by current or former (`FormerReviews`) `findingId` and `pairId`.
  std::map<std::string, Review> reviews{};
  /// The least clearances along the motion of a replay. Not owned; must outlive the call.
  const MotionClearanceReport* motionClearance = nullptr;
  PictureDrawer* drawPictures = nullptr;  ///< null: HTML has no pictures
  PicturesOf picturesOf = PicturesOf::toActOn;
};

/// The surface of a mesh in the terms of reports. Precondition: the mesh has it.
ReportedSurface reportedSurface(const TriangleMesh& mesh, SurfaceId surface);

/// The review that a rule gives to a pair until somebody reviews the pair or its findings: allowed contact is
/// approved.
Review reviewByRule(const Rules& rules, const PairInterference& pair);

/// Builds the report of a check (instances at the context's poses) or of a replay. The report of a check
/// without any pair to check is `truncated`, with a warning that says why. If the model has collision models,
/// each finding gets the box of the common parts of its listed triangles, and a point: the middle of the
/// common part nearest to the centre of the box. Throws as `intersectionLines`.
ReportDocument buildReport(const ReportContext& context, const Model& model,
                           const InterferenceReport& report);
ReportDocument buildReport(const ReportContext& context, const Model& model, const ReplayReport& report);

}  // namespace fitup
