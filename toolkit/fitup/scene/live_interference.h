#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fitup/scene/instance_sweep.h>
#include <fitup/scene/interference.h>

namespace fitup {

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
  /// which have no meaning for pairs that are checked at different times.
  LiveInterference(const Assembly& assembly, const CollisionModels& models,
                   const InterferenceOptions& options = {}, const Progress& progress = {});
  LiveInterference(const LiveInterference&) = delete;
  LiveInterference& operator=(const LiveInterference&) = delete;

  /// Moves instances and checks what that changes; the time budget is for this call. If it is cut short, the
  /// report says so, and the next call (also without moves) makes up for it. Throws InputError for a node
  /// that is no instance, PlacementError as `placedInstance`; nothing has changed then.
  const InterferenceReport& move(std::span<const InstanceMove> moves, const Progress& progress = {});
  [[nodiscard]] const InterferenceReport& report() const noexcept { return report_; }
  /// Where an instance is. Throws InputError for a node that is no instance.
  [[nodiscard]] const Transform& worldFromPart(NodeId instance) const;

 private:
  enum class Met { excluded, unselected, narrow };

  [[nodiscard]] std::uint32_t positionOf(NodeId instance) const;
  [[nodiscard]] Met met(std::uint32_t i, std::uint32_t j) const;
  void recheck(const Progress& progress);

  MatchedModels matched_;
  InterferenceOptions options_;
  BodyModels ownBodies_;
  std::vector<PlacedInstance> placed_;
  InstanceSweep sweep_;  ///< of `placed_`
  std::vector<std::string> paths_;
  std::map<NodeId, std::uint32_t> positions_;
  std::map<CandidatePair, Met> meeting_;  ///< pairs whose boxes meet, the lower position first
  std::set<std::uint32_t> pending_;       ///< moved, but not yet checked to the end
  CheckContexts contexts_;
  InterferenceReport report_;
};

}  // namespace fitup
