#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <fitup/motion/free_space.h>

namespace FITUP_EXPORT fitup {

/// What a search among poses is asked for.
struct PoseSearchTask {
  RigidMotion start;                  ///< free
  std::optional<RigidMotion> goal{};  ///< free. Unset: *out*
  /// How far the group, at a pose, goes along a unit direction until it is out; 0 if it is.
  std::function<double(const RigidMotion& pose, const Vec3& direction)> lengthOut;
  /// Unit directions that the model suggests, such as the axes of faces. May be empty.
  std::vector<Vec3> directions{};
  /// Poses that the way may pass, such as those in openings. Those without room are left out. May be empty.
  std::vector<RigidMotion> waypoints{};
  std::uint64_t seed = 1;
  /// Asked before every step; true ends the search.
  std::function<bool()> stop;
  /// Receives what ends ways of the tree at the start, which is the frontier of the search. May be empty.
  std::function<void(const FreeStop&)> stopped;
  /// Receives a pose that was reached now and then, and the number of poses so far.
  std::function<void(const RigidMotion& pose, std::size_t poses)> seen;
};

/// What a search among poses found.
struct PoseSearchResult {
  /// From the start to the goal, or out, along straight ways that are free. Empty: not found within the
  /// limits, or the start and the goal are not free.
  std::vector<RigidMotion> poses;
  std::size_t steps = 0;
  std::size_t reached = 0;  ///< poses
};

/// A search for a way in free space. Thread-safe.
class PoseSearch {
 public:
  virtual ~PoseSearch() = default;
  /// The same task in the same space has the same result, unless a budget of time ended it.
  [[nodiscard]] virtual PoseSearchResult find(FreeSpace& space, const PoseSearchTask& task) const = 0;
  /// A way of the same ends that is shorter and smoother, and keeps farther away from what rests.
  [[nodiscard]] virtual std::vector<RigidMotion> improve(FreeSpace& space, std::vector<RigidMotion> poses,
                                                         const PoseSearchTask& task) const = 0;
};

/// The way with poses in between moved away from what is nearest, up to 1/40 of the size of the group, where
/// that keeps it free (`FreeSpace::withdrawn`): the least room grows. `stop` ends it early.
///
/// Precondition: the straight ways between the poses are free.
std::vector<RigidMotion> widenedWay(FreeSpace& space, const std::vector<RigidMotion>& poses,
                                    const std::function<bool()>& stop);
/// The way without the poses that lie, up to 1/500 of the size of the group, on straight ways that are free.
std::vector<RigidMotion> withoutNeedless(FreeSpace& space, const std::vector<RigidMotion>& poses);

}  // namespace fitup
