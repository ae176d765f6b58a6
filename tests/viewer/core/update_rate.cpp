#include <viewer/core/update_rate.h>

#include <catch2/catch.hpp>

namespace update_rate_tests {

using namespace fitup::viewer;
using std::chrono::milliseconds;

TEST_CASE("events are spaced by the interval, from the last one that was handled", "[viewer][rate]") {
  const Pace::Clock::time_point begin{};
  Pace pace;
  for (int i = 0; i < 3; ++i) CHECK(pace.next(begin).count() == 0);  // without an interval, all
  pace.setInterval(milliseconds(50));
  CHECK(pace.next(begin + milliseconds(10)) == milliseconds(40));
  CHECK(pace.next(begin + milliseconds(49)) == milliseconds(1));
  CHECK(pace.next(begin + milliseconds(70)) == milliseconds(0));
  CHECK(pace.next(begin + milliseconds(100)) == milliseconds(20));  // since 70
  CHECK(pace.next(begin + milliseconds(120)) == milliseconds(0));
}

TEST_CASE("rates have names, and their pictures are at most as many", "[viewer][rate]") {
  for (const UpdateRate rate : allUpdateRates) CHECK(updateRateFromName(name(rate)) == rate);
  CHECK_FALSE(updateRateFromName("60"));
  CHECK(intervalOf(UpdateRate::most).count() == 0);
  CHECK(30 * intervalOf(UpdateRate::thirty) >= milliseconds(1000));
  CHECK(15 * intervalOf(UpdateRate::fifteen) >= milliseconds(1000));
}

}  // namespace update_rate_tests
