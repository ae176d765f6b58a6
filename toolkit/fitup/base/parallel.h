#pragma once

#include <cstddef>
#include <functional>

namespace fitup {

/// `threads`, or one for each core where it is 0; never more than there is work.
unsigned workerCount(unsigned threads, std::size_t work);

/// Calls `task(index, worker)` for every index in [0, count) on `workerCount(threads, count)` threads, the
/// calling one included; worker is in [0, workerCount). Indices are handed out in order, so that long tasks
/// do not wait for short ones. An exception ends the hand-out; of those thrown until all threads have
/// stopped, that of the lowest index is thrown again here: the same one as without threads, since lower
/// indices were handed out before.
void parallelFor(std::size_t count, unsigned threads, const std::function<void(std::size_t, unsigned)>& task);

}  // namespace fitup
