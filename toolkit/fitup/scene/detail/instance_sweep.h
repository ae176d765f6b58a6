#pragma once

#include <cstdint>
#include <span>

#include <fitup/scene/broad_phase.h>
#include <fitup/scene/detail/sweep_and_prune.h>

namespace FITUP_EXPORT fitup {

/// The instances that may meet, kept while instances move: `SweepAndPrune` over their world boxes, grown by
/// what exact queries may see points moved by. Against an `InstanceTree`, which has to be built anew after
/// each move, it is the better one where few instances move or none moves far (docs/results/broad-phase.md).
/// Keeps a copy of what it needs. Not thread-safe while instances move.
class InstanceSweep {
 public:
  InstanceSweep() = default;
  /// Throws as `move`.
  explicit InstanceSweep(std::span<const PlacedInstance> placed, const WorkMeter& meter = {});

  /// The instances at `positions` (each once) have been moved. `placed` are all of them; it may have grown at
  /// its end, the new positions being among those given, and instances that have no box any more count as
  /// removed. Throws InputError for more than `SweepAndPrune::mostPairs` pairs that may meet, and
  /// CancelledError; the next call then begins anew, and until it has ended well there are no partners.
  void move(std::span<const std::uint32_t> positions, std::span<const PlacedInstance> placed,
            const WorkMeter& meter = {});

  /// The positions of all instances that may meet the one at `position` (not itself), and perhaps of some
  /// more: `mayMeet` decides. In no order; valid until the next move.
  [[nodiscard]] std::span<const std::uint32_t> partners(std::uint32_t position) const noexcept {
    return sweep_.partners(position);
  }
  /// Counts pairs that may meet.
  [[nodiscard]] std::size_t pairCount() const noexcept { return sweep_.pairCount(); }

 private:
  [[nodiscard]] bool widen(const PlacedInstance& instance);
  [[nodiscard]] Box grownBox(const PlacedInstance& instance) const;
  void sweepAll(std::span<const PlacedInstance> placed, const WorkMeter& meter);

  SweepAndPrune sweep_;
  bool isComplete_ = false;  ///< `sweep_` knows all instances; not where a call did not end well
  double largestGrowth_ = 0, largestReach_ = 0;  ///< at least those of all instances
};

}  // namespace fitup
