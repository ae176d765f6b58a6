#pragma once

#include <string>
#include <vector>

namespace fitup::bench {

/// How many ways between two poses one planner had checked in the same time, by one program.
struct WaysRow {
  std::string scene, contestant;
  double room = 0;   ///< mm: least distance kept (Fitup), or farthest that points move between poses (FCL)
  double rate = 0;   ///< ways checked in a second of processor time
  double free = 0;   ///< share of them that were free
  double ratio = 1;  ///< of the rates: to the last contestant of the scene
};

/// RRT-Connect of OMPL on scenes without a way out, so that it never ends early: each program checks the ways
/// that the planner asks for, for `seconds` of processor time, in turns. `FreeSpace` shows that a way is free
/// at every time; FCL looks at poses between which no point moves farther than what Fitup keeps. Throws Error
/// if one of them is missing from this build.
std::vector<WaysRow> runWays(double seconds, int rounds);

/// Prints to standard output.
void print(const std::vector<WaysRow>& rows);

}  // namespace fitup::bench
