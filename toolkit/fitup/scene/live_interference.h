#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include <fitup/scene/interference.h>

namespace FITUP_EXPORT fitup {

/// When a live check judges the exact shapes of parts, or uses the tolerances of the faces at hand, if its
/// options ask for that (`VerdictOptions::catchesUp`).
enum class JudgeExactShapes {
  atOnce,  ///< in each call
  /// In `LiveInterference::catchUp`. All other calls judge the triangles of pairs that have moved, at the
  /// tolerances of whole parts, and take no longer than without such options.
  onCatchUp,
};

/// The interference of all pairs of a scene, kept up to date while instances move. After a move, only pairs
/// with a moved instance are checked again; sweep and prune finds them.
///
/// `report()` then equals the result of `checkAllPairs` for the scene with these poses, except for `stats`
/// and `milliseconds`, which are those of the last call. With `Coherence::on`, the first pair may differ too.
/// The report does not depend on the number of threads. With `JudgeExactShapes::onCatchUp`, all of this holds
/// for the pairs that `pairsOfTriangles` does not count; the others have the verdicts of their triangles, as
/// without `VerdictOptions::exactShapes` and `tolerancesOfFaces`. Shares the scene. Not thread-safe.
class LiveInterference {
 public:
  /// Checks all pairs. Throws as `checkAllPairs`. Throws InputError for `stopAtFirstPair` and pair limits,
  /// which have no meaning for pairs that are checked at different times, and for more than ten million pairs
  /// whose boxes overlap.
  explicit LiveInterference(const Scene& scene, const Poses& poses = {},
                            const InterferenceOptions& options = {}, const Progress& progress = {},
                            JudgeExactShapes when = JudgeExactShapes::atOnce);
  /// Continues `former` with the same options, except for the selection, after an edit of the scene. Checks
  /// only pairs with an instance that is new, has another placement, another model (including a refitted one)
  /// or another path (if there are rules), or has changed sets. `formerly[k]` is the former id of instance k
  /// of the scene (by position); unset: it is new. Throws as the first constructor, and InputError unless
  /// `formerly` has one entry for each instance.
  LiveInterference(const LiveInterference& former, const Scene& scene, const Poses& poses,
                   std::span<const std::optional<NodeId>> formerly, const PairSelection& selection = {},
                   const Progress& progress = {});
  ~LiveInterference();
  LiveInterference(const LiveInterference&) = delete;
  LiveInterference& operator=(const LiveInterference&) = delete;

  /// Moves these instances, leaves all others in place, and checks the pairs concerned. The time budget
  /// covers this call. If the call is cut short, the report says so and later calls, even without moves,
  /// continue with the pairs that are still open. A pair that takes longer than the budget stays open,
  /// because each call starts it again. Throws InputError for a node that is not an instance and
  /// PlacementError as `placedInstance`; both leave everything unchanged. Also throws InputError for more
  /// than ten million pairs whose boxes overlap; the instances are then moved, and the report is invalid
  /// until a call succeeds.
  const InterferenceReport& move(const Poses& moves, const Progress& progress = {});
  /// The same for all instances. Those without a pose return to their design placements.
  const InterferenceReport& moveTo(const Poses& poses, const Progress& progress = {});
  /// Judges the pairs that `pairsOfTriangles` counts as the options ask for, and replaces their results in the
  /// report. Ends early if it is cancelled or if, after a pair, `within` has passed; what is done then stays
  /// done. The time budget of the options does not apply, and `stats` and `milliseconds` stay those of the
  /// last move. Throws as `checkPair`.
  const InterferenceReport& catchUp(const Progress& progress = {},
                                    const std::optional<std::chrono::nanoseconds>& within = {});
  [[nodiscard]] const InterferenceReport& report() const noexcept;
  /// Number of pairs whose check is not complete; 0 if and only if the report is complete. An instance counts
  /// as one if the search for its pairs was cancelled.
  [[nodiscard]] std::size_t openPairs() const noexcept;
  /// Number of pairs whose verdict is that of their triangles at the tolerance of whole parts, although the
  /// options ask for more and a part has a chord error. 0 with `JudgeExactShapes::atOnce`.
  [[nodiscard]] std::size_t pairsOfTriangles() const noexcept;
  /// The placement of an instance. Throws InputError for a node that is not an instance.
  [[nodiscard]] const Transform& worldFromPart(NodeId instance) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fitup
