#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/query_stats.h>
#include <fitup/io/model_file.h>
#include <fitup/mesh/surface.h>
#include <fitup/query/report.h>
#include <fitup/scene/assessment.h>
#include <fitup/scene/finding_counts.h>
#include <fitup/scene/rules.h>

// A report as plain data without references to a model. All formats (JSON, CSV, HTML) are written from it,
// and JSON is read back into it. Lengths and points are in `ReportedModel::unit`, points in the world.
namespace FITUP_EXPORT fitup {

/// The kind of a report.
enum class ReportKind { check, replay, diff };
/// The review status of a finding; only users and `compareReports` change it.
enum class ReviewStatus {
  isNew,  ///< "new"
  active,
  reviewed,
  approved,
  resolved,
};
/// The change of a finding between two reports.
enum class FindingChange {
  isNew,  ///< "new"
  gone,
  unchanged,
  notRechecked,
};
std::string_view name(ReportKind kind) noexcept;
std::string_view name(ReviewStatus status) noexcept;
std::string_view name(FindingChange change) noexcept;
/// The reverse of `name`; empty for any other text.
std::optional<ReviewStatus> reviewStatusFromName(std::string_view text) noexcept;

/// The review of a finding or a pair.
struct Review {
  ReviewStatus status = ReviewStatus::isNew;
  std::string comment;
  friend bool operator==(const Review&, const Review&) = default;
};

/// Ordinal of a "surface" that stands for a whole part. It is used if two parts are in contact, violate a
/// clearance, or clash, and no pair of their surfaces shows that. It occurs only in data gathered for lists
/// and comparisons, and in the output of comparisons (null in JSON).
inline constexpr std::uint32_t wholePart = 0xffffffff;

/// A surface in the user's terms.
struct ReportedSurface {
  std::uint32_t ordinal = 0;
  std::string name;         ///< as in the file; may be empty
  std::string description;  ///< "cylinder d 12"; empty if the file has none
  SurfaceFingerprint fingerprint;
};

/// A pair of surfaces that intersect, or a pair of whole parts (`wholePart`).
struct ReportedFinding {
  std::string id;  ///< `findingId`
  ReportedSurface a, b;
  /// Indices in the source: all pairs in the mode `triangles`, otherwise one witness.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> triangles;
  Assessment assessment;
  std::optional<Box> extent;          ///< of the common parts of the listed triangles
  std::optional<std::size_t> region;  ///< region of overlap, by position in the pair's regions
  Review review;
  std::optional<FindingChange> change;  ///< reports of kind `diff`
  std::string changeReason;        ///< why it was not checked again; its former state, if it became worse
  std::vector<std::size_t> steps;  ///< steps of a replay that have it; reports of kind `diff`
  /// For findings carried over from replays: `ReportDocument::trackHash` of the replay that found it.
  std::optional<std::uint64_t> trackHash{};
};

/// A pair of instances that the check lists.
struct ReportedPair {
  std::string id;    ///< `pairId`
  std::string a, b;  ///< instance paths
  ReportStatus status = ReportStatus::complete;
  std::optional<std::size_t> rule;  ///< position in `ReportedRequest::rules`
  Assessment assessment;
  std::string undecidedBecause;        ///< for people; empty unless the verdict is undecided
  std::string volumeUnknownBecause{};  ///< for people; empty unless a volume was requested and is not known
  Review review;
  std::vector<ReportedFinding> findings;
  /// For an entry that stands for a set of identical copies in one place (`CopySet`): the paths of all of
  /// them, in the order of the model, `a` and `b` included, and the number of pairs. Otherwise empty and 0.
  /// Such an entry has no findings.
  std::vector<std::string> copies{};
  std::size_t copyPairs = 0;
};

/// A check, or one step of a replay.
struct ReportedRun {
  std::size_t step = 0;
  ReportStatus status = ReportStatus::complete;
  std::size_t consideredPairs = 0, excludedPairs = 0, unselectedPairs = 0, narrowPairs = 0;
  double milliseconds = 0;
  QueryStats stats;
  std::vector<ReportedPair> pairs;

  /// True if any pair of surfaces intersects, or parts are copies in one place; in reports of kind `diff`,
  /// only findings of the new report count.
  [[nodiscard]] bool intersects() const noexcept;
};

/// The placement of an instance that was not at its design placement.
struct ReportedPlacement {
  std::string path;
  Transform worldFromPart;
  /// How far it was moved from its design placement: the distance that the centre of its box moved, and the
  /// angle of its turn in radians (unset if it did not move rigidly). Unset in reports of older versions.
  std::optional<double> distance{}, angle{};
  /// Compares the placements, not what is derived from them.
  friend bool operator==(const ReportedPlacement& a, const ReportedPlacement& b) noexcept {
    return a.path == b.path && a.worldFromPart == b.worldFromPart;
  }
};

/// The model of a report.
struct ReportedModel {
  std::string file;
  std::uint64_t hash = 0;  ///< `Assembly::contentHash` of the model in the file
  std::string unit = "mm";
  std::string source;
  std::string sourceHash;  ///< SHA-256 of the imported file; older reports have another hash
  std::string importOptions;
  std::vector<std::string> instances;  ///< paths
  std::vector<ReportedPlacement> placed{};
  /// Instances that lack geometry, if there are any and the warnings name them.
  std::optional<std::vector<std::string>> incomplete{};
  /// With verdicts at each pair's own tolerance: the tolerance of each of `instances`, in order; that of a
  /// pair is the larger one. Otherwise empty.
  std::vector<double> ownTolerances{};
  /// Files that were not read because the cache had a model of the same bytes.
  std::vector<std::string> fromCache{};
};

/// The options of the check that a report describes; texts as in the JSON report.
struct ReportedRequest {
  std::string mode, hierarchy, touching, overlapBox;
  bool stopAtFirstPair = false;
  std::optional<std::size_t> maxPairs{};
  std::optional<double> timeBudgetMilliseconds{};
  bool verdicts = false;
  std::optional<double> tolerance{};  ///< tolerance of the verdicts; unset: each pair's own
  bool exactShapes = false;           ///< `VerdictOptions::exactShapes`
  Rules rules{};
};

/// The least clearance of a moved instance along a motion, including between steps.
struct ReportedClearance {
  double time = 0;   ///< in steps of the track
  std::string a, b;  ///< instance paths; `a` moves
  ReportedSurface surfaceA, surfaceB;
  double distance = 0, atLeast = 0;
  std::optional<double> chordError{};  ///< of the distance, as `InstanceDistance::chordError`
  double rounding = 0;                 ///< of the distance
  Vec3 pointA, pointB;                 ///< in the world, at that time
};

/// The clearances of a replay that asked for them.
struct ReportedMotionClearance {
  std::optional<double> range;
  double resolution = 0;
  ReportStatus status = ReportStatus::complete;
  std::size_t consideredPairs = 0, queries = 0;
  double milliseconds = 0;
  std::vector<ReportedClearance> parts;
};

/// A report of a check, of a replay, or of the difference of two reports.
struct ReportDocument {
  ReportKind kind = ReportKind::check;
  std::string program;
  ReportedModel model;
  std::string track;                         ///< file of the track; replays
  std::optional<std::uint64_t> trackHash{};  ///< of the moved paths and their poses at all steps; replays
  std::vector<std::string> moved;            ///< paths that the track moves
  ReportedRequest request;
  ReportStatus status = ReportStatus::complete;
  bool geometryIncomplete = false;
  std::vector<ImportWarning> warnings;
  std::vector<ReportedRun> runs;  ///< one for a check or a diff, one for each step of a replay
  /// Replays that asked for it. Not read from files.
  std::optional<ReportedMotionClearance> motionClearance{};
  /// Findings of an earlier report that this one did not check again, kept with their reviews.
  std::vector<ReportedPair> carried;
  std::string oldFile, newFile;  ///< reports of kind `diff`
  /// Reports of kind `diff`: instances whose `ReportedModel::placed` differs between the two and, for replays
  /// with different `trackHash`, the paths that either one moves.
  std::vector<std::string> placedOtherwise;

  [[nodiscard]] bool intersects() const noexcept;
  /// False if the verdict of a pair is undecided.
  [[nodiscard]] bool isDecided() const noexcept;
};

/// The numbers of these pairs, as for the report of the check.
FindingCounts countFindings(const std::vector<ReportedPair>& pairs);

/// The id of a pair of surfaces. It is the same in each run, whatever the order of arguments or pairs and the
/// number of threads: a hash of both instance paths, face ordinals and fingerprints (areas and centroids
/// rounded to about six digits). 16 hexadecimal digits.
std::string findingId(std::string_view pathA, const ReportedSurface& a, std::string_view pathB,
                      const ReportedSurface& b);
/// The id of a pair of instances, from their paths.
std::string pairId(std::string_view pathA, std::string_view pathB);

/// Text such as "face 3 (cylinder d 8) 'thread'".
std::string faceText(const ReportedSurface& surface);

}  // namespace fitup
