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
#include <fitup/scene/rules.h>

// A report as data: what all its forms (JSON, CSV, HTML) are written from and what the JSON is read back
// into. Plain values without references to a model. Lengths and points are in `ReportedModel::unit`, points
// in the world.
namespace FITUP_EXPORT fitup {

enum class ReportKind { check, replay, diff };
/// What people made of a finding; Fitup carries it along and changes it only as `compareReports` says.
enum class ReviewStatus {
  isNew,  ///< "new"
  active,
  reviewed,
  approved,
  resolved,
};
/// What became of a finding between two reports.
enum class FindingChange {
  isNew,  ///< "new"
  gone,
  unchanged,
  notRechecked,
};
std::string_view name(ReportKind kind) noexcept;
std::string_view name(ReviewStatus status) noexcept;
std::string_view name(FindingChange change) noexcept;
/// The reverse; nothing for any other text.
std::optional<ReviewStatus> reviewStatusFromName(std::string_view text) noexcept;

struct Review {
  ReviewStatus status = ReviewStatus::isNew;
  std::string comment;
  friend bool operator==(const Review&, const Review&) = default;
};

/// The ordinal of a "surface" that stands for a whole part: where two parts are in contact, nearer than they
/// may be, or a clash, and none of their pairs of surfaces says so. Only in what is gathered for lists and
/// comparisons, and in what comparisons write (null in JSON).
inline constexpr std::uint32_t wholePart = 0xffffffff;

/// A surface as users know it.
struct ReportedSurface {
  std::uint32_t ordinal = 0;
  std::string name;         ///< as the file gives it; may be empty
  std::string description;  ///< "cylinder d 12"; empty where the file has none
  SurfaceFingerprint fingerprint;
};

/// A pair of surfaces that intersect.
struct ReportedFinding {
  std::string id;  ///< `findingId`
  ReportedSurface a, b;
  /// By their indices in the source: all pairs in the mode `triangles`, else one witness.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> triangles;
  Assessment assessment;
  std::optional<Box> extent;          ///< of what the listed triangles have in common
  std::optional<std::size_t> region;  ///< of overlap, by its position in the pair's regions
  Review review;
  std::optional<FindingChange> change;  ///< reports of kind `diff`
  std::string changeReason;             ///< why it was not checked again; what it was where it became worse
  std::vector<std::size_t> steps;       ///< of a replay in which it is there; reports of kind `diff`
  /// What is carried along from replays: `ReportDocument::trackHash` of the one that found it.
  std::optional<std::uint64_t> trackHash{};
};

/// A pair of instances that intersect or whose query was cut short.
struct ReportedPair {
  std::string id;    ///< `pairId`
  std::string a, b;  ///< instance paths
  ReportStatus status = ReportStatus::complete;
  std::optional<std::size_t> rule;  ///< position in `ReportedRequest::rules`
  Assessment assessment;
  Review review;
  std::vector<ReportedFinding> findings;
};

/// A check, or one step of a replay.
struct ReportedRun {
  std::size_t step = 0;
  ReportStatus status = ReportStatus::complete;
  std::size_t consideredPairs = 0, excludedPairs = 0, unselectedPairs = 0, narrowPairs = 0;
  double milliseconds = 0;
  QueryStats stats;
  std::vector<ReportedPair> pairs;

  /// If any pair of surfaces does; of differences only those count that are there now.
  [[nodiscard]] bool intersects() const noexcept;
};

/// Where an instance stood that was not where its file has it.
struct ReportedPlacement {
  std::string path;
  Transform worldFromPart;
  friend bool operator==(const ReportedPlacement&, const ReportedPlacement&) = default;
};

struct ReportedModel {
  std::string file;
  std::uint64_t hash = 0;  ///< `Assembly::contentHash` of what the file has
  std::string unit = "mm";
  std::string source;
  std::string sourceHash;  ///< SHA-256 of the file that was imported; reports of before have another one
  std::string importOptions;
  std::vector<std::string> instances;  ///< paths
  std::vector<ReportedPlacement> placed{};
  /// Where geometry is missing: the instances that lack it, if the warnings tell.
  std::optional<std::vector<std::string>> incomplete{};
  /// With verdicts at each pair's own tolerance: what each of `instances` asks for, in their order; the
  /// larger of two is the pair's. Else empty.
  std::vector<double> ownTolerances{};
  /// Files of which not they themselves were read but what a cache had of the same bytes.
  std::vector<std::string> fromCache{};
};

struct ReportedRequest {
  std::string mode, hierarchy, touching, overlapBox;
  bool stopAtFirstPair = false;
  std::optional<std::size_t> maxPairs{};
  std::optional<double> timeBudgetMilliseconds{};
  bool verdicts = false;
  std::optional<double> tolerance{};  ///< of the verdicts; unset: each pair's own
  Rules rules{};
};

struct ReportDocument {
  ReportKind kind = ReportKind::check;
  std::string program;
  ReportedModel model;
  std::string track;                         ///< its file; replays
  std::optional<std::uint64_t> trackHash{};  ///< of what moves and its poses at all steps; replays
  std::vector<std::string> moved;            ///< paths that the track moves
  ReportedRequest request;
  ReportStatus status = ReportStatus::complete;
  bool geometryIncomplete = false;
  std::vector<ImportWarning> warnings;
  std::vector<ReportedRun> runs;  ///< one for a check or a diff, one for each step of a replay
  /// Findings of an earlier report that this one did not check again, kept with their reviews.
  std::vector<ReportedPair> carried;
  std::string oldFile, newFile;  ///< reports of kind `diff`
  /// Reports of kind `diff`: instances whose `ReportedModel::placed` differs between the two, and of replays
  /// with different `trackHash` the paths that either moves.
  std::vector<std::string> placedOtherwise;

  [[nodiscard]] bool intersects() const noexcept;
};

/// Names a pair of surfaces the same at each run, whatever the order of arguments, the number of threads and
/// the order of pairs: a hash of both instance paths, face ordinals and fingerprints (areas and centroids
/// rounded to about six digits). 16 hexadecimal digits.
std::string findingId(std::string_view pathA, const ReportedSurface& a, std::string_view pathB,
                      const ReportedSurface& b);
/// The same for a pair of instances, from their paths.
std::string pairId(std::string_view pathA, std::string_view pathB);

/// "face 3 (cylinder d 8) 'thread'".
std::string faceText(const ReportedSurface& surface);

}  // namespace fitup
