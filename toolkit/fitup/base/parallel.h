#pragma once

#include <cstddef>
#include <functional>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// In the place of a number of threads: one for each core. What takes a number takes 1 by default: nothing
/// starts threads unless it is asked to. No result depends on it.
inline constexpr unsigned allCores = 0;

/// `threads`, or one for each core for `allCores`; never more than there is work.
unsigned workerCount(unsigned threads, std::size_t work);

/// Calls `task(index, worker)` for every index in [0, count) on `workerCount(threads, count)` threads, the
/// calling one included; worker is in [0, workerCount). Indices are handed out in order, so that long tasks
/// do not wait for short ones. An exception ends the hand-out; of those thrown until all threads have
/// stopped, that of the lowest index is thrown again here: the same one as without threads, since lower
/// indices were handed out before.
void parallelFor(std::size_t count, unsigned threads, const std::function<void(std::size_t, unsigned)>& task);

/// To be called by a thread that answers another one's questions: it does not run before the one that asks,
/// but on another core or once that one waits. Kernels of virtual machines often wake a thread on the core of
/// the one that wakes it, although another core is idle, and let it run first: an application's frame would
/// wait for the whole answer. Where all cores are busy answers come later for it. Linux only; nothing
/// elsewhere.
void stayBehindOtherThreads() noexcept;

}  // namespace fitup
