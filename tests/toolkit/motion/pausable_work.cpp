#include <fitup/motion/detail/pausable_work.h>

#include <catch2/catch.hpp>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace pausable_work_tests {

using fitup::detail::PausableWork;

TEST_CASE("work is paused where it checks, and goes on from there", "[motion][pausable]") {
  PausableWork work;
  std::vector<int> done;
  const auto five = [&] {
    for (int i = 0; i < 5; ++i) {
      work.check();
      done.push_back(i);
    }
  };
  const auto always = [] { return true; };
  for (int round = 0; round < 3; ++round) {
    done.clear();
    for (std::size_t calls = 0; calls < 5; ++calls) {
      CHECK_FALSE(work.run(five, always));
      CHECK(done.size() == calls);
    }
    CHECK(work.run(five, always));
    CHECK(done == std::vector{0, 1, 2, 3, 4});
  }
  // Without a reason to pause, what is paused goes on to its end.
  done.clear();
  CHECK_FALSE(work.run(five, [&] { return done.size() == 2; }));
  CHECK(done == std::vector{0, 1});
  CHECK(work.run(five, {}));
  CHECK(done.size() == 5);
}

TEST_CASE("work that cannot be paused runs on the calling thread", "[motion][pausable]") {
  PausableWork work;
  std::thread::id ran;
  CHECK(work.run([&] { work.check(), ran = std::this_thread::get_id(); }, {}));
  CHECK(ran == std::this_thread::get_id());
  CHECK(work.run([&] { work.check(), ran = std::this_thread::get_id(); }, [] { return false; }));
  CHECK(ran != std::this_thread::get_id());
}

TEST_CASE("what paused work throws reaches the caller, and the next work begins anew", "[motion][pausable]") {
  PausableWork work;
  const auto fails = [&] {
    work.check();
    throw std::runtime_error("no");
  };
  const auto always = [] { return true; };
  for (int round = 0; round < 2; ++round) {
    CHECK_FALSE(work.run(fails, always));
    CHECK_THROWS_WITH(work.run(fails, always), "no");
    CHECK_THROWS_WITH(work.run(fails, {}), "no");
  }
  bool ran = false;
  CHECK(work.run([&] { ran = true; }, [] { return false; }));
  CHECK(ran);
}

TEST_CASE("work that is given up leaves nothing behind", "[motion][pausable]") {
  const auto held = std::make_shared<int>(1);
  bool isOver = false;
  {
    PausableWork work;
    const auto endless = [&] {
      const std::shared_ptr<int> own = held;
      while (true) work.check();
      isOver = true;
    };
    CHECK_FALSE(work.run(endless, [] { return true; }));
    CHECK(held.use_count() == 2);
  }
  CHECK(held.use_count() == 1);
  CHECK_FALSE(isOver);
}

}  // namespace pausable_work_tests
