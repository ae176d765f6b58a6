#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fitup/scene/assembly.h>

namespace fitup::bench {

/// Drags of the parts of one assembly that stop at contact. Times in milliseconds, of processor time of the
/// dragging thread.
struct DragsRow {
  std::string assembly;
  std::size_t drags = 0, updates = 0, stops = 0;
  std::size_t behind = 0;                             ///< updates after which the part was still on its way
  std::size_t mostLooks = 0;                          ///< of an update
  double median = 0, p95 = 0, p999 = 0, longest = 0;  ///< of updates
  double startMedian = 0, longestStart = 0;           ///< of starts of drags
};

/// Drags each part of the plant and of the assemblies in turn, along and about seeded directions and axes, by
/// hands of three speeds, with the budget of the viewer. Every drag is repeated without a budget. Throws
/// Error if that ends elsewhere.
std::vector<DragsRow> runDrags(const std::vector<std::pair<std::string, Assembly>>& assemblies,
                               std::size_t dragsEach);

/// Prints to standard output.
void print(const std::vector<DragsRow>& rows);

}  // namespace fitup::bench
