#pragma once

#include <memory>

#include <fitup/planning/pose_search.h>

namespace FITUP_EXPORT fitup {

/// True if this build can search with trees. They need OMPL.
bool hasTreeSearch() noexcept;

/// A search with two trees of poses, one from the start and one from the goal, or from poses that are out
/// (Kuffner and LaValle, RRT-Connect, 2000), and more from waypoints, which are joined with these where they
/// meet. A tree grows towards random poses, or near to poses that it has.
/// Where a way is stopped, it goes on along what stops it (`FreeSpace::slide`), so that the trees find into
/// passages that random poses miss. OMPL shortens the ways.
///
/// Thread-safe. Sets the seed of the random numbers that all of OMPL in a process shares: other users of OMPL
/// get other numbers, and searches at the same time may shorten their ways differently each time. Throws
/// NotBuiltError if `hasTreeSearch` is false.
std::shared_ptr<const PoseSearch> treeSearch();

}  // namespace fitup
