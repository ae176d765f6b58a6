#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fitup/query/distance_error.h>
#include <fitup/scene/interference.h>

namespace FITUP_EXPORT fitup {

/// The result of a pair: the first reason that decides it.
enum class ExplainedOutcome {
  unselected,      ///< outside the rules' `check` sets, or not in the options' selection
  ignored,         ///< left out by a rule
  noTriangles,     ///< one of the two has no triangles
  boxesApart,      ///< the world boxes of the two do not overlap
  surfacesApart,   ///< no two boxes of surfaces overlap
  trianglesApart,  ///< no two boxes of triangles overlap, or none of those triangles intersect
  intersect,
};
/// "unselected", "ignored", ...
std::string_view name(ExplainedOutcome outcome) noexcept;

/// The source of the tolerance of a verdict.
enum class ToleranceOrigin {
  given,       ///< by the caller
  chordError,  ///< twice the larger chord error of the two tessellations
  faces,       ///< twice the larger chord error of the faces near each other (`toleranceOfFaces`)
  rounding,    ///< raised to `minimumTolerance`: the rounding of coordinates, or the resolution of double
               ///< precision
  rule,        ///< raised to the depth that a rule of the pair allows
};
std::string_view name(ToleranceOrigin origin) noexcept;

/// The pair to explain: two instances, or one surface of each.
struct ExplainQuestion {
  NodeId a{}, b{};
  std::optional<SurfacePair> surfaces{};
  /// Touching, rules and the tolerance are used. The limits apply to the query that a check runs on the two
  /// instances. Everything else is computed however long it takes, until it is cancelled.
  InterferenceOptions options{};
};

/// Why a pair was or was not reported, step by step. It holds everything that could be computed, whether or
/// not an earlier step decided. Lengths and boxes are in the world unless stated otherwise.
struct Explanation {
  ExplainedOutcome outcome = ExplainedOutcome::noTriangles;

  bool selected = true;
  std::optional<std::size_t> rule{};  ///< position of the rule that matches

  Box boxA, boxB;  ///< of the instances, or of the two surfaces if the question names them
  /// Gap between the boxes along x, y, z. A negative value is the length of their overlap.
  std::array<double, 3> gaps{};
  /// OAABB: the overlap of the boxes in the frame in which the query runs, the local coordinates of the part
  /// in role A. Empty if they do not overlap.
  Box overlapBox;
  bool aStays = true;  ///< `a` has role A

  /// Pairs of boxes of surfaces and of triangles that overlap, in that frame. If the question names two
  /// surfaces, only theirs.
  std::uint64_t surfacePairs = 0, surfaceCandidates = 0, triangleCandidates = 0;
  std::uint64_t exactTests = 0;  ///< triangle tests, one for each candidate, that exact arithmetic decided
  std::uint64_t hits = 0;        ///< pairs of triangles that intersect
  std::uint64_t hitSurfaces = 0;
  QueryStats stats;  ///< of the query that a check runs for the two instances

  /// The nearest triangles; unset if a part has no triangles.
  std::optional<NearestPair> nearest;
  DistanceError nearestError;  ///< that of its distance
  /// The verdict of the two instances if a tolerance is given or known; unset for two surfaces.
  std::optional<VerdictReport> verdict;
  std::optional<ToleranceOrigin> toleranceOrigin;
  /// True if a check with these options uses the verdict: it was requested, and the pair is checked.
  bool verdictCounts = false;
  bool areCopies = false;  ///< as `PairInterference::areCopies`
  /// True if the pair is nearer than the clearance of its rule; false for two surfaces.
  bool tooNear = false;
  bool clearanceIsOpen = false;           ///< chord errors leave open whether the clearance is kept
  bool closedA = false, closedB = false;  ///< a part that is not closed has no inside
  ReportStatus status = ReportStatus::complete;

  /// True if a check with these options reports the pair as more than clear; for two surfaces, if they
  /// intersect.
  [[nodiscard]] bool reported() const noexcept {
    return outcome == ExplainedOutcome::intersect || tooNear ||
           (verdictCounts && verdict->verdict != Verdict::clear);
  }
  /// As `PairInterference::needsAction`.
  [[nodiscard]] bool needsAction() const noexcept {
    return tooNear ||
           (verdictCounts ? verdict->verdict == Verdict::clash : outcome == ExplainedOutcome::intersect);
  }
};

/// Checks a question before anything is computed. Throws InputError for a node that is not an instance, for
/// the same instance twice, and for a surface that does not exist.
void requireAnswerable(const Assembly& assembly, const ExplainQuestion& question);

/// Explains a pair at its poses. Candidates are counted by a sort and sweep over all triangles of both parts,
/// so this costs more than a check of the pair. Throws as `intersect` and `requireAnswerable`.
Explanation explain(const Scene& scene, const Poses& poses, const ExplainQuestion& question,
                    const Progress& progress = {});

}  // namespace fitup
