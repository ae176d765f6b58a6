#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "statistics.h"

namespace fitup::bench {

/// What to measure the cost of size on: `models::makeLargeAssembly`.
struct ScaleOptions {
  std::size_t parts = 3000;
  std::size_t triangles = 10'000'000;
  int rounds = 7;  ///< of opening and of the replay
  /// Where the model file is written and removed again. Its file system should be local.
  std::filesystem::path folder = std::filesystem::temp_directory_path();
};

struct ScaleResult {
  std::size_t parts = 0, surfaces = 0, triangles = 0;  ///< the spool included
  double generateSeconds = 0;                          ///< on all threads
  double buildSecondsOneThread = 0, buildSecondsTwoThreads = 0;
  double meshBytesPerTriangle = 0, hierarchyBytesPerTriangle = 0;
  double writeSeconds = 0;  ///< onto the disk, not only into the page cache
  std::size_t fileBytes = 0;
  MedianInterval openSeconds;  ///< `readModelFile` with a warm page cache
  std::size_t steps = 0, hitSteps = 0;
  /// The dragged spool on one thread, all pairs of triangles; each step is the median of its rounds.
  double stepMillisecondsMedian = 0, stepMillisecondsMean = 0;
  double stepMilliseconds95 = 0, stepMillisecondsWorst = 0;  ///< 95 % of the steps are faster / all are
  double stepMillisecondsWorstSeen = 0;                      ///< of all steps in all rounds
};

/// Generates, builds, writes, opens and replays. Takes some 25 bytes of memory a triangle for the meshes and
/// three times the hierarchies' size at most. Throws as the calls it measures.
ScaleResult runScale(const ScaleOptions& options = {});

/// To standard output.
void print(const ScaleResult& result);

}  // namespace fitup::bench
