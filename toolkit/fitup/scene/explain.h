#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fitup/query/distance.h>
#include <fitup/scene/interference.h>

namespace FITUP_EXPORT fitup {

/// What became of a pair, from the first reason that decides it.
enum class ExplainedOutcome {
  unselected,      ///< outside the rules' `check` sets, or not in the options' selection
  ignored,         ///< left out by a rule
  noTriangles,     ///< a side has nothing to intersect
  boxesApart,      ///< the boxes of the two in the world do not meet
  surfacesApart,   ///< no two boxes of surfaces meet
  trianglesApart,  ///< no two boxes of triangles meet, or none of those triangles intersect
  intersect,
};
/// "unselected", "ignored", ...
std::string_view name(ExplainedOutcome outcome) noexcept;

/// Where the tolerance of a verdict comes from.
enum class ToleranceOrigin {
  given,       ///< by the caller
  chordError,  ///< twice the larger chord error of the two tessellations
  rounding,    ///< raised to `leastTolerance`: the rounding of coordinates, or what double precision can tell
};
std::string_view name(ToleranceOrigin origin) noexcept;

/// Which pair to explain: two instances, or one surface of each.
struct ExplainQuestion {
  NodeId a{}, b{};
  std::optional<SurfacePair> surfaces{};
  /// Touching, rules and the tolerance count. The limits are those of the query that a check runs for the two
  /// instances; everything else is reported whatever time it takes, until it is cancelled.
  InterferenceOptions options{};
};

/// Why a pair was or was not reported, step by step. Everything that could be computed is reported, whether
/// or not an earlier step decided. Lengths and boxes are in the world unless said otherwise.
struct Explanation {
  ExplainedOutcome outcome = ExplainedOutcome::noTriangles;

  bool selected = true;
  std::optional<std::size_t> rule{};  ///< position of the rule that matches

  Box boxA, boxB;  ///< of the instances (of the surfaces, where two were asked about)
  /// Along x, y, z: how far the boxes are apart, below zero how much they have in common.
  std::array<double, 3> gaps{};
  /// OAABB: what the boxes have in common in the frame in which the pair is answered: local coordinates of
  /// the part that plays A; empty if nothing.
  Box overlapBox;
  bool aStays = true;  ///< `a` plays that part

  /// Pairs of boxes that meet, of surfaces and of triangles, in that frame; of the two surfaces only where
  /// two were asked about.
  std::uint64_t surfacePairs = 0, surfaceCandidates = 0, triangleCandidates = 0;
  std::uint64_t exactTests =
      0;                   ///< of the triangle tests, one for each candidate; decided by exact arithmetic
  std::uint64_t hits = 0;  ///< pairs of triangles that intersect
  std::uint64_t hitSurfaces = 0;
  QueryStats stats;  ///< of the query that a check runs for the two instances

  /// Of the triangles nearest to each other; in parts without triangles nothing.
  std::optional<NearestPair> nearest;
  /// Of the two instances, if a tolerance is given or known; not for two surfaces.
  std::optional<VerdictReport> verdict;
  std::optional<ToleranceOrigin> toleranceOrigin;
  /// The verdict is what a check with these options goes by: it was asked for, and the pair is checked.
  bool verdictCounts = false;
  /// Nearer than the clearance of the pair's rule; not for two surfaces.
  bool tooNear = false;
  bool closedA = false, closedB = false;  ///< a part that is not closed has no inside
  ReportStatus status = ReportStatus::complete;

  /// True if a check with these options reports the pair as more than clear; two surfaces, if they intersect.
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

/// Throws InputError for nodes that are no instances, for one instance twice and for surfaces that are not
/// there: what can be said before anything is computed.
void requireAnswerable(const Assembly& assembly, const ExplainQuestion& question);

/// Explains a pair where `poses` have it. Candidates are counted by sorting and sweeping over all
/// triangles of both, so it costs more than a check of the pair. Throws as `intersect` and
/// `requireAnswerable`.
Explanation explain(const Scene& scene, const Poses& poses, const ExplainQuestion& question,
                    const Progress& progress = {});

}  // namespace fitup
