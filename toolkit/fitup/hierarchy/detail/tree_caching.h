#pragma once

#include <cstddef>

#include <fitup/base/tuning-inl.h>
#include <fitup/hierarchy/wide_bvh.h>

namespace fitup::detail {

// What queries do about memory that is far, by the bytes of both trees' leaves. Where one tree is compact
// nothing is done: queries for all pairs go depth first, and it has no cylinders to ask for.

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
