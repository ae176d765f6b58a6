#include <fitup/base/newest_task.h>

#include <catch2/catch.hpp>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace newest_task_tests {

using namespace fitup;
using namespace std::chrono_literals;

namespace {

/// Tasks record what they do, and wait when they are told to.
struct Log {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> lines;
  bool mayEnd = false;

  void write(const std::string& line) {
    const std::lock_guard lock(mutex);
    lines.push_back(line);
    changed.notify_all();
  }
  void await(std::size_t count) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return lines.size() >= count; });
  }
  void letEnd() {
    const std::lock_guard lock(mutex);
    mayEnd = true;
    changed.notify_all();
  }
  std::vector<std::string> now() {
    const std::lock_guard lock(mutex);
    return lines;
  }
  NewestTask::Task task(const std::string& name) {
    return [this, name](std::uint64_t ticket, const Progress& progress) {
      write(name + " " + std::to_string(ticket));
      const auto end = std::chrono::steady_clock::now() + 20s;
      std::unique_lock lock(mutex);
      while (!mayEnd && !progress.cancelled() && std::chrono::steady_clock::now() < end)
        changed.wait_for(lock, 1ms);
      lines.push_back(name + (progress.cancelled() ? " cancelled" : " ended"));
      changed.notify_all();
    };
  }
};

}  // namespace

TEST_CASE("only the newest task runs, and what was begun", "[base]") {
  Log log;
  NewestTask worker;
  CHECK_FALSE(worker.busy());
  CHECK(worker.hand(log.task("a")) == 1);
  log.await(1);
  CHECK(worker.busy());
  worker.hand(log.task("b"));
  worker.hand(log.task("c"));
  CHECK(worker.hand(log.task("d")) == 4);
  log.letEnd();
  worker.wait();
  CHECK_FALSE(worker.busy());
  CHECK(log.now() == std::vector<std::string>{"a 1", "a ended", "d 4", "d ended"});
}

TEST_CASE("a task that is cancelled makes room for the next, and the end cancels too", "[base]") {
  Log log;
  {
    NewestTask worker;
    worker.hand(log.task("a"));
    log.await(1);
    worker.cancel();
    worker.wait();
    worker.hand(log.task("b"));
    log.await(3);
  }
  CHECK(log.now() == std::vector<std::string>{"a 1", "a cancelled", "b 2", "b cancelled"});
}

TEST_CASE("what runs afterwards waits for the pause, does not count as busy, and gives way", "[base]") {
  Log log;
  NewestTask worker;
  const auto nothing = [](std::uint64_t, const Progress&) {};
  // The next one comes within the pause, so this one never begins.
  worker.hand(nothing, log.task("never"), 1h);
  worker.wait();
  worker.hand(nothing, log.task("late"), 1ms);
  worker.wait();
  log.await(1);
  CHECK_FALSE(worker.busy());
  worker.cancel();  // for tasks
  std::this_thread::sleep_for(10ms);
  CHECK(log.now().size() == 1);
  worker.hand(log.task("next"));
  log.await(3);
  log.letEnd();
  worker.wait();
  CHECK(log.now() == std::vector<std::string>{"late 2", "late cancelled", "next 3", "next ended"});
}

TEST_CASE("progress of tasks goes to the one callback", "[base]") {
  std::vector<std::string> phases;  // written by the thread, read when it is idle
  NewestTask worker([&](std::string_view phase, double) { phases.emplace_back(phase); });
  worker.hand([](std::uint64_t, const Progress& progress) { progress.report("phase", 0.5); });
  worker.wait();
  CHECK(phases == std::vector<std::string>{"phase"});
}

}  // namespace newest_task_tests
