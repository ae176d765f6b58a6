#pragma once

#include <ctime>

namespace fitup::bench {

/// Returns the processor time that `work` takes on all threads.
template <typename Work>
double processorMilliseconds(const Work& work) {
  const auto now = [] {
    std::timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
  };
  const double begin = now();
  work();
  return now() - begin;
}

}  // namespace fitup::bench
