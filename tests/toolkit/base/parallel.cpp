#include <fitup/base/parallel.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>

namespace parallel_tests {

using namespace fitup;

TEST_CASE("every index is done once", "[base]") {
  for (unsigned threads : {0U, 1U, 2U, 5U})
    for (std::size_t count : {0U, 1U, 2U, 100U}) {
      std::vector<std::atomic<int>> done(count);
      std::atomic<unsigned> largestWorker{0};
      parallelFor(count, threads, [&](std::size_t i, unsigned worker) {
        ++done[i];
        unsigned largest = largestWorker;
        while (worker > largest && !largestWorker.compare_exchange_weak(largest, worker)) {
        }
      });
      for (const auto& d : done) CHECK(d == 1);
      CHECK(largestWorker < workerCount(threads, count));
    }
}

TEST_CASE("the exception of the lowest index is thrown, whatever the threads", "[base]") {
  for (unsigned threads : {1U, 2U, 4U, 8U})
    for (int round = 0; round < 20; ++round) {
      std::string message;
      try {
        parallelFor(50, threads, [](std::size_t i, unsigned) {
          if (i < 10 || i % 3 != 0) return;
          // The lower one is slower, so that the higher one throws first.
          std::this_thread::sleep_for(std::chrono::microseconds(i == 12 ? 500 : 0));
          throw std::runtime_error(std::to_string(i));
        });
      } catch (const std::runtime_error& error) {
        message = error.what();
      }
      REQUIRE(message == "12");
    }
}

#ifdef SCHED_BATCH
TEST_CASE("a thread that stays behind others does not preempt them, and it alone", "[base]") {
  const auto policyNow = [] {
    int policy = -1;
    sched_param parameters{};
    pthread_getschedparam(pthread_self(), &policy, &parameters);
    return policy;
  };
  const int before = policyNow();
  int inThread = -1, refused = 0;
  std::thread([&] {
    stayBehindOtherThreads();
    inThread = policyNow();
    const sched_param none{};
    refused = pthread_setschedparam(pthread_self(), SCHED_BATCH, &none);
  }).join();
  if (refused != 0)
    WARN("this system does not let threads choose their class");
  else
    CHECK(inThread == SCHED_BATCH);
  CHECK(policyNow() == before);
}
#endif

}  // namespace parallel_tests
