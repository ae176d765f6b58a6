#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <fitup/hierarchy/detail/wide_task.h>
#include <fitup/hierarchy/wide_distance.h>

namespace fitup::detail {

/// A pair of slots that waits. `key` is a lower bound of the squared distance in A; where boxes overlap, the
/// least overlap of all axes, below zero.
struct WaitingPair {
  SlotPair slots;
  float key;
};

/// What bounds of a distance query need beside the bounds of boxes.
///
/// A lower bound of a distance is the length of the gaps of two boxes along the axes of a node, boxes being
/// inflated as `WideQuery` says. With F^T F = 1 + E, entries of E at most 2^-22, |F v|^2 <= (1 + 3 * 2^-22)
/// |v|^2: a gap vector is at most that much too long. A gap is a difference that rounds once, relative to
/// itself, as the slack covers the roundings of its terms; squares and their sum round 3 times: 5 u. Hence a
/// pair is dropped only if the computed square exceeds (1 + 2^-19) times that of the distance to beat, plus
/// 2^-120 for underflow (each square loses below 2^-149).
///
/// In frames of B a length is one of A divided by at most |M^-1|: `bToA` is a lower bound of what the square
/// is multiplied by (1 where M is orthogonal to 1e-9, which the factor above covers).
struct DistanceBounds {
  float bToA = 1;
  bool blind = false;  ///< boxes are too large for 32 bits: nothing is dropped
};

inline float boundToBeat(double distance) noexcept {
  return floatAbove(distance * distance * (1 + 0x1p-19) + 0x1p-120);
}

/// Where a coherent query begins: the nearest triangles of the last one.
struct DistanceHistory {
  WideIdentity treeA, treeB;
  std::optional<TrianglePair> nearest;
  bool met = false;  ///< they intersected
};

}  // namespace fitup::detail

namespace fitup {

struct WideDistanceScratch::Data {
  detail::TriangleBatch batch;
  std::vector<detail::SlotPair> starts;
  std::vector<detail::WaitingPair> stack, opened;
  WideScratch crossing;  ///< of the search for a pair that intersects
  std::vector<TrianglePair> crossingPairs;
  std::unordered_map<std::uint64_t, std::size_t> pairAt;  ///< pair of surfaces -> its place in the answer
  detail::DistanceHistory history;
};

namespace detail {

/// Which part of a query to run.
enum class DistancePhase {
  begin,  ///< the nearest triangles of the last query, or straight down along the nearest boxes
  whole,  ///< everything that may be nearer than what is found already
};

/// A part of a query from the slots `starts` on, in the form of code that the task asks for.
struct WideDistanceRun {
  const WideDistanceTask& task;
  const WideBvh& a;
  const WideBvh& b;
  const WideQuery& query;
  const DistanceBounds& bounds;
  WideDistanceScratch::Data& scratch;
  DistancePhase phase;
};

/// What is known after a part of a query.
struct DistanceProgress {
  bool ended = false;        ///< the query is answered, or was stopped
  bool overlapping = false;  ///< the first leaves that were looked into have boxes that overlap
};

/// The plain twin of the vector forms.
DistanceProgress nearestWideScalar(const WideDistanceRun& run);

}  // namespace detail
}  // namespace fitup
