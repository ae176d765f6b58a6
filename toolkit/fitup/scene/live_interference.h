#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fitup/scene/instance_sweep.h>
#include <fitup/scene/interference.h>
#include <fitup/scene/pair_selection.h>

namespace FITUP_EXPORT fitup {

/// Where an instance has been moved to.
struct InstanceMove {
  NodeId instance{};
  Transform worldFromPart;
};

/// The interference of all pairs of an assembly, kept while instances are moved: after a move only pairs with
/// a moved instance are checked again; sweep and prune finds them.
///
/// `report()` is then what `checkAllPairs` gives for the assembly with these placements, but for `stats` and
/// `milliseconds`, which are those of the last call (and, with `Coherence::on`, for which pair is the first
/// one). It does not depend on the number of threads. Placements of the assembly itself are read once and
/// never changed.
///
/// Refers to assembly and models; they must outlive it unchanged. One call at a time.
class LiveInterference {
 public:
  /// Checks all pairs. Throws as `checkAllPairs`; InputError for `stopAtFirstPair` and for a limit of pairs,
  /// which have no meaning for pairs that are checked at different times, and for more pairs whose boxes meet
  /// than `SweepAndPrune::mostPairs`.
  LiveInterference(const Assembly& assembly, const CollisionModels& models,
                   const InterferenceOptions& options = {}, const Progress& progress = {},
                   PairSelection selection = {});
  /// The same options after the assembly has been edited: checks only pairs with an instance that is new,
  /// stands elsewhere, has another model (a refitted one too), another path (where there are rules) or has
  /// changed sets. `formerly[k]` is what instance k of the assembly (by position) was called before; unset:
  /// it is new. Throws as the other one, and InputError for not one entry for each instance.
  LiveInterference(const LiveInterference& former, const Assembly& assembly, const CollisionModels& models,
                   std::span<const std::optional<NodeId>> formerly, const Progress& progress = {},
                   PairSelection selection = {});
  LiveInterference(const LiveInterference&) = delete;
  LiveInterference& operator=(const LiveInterference&) = delete;

  /// Moves instances and checks what that changes; the time budget is for this call. If it is cut short, the
  /// report says so, and the next calls (also without moves) make up for it: with a time budget each goes on
  /// with pairs that have not been answered yet. A pair that by itself takes longer than the budget stays
  /// open, as each call begins it anew. Throws InputError for a node that is no instance, PlacementError as
  /// `placedInstance`; nothing has changed then. Throws InputError for more than `SweepAndPrune::mostPairs`
  /// pairs whose boxes meet; the instances have moved then, and the report is of no use before a call ends
  /// well.
  const InterferenceReport& move(std::span<const InstanceMove> moves, const Progress& progress = {});
  [[nodiscard]] const InterferenceReport& report() const noexcept { return report_; }
  /// Pairs that have not been checked to the end; 0 exactly if the report is complete. An instance whose
  /// pairs could not be looked for, since that was cancelled, counts as one.
  [[nodiscard]] std::size_t openPairs() const noexcept { return open_.size() + moved_.size(); }
  /// Where an instance is. Throws InputError for a node that is no instance.
  [[nodiscard]] const Transform& worldFromPart(NodeId instance) const;

 private:
  void place(const Assembly& assembly);
  void adopt(const LiveInterference& former, std::span<const std::optional<NodeId>> formerly);
  [[nodiscard]] std::uint32_t positionOf(NodeId instance) const;
  [[nodiscard]] CandidatePair positionsOf(const PairInterference& pair) const;
  void recheck(const Progress& progress);
  void findPairs(const WorkMeter& meter);
  void checkOpen(const Progress& progress);
  ReportStatus checkInTurn(const Progress& progress);
  bool checkSome(std::span<const CandidatePair> pairs, const InterferenceOptions& options,
                 const Progress& progress, ReportStatus& status);

  MatchedModels matched_;
  InterferenceOptions options_;
  PairSelection selection_;
  BodyModels ownBodies_;
  std::vector<PlacedInstance> placed_;
  InstanceSweep sweep_;  ///< of `placed_`
  std::vector<std::string> paths_;
  std::map<NodeId, std::uint32_t> positions_;
  std::map<CandidatePair, PairKind> meeting_;  ///< pairs whose boxes meet, the lower position first
  std::set<std::uint32_t> moved_;              ///< whose pairs have not been looked for yet
  std::set<CandidatePair> open_;               ///< of `meeting_`, not checked to the end
  CandidatePair resume_{};                     ///< where a check that was cut short goes on
  CheckContexts contexts_;
  InterferenceReport report_;
};

}  // namespace fitup
