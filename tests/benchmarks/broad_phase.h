#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "statistics.h"

namespace fitup::bench {

/// Instances in a crowd, of which some move at each step; every instance meets about two others.
struct BroadPhaseRow {
  std::size_t instances = 0, movers = 0;
  std::string motion;
  double pairs = 0;                     ///< of movers with others, a step
  MedianInterval sweep, tree, scan;     ///< microseconds a step; scan: zeros where it was left out
  MedianInterval treeRatio, scanRatio;  ///< their time / the sweep's, round by round
};

/// The candidates of all movers, found by `InstanceSweep`, by an `InstanceTree` that is built anew, and by
/// going through all instances for each mover. Processor time. Throws Error if they differ. `quick`: small
/// and few.
std::vector<BroadPhaseRow> runBroadPhase(int rounds, bool quick);

/// To standard output.
void print(const std::vector<BroadPhaseRow>& rows);

}  // namespace fitup::bench
