#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "statistics.h"

namespace fitup::bench {

/// Instances in a crowd, some of which move at each step; every instance meets about two others.
struct BroadPhaseRow {
  std::size_t instances = 0, movers = 0;
  std::string motion;
  double pairs = 0;                     ///< pairs of movers with others, per step
  MedianInterval sweep, tree, scan;     ///< microseconds per step; scan: zeros if it was left out
  MedianInterval treeRatio, scanRatio;  ///< their time / the sweep's, round by round
};

/// Measures the search for the candidates of all movers by `InstanceSweep`, by a rebuilt `InstanceTree`, and
/// by a scan of all instances for each mover. Processor time. Throws Error if the candidates differ. `quick`:
/// small and few scenes.
std::vector<BroadPhaseRow> runBroadPhase(int rounds, bool quick);

/// Prints to standard output.
void print(const std::vector<BroadPhaseRow>& rows);

}  // namespace fitup::bench
