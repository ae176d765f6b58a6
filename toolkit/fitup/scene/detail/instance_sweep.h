#pragma once

#include <cstdint>
#include <span>

#include <fitup/scene/broad_phase.h>
#include <fitup/scene/detail/sweep_and_prune.h>

namespace FITUP_EXPORT fitup {

/// The instances that may meet, updated while instances move: `SweepAndPrune` over their world boxes, grown
/// by the amount that exact queries may move points. It is faster than an `InstanceTree`, which has to be
/// rebuilt after each move, if few instances move or none moves far (docs/results/broad-phase.md). Keeps a
/// copy of what it needs. Not thread-safe while instances move.
class InstanceSweep {
 public:
  InstanceSweep() = default;
  /// Throws as `move`.
  explicit InstanceSweep(std::span<const PlacedInstance> placed, const WorkMeter& meter = {});

  /// Updates the instances at `positions` (each once). `placed` holds all instances. New ones may be appended
  /// to it if `positions` contains them; instances whose box has become empty count as removed. Throws
  /// InputError for more than `SweepAndPrune::mostPairs` pairs that may meet, and CancelledError. After an
  /// exception there are no partners, and the next call starts again, until one succeeds.
  void move(std::span<const std::uint32_t> positions, std::span<const PlacedInstance> placed,
            const WorkMeter& meter = {});

  /// The positions of all instances that may meet the one at `position`, without itself. The result may
  /// contain others too: filter it with `mayMeet`. Unordered; valid until the next move.
  [[nodiscard]] std::span<const std::uint32_t> partners(std::uint32_t position) const noexcept {
    return sweep_.partners(position);
  }
  /// Number of pairs that may meet.
  [[nodiscard]] std::size_t pairCount() const noexcept { return sweep_.pairCount(); }

 private:
  [[nodiscard]] bool widen(const PlacedInstance& instance);
  [[nodiscard]] Box grownBox(const PlacedInstance& instance) const;
  void sweepAll(std::span<const PlacedInstance> placed, const WorkMeter& meter);

  SweepAndPrune sweep_;
  bool isComplete_ = false;  ///< `sweep_` knows all instances; false after a call that failed
  double largestGrowth_ = 0, largestReach_ = 0;  ///< upper bounds over all instances
};

}  // namespace fitup
