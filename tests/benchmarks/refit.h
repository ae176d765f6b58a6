#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "statistics.h"

namespace fitup::bench {

/// A part before and after a deformation: the gain of refitting, and its cost for later queries.
struct RefitRow {
  std::string scene, deformation;
  std::size_t triangles = 0;
  MedianInterval build, refit;  ///< milliseconds: of a model of all default hierarchies, with the mesh
  MedianInterval ratio;         ///< build / refit, round by round
  double comparisons = 0;       ///< per triangle, by the R-trees' refit (van den Bergen 1998: less than 48)
  double wideGrowth = 0, scdGrowth = 0;    ///< `costGrowth`
  MedianInterval wideQueries, scdQueries;  ///< time of queries on the refitted model / on a rebuilt one
};

/// Measures the large torus and the wrinkled one, twisted, waved, inflated and folded through themselves; all
/// pairs of triangles against the undeformed part at random placements, of which about 60 % intersect. One
/// thread, processor time. Throws Error if answers differ. `quick`: small meshes.
std::vector<RefitRow> runRefit(int rounds, bool quick);

/// Prints to standard output.
void print(const std::vector<RefitRow>& rows);

}  // namespace fitup::bench
