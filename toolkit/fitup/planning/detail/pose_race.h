#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <fitup/planning/detail/removal_directions.h>
#include <fitup/planning/detail/way_tester.h>

namespace fitup::detail {

/// The moved instance, the resting one, and the surfaces of a stop.
using RemovalFaces = std::tuple<NodeId, NodeId, SurfacePair>;

/// Searches among poses for one way, with different seeds, each on a thread of its own. The one that finds a
/// way with the least work wins: the others go on until they have done as much, so that the winner is always
/// the same (an algorithm portfolio: Huberman, Lukose and Hogg, An Economics Approach to Hard Computational
/// Problems, 1997).
///
/// Keeps references to all that it is given. Not thread-safe.
class PoseRace {
 public:
  PoseRace(const Scene& scene, const Poses& poses, const RemovalOptions& options,
           const WayCandidates& candidates, WayTester& tester, const Progress& progress);

  /// From where the instances are by the guides to the goal, or out, with this room. Fewer than two poses:
  /// not found. Ends after that share of all work and time.
  std::vector<RigidMotion> find(double room, double untilShare);
  /// Looks for a way with larger tolerances of what is in contact at the start and a smaller clearance, if
  /// there is either. The searches after it pass by its poses.
  void findRelaxed(double room, double untilShare);

  /// Of the search that won or, if none did, of the first one; over all calls.
  [[nodiscard]] const RemovalSearch& done() const noexcept { return done_; }
  /// What ended ways from the start, of the first search, over all calls.
  [[nodiscard]] const std::map<RemovalFaces, std::size_t>& stops() const noexcept { return stops_; }

 private:
  class Runner;
  /// What the searches of one race keep.
  struct Limits {
    double clearance = 0;
    std::optional<double> tolerance{};
    double room = 0;
  };
  std::vector<RigidMotion> find(const Limits& limits, double untilShare);

  const Scene& scene_;
  const Poses& poses_;
  const RemovalOptions& options_;
  WayTester& tester_;
  const Progress& progress_;
  PoseSearchTask task_;                ///< without start, goal and seed
  std::vector<RemovalSearch> before_;  ///< of each seed, in the calls before
  std::vector<RigidMotion> relaxed_;   ///< poses of a way with larger tolerances
  RemovalSearch done_;
  std::map<RemovalFaces, std::size_t> stops_;
  double tolerance_ = 0;  ///< of what is in contact at the start
};

}  // namespace fitup::detail
