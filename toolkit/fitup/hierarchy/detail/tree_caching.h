#pragma once

#include <cstddef>

#include <fitup/hierarchy/wide_bvh.h>

namespace fitup::detail {

// What queries do about memory that is far, by the bytes of both trees' leaves. Where one tree is compact
// nothing is done: queries for all pairs go depth first, and it has no cylinders to ask for.

/// Up to so many stay in the second cache of a core, where nothing is gained by asking for them ahead: plant
/// and small torus take 2 % longer by it. Processors have 0.5 to 2 MB.
inline constexpr std::size_t bytesNearby = std::size_t{1} << 20;
/// Beyond, pairs stand in queues until memory has brought what they ask for; up to here they go depth first,
/// which takes a few per cent less where what is asked for ahead comes in time.
inline constexpr std::size_t bytesWithoutQueues = std::size_t{4} << 20;

inline std::size_t bytesOfLeaves(const WideBvh& a, const WideBvh& b) {
  return sizeof(float) * (a.packets.size() + (&a == &b ? 0 : b.packets.size()));
}
inline bool areNearby(const WideBvh& a, const WideBvh& b) { return bytesOfLeaves(a, b) <= bytesNearby; }
inline bool pairsShouldWait(const WideBvh& a, const WideBvh& b) {
  return bytesOfLeaves(a, b) > bytesWithoutQueues;
}

}  // namespace fitup::detail
