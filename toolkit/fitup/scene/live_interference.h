#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include <fitup/scene/interference.h>

namespace FITUP_EXPORT fitup {

/// The interference of all pairs of a scene, kept while instances are moved: after a move only pairs with a
/// moved instance are checked again; sweep and prune finds them.
///
/// `report()` is then what `checkAllPairs` gives for the scene with these poses, but for `stats` and
/// `milliseconds`, which are those of the last call (and, with `Coherence::on`, for which pair is the first
/// one). It does not depend on the number of threads. Shares the scene. One call at a time.
class LiveInterference {
 public:
  /// Checks all pairs. Throws as `checkAllPairs`; InputError for `stopAtFirstPair` and for a limit of pairs,
  /// which have no meaning for pairs that are checked at different times, and for more than ten million
  /// pairs whose boxes meet.
  explicit LiveInterference(const Scene& scene, const Poses& poses = {},
                            const InterferenceOptions& options = {}, const Progress& progress = {});
  /// The same options, but for the selection, after the scene has been edited: checks only pairs with an
  /// instance that is new, stands elsewhere, has another model (a refitted one too), another path (where
  /// there are rules) or has changed sets. `formerly[k]` is what instance k of the scene (by position) was
  /// called before; unset: it is new. Throws as the other one, and InputError for not one entry for each
  /// instance.
  LiveInterference(const LiveInterference& former, const Scene& scene, const Poses& poses,
                   std::span<const std::optional<NodeId>> formerly, const PairSelection& selection = {},
                   const Progress& progress = {});
  ~LiveInterference();
  LiveInterference(const LiveInterference&) = delete;
  LiveInterference& operator=(const LiveInterference&) = delete;

  /// Moves these instances, leaves all others where they are, and checks what that changes. The time budget
  /// is for this call. If it is cut short, the report says so, and the next calls (also without moves) make
  /// up for it: with a time budget each goes on with pairs that have not been answered yet. A pair that by
  /// itself takes longer than the budget stays open, as each call begins it anew. Throws InputError for a
  /// node that is no instance, PlacementError as `placedInstance`; nothing has changed then. Throws
  /// InputError for more than ten million pairs whose boxes meet; the instances have moved
  /// then, and the report is of no use before a call ends well.
  const InterferenceReport& move(const Poses& moves, const Progress& progress = {});
  /// The same for all instances: those without a pose go to their design placements.
  const InterferenceReport& moveTo(const Poses& poses, const Progress& progress = {});
  [[nodiscard]] const InterferenceReport& report() const noexcept;
  /// Pairs that have not been checked to the end; 0 exactly if the report is complete. An instance whose
  /// pairs could not be looked for, since that was cancelled, counts as one.
  [[nodiscard]] std::size_t openPairs() const noexcept;
  /// Where an instance is. Throws InputError for a node that is no instance.
  [[nodiscard]] const Transform& worldFromPart(NodeId instance) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fitup
