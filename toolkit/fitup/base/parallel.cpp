#include <fitup/base/parallel.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>

namespace fitup {

unsigned workerCount(unsigned threads, std::size_t work) {
  const unsigned wanted = threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::clamp<std::size_t>(work, 1, wanted));
}

void parallelFor(std::size_t count, unsigned threads,
                 const std::function<void(std::size_t, unsigned)>& task) {
  const unsigned workers = workerCount(threads, count);
  if (workers == 1) {
    for (std::size_t i = 0; i < count; ++i) task(i, 0);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::size_t failed = count;  // the lowest index whose task threw
  std::mutex failureMutex;
  const auto work = [&](unsigned worker) {
    std::size_t i = count;
    try {
      for (i = next++; i < count; i = next++) task(i, worker);
    } catch (...) {
      next = count;
      const std::lock_guard lock(failureMutex);
      if (i < failed) {
        failed = i;
        failure = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned worker = 1; worker < workers; ++worker) others.emplace_back(work, worker);
    work(0);
  }
  if (failure) std::rethrow_exception(failure);
}

void stayBehindOtherThreads() noexcept {
#ifdef SCHED_BATCH
  // Threads of this class do not preempt when they wake. Without the permission to set it, the call has no
  // effect.
  const sched_param none{};
  (void)pthread_setschedparam(pthread_self(), SCHED_BATCH, &none);
#endif
}

}  // namespace fitup
