#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/geometry/pair_placement.h>
#include <fitup/hierarchy/query_mode.h>
#include <fitup/hierarchy/query_stats.h>
#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// Decides when a traversal ends early. Traversals call it with every box or triangle test; it reads the
/// clock and the cancel handle only at intervals.
class StopCheck {
 public:
  enum class Reason { none, limit, cancelled };

  StopCheck() = default;
  StopCheck(std::optional<std::chrono::steady_clock::time_point> deadline, std::stop_token cancel)
      : deadline_(deadline), cancel_(std::move(cancel)), watching_(deadline_ || cancel_.stop_possible()) {}

  /// Returns true if the traversal must end; `reason` says why.
  [[nodiscard]] bool stop() noexcept {
    if (!watching_ || (++asked_ & 127U) != 1) [[likely]]
      return reason_ != Reason::none;
    return look();
  }
  void stopForLimit() noexcept { reason_ = Reason::limit; }
  /// Takes over the reason of a part of the work on another thread, so that all of the work ends.
  /// Cancellation takes precedence over a limit.
  void stopLike(const StopCheck& other) noexcept { reason_ = std::max(reason_, other.reason_); }
  [[nodiscard]] Reason reason() const noexcept { return reason_; }

 private:
  /// Kept out of line, because traversals call `stop` in many places.
  [[gnu::noinline, gnu::cold]] bool look() noexcept {
    if (cancel_.stop_requested())
      reason_ = Reason::cancelled;
    else if (deadline_ && std::chrono::steady_clock::now() >= *deadline_)
      reason_ = Reason::limit;
    return reason_ != Reason::none;
  }

  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::stop_token cancel_;
  bool watching_ = false;
  std::uint32_t asked_ = 0;
  Reason reason_ = Reason::none;
};

/// The input of every traversal (two meshes, the placement of B in A, and the options) and references to its
/// output.
struct TraversalTask {
  const TriangleMesh& a;
  const TriangleMesh& b;
  const PairPlacement& placement;
  QueryMode mode = QueryMode::allTrianglePairs;
  Touching touching = Touching::include;
  OverlapBoxSetting overlapBox = OverlapBoxSetting::on;
  VectorUse vectorUse = VectorUse::best;
  Coherence coherence = Coherence::off;
  std::size_t maxPairs = std::numeric_limits<std::size_t>::max();
  unsigned threads = 1;

  StopCheck& stop;
  QueryStats& stats;
  /// Every pair, one witness for each pair of surfaces, or a single pair, depending on the mode. In any
  /// order.
  std::vector<TrianglePair>& found;
  /// If not null, receives the surfaces of each pair in `found` if the traversal knows them; otherwise it
  /// stays empty.
  std::vector<SurfacePair>* surfacesOfFound = nullptr;

  /// Returns the same task with other outputs, for a part of the work on another thread.
  [[nodiscard]] TraversalTask into(StopCheck& ownStop, QueryStats& ownStats,
                                   std::vector<TrianglePair>& ownFound,
                                   std::vector<SurfacePair>& ownSurfaces) const {
    return {a,         b,        placement, mode,    touching, overlapBox, vectorUse,
            coherence, maxPairs, threads,   ownStop, ownStats, ownFound,   &ownSurfaces};
  }

  /// Adds a pair. Returns true if the traversal must end: the first pair was found, or the limit has been
  /// reached and there is another pair.
  bool add(TriangleId triangleA, TriangleId triangleB) const {
    if (found.size() >= maxPairs) {
      stop.stopForLimit();
      return true;
    }
    found.push_back({triangleA, triangleB});
    return mode == QueryMode::firstSurfacePair;
  }
  /// Same for traversals that know the surfaces of every pair that they add.
  bool add(TriangleId triangleA, TriangleId triangleB, SurfacePair surfaces) const {
    const std::size_t before = found.size();
    const bool ends = add(triangleA, triangleB);
    if (surfacesOfFound != nullptr && found.size() != before) surfacesOfFound->push_back(surfaces);
    return ends;
  }
  /// Adds pairs in a query for all pairs. Returns true if the limit is reached and there are more.
  bool add(std::span<const TrianglePair> pairs) const {
    const std::size_t fit = std::min(pairs.size(), maxPairs - found.size());
    found.insert(found.end(), pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(fit));
    if (fit == pairs.size()) return false;
    stop.stopForLimit();
    return true;
  }
};

}  // namespace fitup
