#pragma once

#include <cstddef>
#include <functional>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// A number of threads that means one thread for each core. Functions that take a number of threads use 1 by
/// default and start threads only on request. No result depends on the number.
inline constexpr unsigned allCores = 0;

/// Returns `threads`, or the number of cores for `allCores`, but no more than there is work.
unsigned workerCount(unsigned threads, std::size_t work);

/// Calls `task(index, worker)` for every index in [0, count) on `workerCount(threads, count)` threads,
/// including the calling one; worker is in [0, workerCount). Threads take indices in order, so that long
/// tasks do not hold up short ones.
///
/// After an exception no further index starts. When all threads have stopped, the exception of the lowest
/// index is rethrown here. It is the one that a single thread would encounter, because lower indices have
/// started before.
void parallelFor(std::size_t count, unsigned threads, const std::function<void(std::size_t, unsigned)>& task);

/// Keeps the calling thread from preempting the thread that wakes it. Meant for a thread that answers
/// requests of another one: it runs on another core, or when the requesting thread waits. Kernels of virtual
/// machines often wake a thread on the core of the thread that wakes it, although another core is idle, and
/// run it first; a frame of an application would then wait for the whole answer. If all cores are busy,
/// answers arrive later. Has an effect only on Linux.
void stayBehindOtherThreads() noexcept;

}  // namespace fitup
