#pragma once

#include <ctime>

namespace fitup::bench {

/// Returns the processor time that `work` takes on all threads or, by `CLOCK_THREAD_CPUTIME_ID`, on this one.
template <typename Work>
double processorMilliseconds(const Work& work, clockid_t clock = CLOCK_PROCESS_CPUTIME_ID) {
  const auto now = [clock] {
    std::timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
  };
  const double begin = now();
  work();
  return now() - begin;
}

}  // namespace fitup::bench
