#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/query/intersect.h>
#include <fitup_field/field_kinds.h>

namespace fitup::bench {

/// A system of the papers with its settings.
struct System {
  std::string name;
  HierarchyKind kind = HierarchyKind::wide;
  BuildOptions build;

  /// Makes a system with the trees of this kind only.
  static System of(HierarchyKind kind, std::string name = {}, const ResearchOptions& options = {});
};

/// Two parts; A rests, B takes poses.
struct TrialPair {
  std::shared_ptr<const TriangleMesh> a, b;
};

struct Trial {
  QueryStats stats;         ///< counts over all poses
  std::size_t hits = 0;     ///< poses that intersect
  std::size_t pairs = 0;    ///< pairs of triangles
  double milliseconds = 0;  ///< processor time of all poses
  double buildMilliseconds = 0;
  double bytesPerTriangle = 0;

  [[nodiscard]] std::uint64_t tests() const noexcept {
    return stats.boxTests + stats.triangleTests + stats.triangleBoxTests;
  }
};

/// Runs every pose in one mode.
Trial run(const System& system, const TrialPair& pair, std::span<const Transform> worldFromB, QueryMode mode);

/// Runs several systems; throws Error if they do not agree on hits, or, for `allTrianglePairs`, on pairs.
std::vector<Trial> runAll(std::span<const System> systems, const TrialPair& pair,
                          std::span<const Transform> worldFromB, QueryMode mode);

/// Like `runAll`, for times that are compared: the systems take turns, and each gets the median of its
/// `rounds` times. Counts are of one round.
std::vector<Trial> runInTurn(std::span<const System> systems, const TrialPair& pair,
                             std::span<const Transform> worldFromB, QueryMode mode, int rounds);

/// Returns, by bisection, the side of the cube in which `share` of random placements intersect.
double cubeSideFor(const TrialPair& pair, double share, std::uint64_t seed);

/// Returns the least-squares slope of log y over log x.
double slope(std::span<const std::pair<double, double>> points);

/// Returns "1,234,567".
std::string grouped(std::uint64_t number);

}  // namespace fitup::bench
