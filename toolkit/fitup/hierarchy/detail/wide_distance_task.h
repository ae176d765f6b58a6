#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <fitup/hierarchy/detail/wide_task.h>
#include <fitup/hierarchy/wide_distance.h>

namespace fitup::detail {

/// A pair of slots that waits. `key` is a lower bound on the squared distance in A. If boxes overlap, it is
/// the least overlap over all axes, as a negative number.
struct WaitingPair {
  SlotPair slots;
  float key;
};

/// Data for the bounds of a distance query.
///
/// The length of the gaps of two boxes along the axes of a node is a lower bound on a distance, where boxes
/// are inflated as in `WideQuery`. With F^T F = 1 + E, entries of E at most 2^-22, |F v|^2 <= (1 + 3 * 2^-22)
/// |v|^2: a gap vector is at most that much too long. A gap is a difference with one relative rounding,
/// because the slack covers the roundings of its terms; squares and their sum round 3 times: 5 u. A pair is
/// therefore dropped only if the computed square exceeds (1 + 2^-19) times the square of the distance to
/// beat, plus 2^-120 for underflow (each square loses less than 2^-149).
///
/// In frames of B, a length is that in A divided by at most |M^-1|. `bToA` is a lower bound on the factor for
/// its square (1 if M is orthogonal to 1e-9, which the factor above covers).
struct DistanceBounds {
  float bToA = 1;
  bool blind = false;  ///< boxes are too large for 32 bits: nothing is dropped
};

inline float boundToBeat(double distance) noexcept {
  return floatAbove(distance * distance * (1 + 0x1p-19) + 0x1p-120);
}

/// The start of a coherent query: the nearest triangles of the last one.
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
  WideScratch crossing;  ///< scratch memory of the search for an intersecting pair
  std::vector<TrianglePair> crossingPairs;
  std::unordered_map<std::uint64_t, std::size_t> pairAt;  ///< pair of surfaces -> its index in the answer
  detail::DistanceHistory history;
};

namespace detail {

/// Part of a query.
enum class DistancePhase {
  begin,  ///< the nearest triangles of the last query, or a straight descent along the nearest boxes
  whole,  ///< everything that may be nearer than the pairs found so far
};

/// A part of a query that starts from the slots `starts`, in the form of code that the task requests.
struct WideDistanceRun {
  const WideDistanceTask& task;
  const WideBvh& a;
  const WideBvh& b;
  const WideQuery& query;
  const DistanceBounds& bounds;
  WideDistanceScratch::Data& scratch;
  DistancePhase phase;
};

/// Result of a part of a query.
struct DistanceProgress {
  bool ended = false;        ///< the query is answered or was stopped
  bool overlapping = false;  ///< the boxes of the first leaves that were tested overlap
};

/// Plain code, against which the vector forms are tested.
DistanceProgress nearestWideScalar(const WideDistanceRun& run);

}  // namespace detail
}  // namespace fitup
