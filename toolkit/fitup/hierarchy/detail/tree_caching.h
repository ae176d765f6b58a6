#pragma once

#include <cstddef>

#include <fitup/base/tuning-inl.h>
#include <fitup/hierarchy/wide_bvh.h>

namespace fitup::detail {

// The treatment of memory outside of the caches, by the size of both trees' leaves. If one tree is compact,
// nothing special is done: queries for all pairs go depth first, and there are no cylinders to prefetch.

inline std::size_t bytesOfLeaves(const WideBvh& a, const WideBvh& b) {
  return sizeof(float) * (a.packets.size() + (&a == &b ? 0 : b.packets.size()));
}
inline bool areNearby(const WideBvh& a, const WideBvh& b) {
  return bytesOfLeaves(a, b) <= tuning::bytesNearby;
}
inline bool usePrefetchQueue(const WideBvh& a, const WideBvh& b) {
  return bytesOfLeaves(a, b) > tuning::bytesWithoutQueues;
}

}  // namespace fitup::detail
