#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stop_token>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/base/work_meter.h>

namespace work_meter_tests {

using namespace fitup;

TEST_CASE("a meter reports each step once and ends at one", "[base]") {
  std::vector<double> reported;
  const Progress progress({}, [&](std::string_view phase, double fraction) {
    CHECK(phase == "counting");
    reported.push_back(fraction);
  });
  const WorkMeter meter(progress, "counting", 10000);
  for (int i = 0; i < 10000; ++i) meter.advance(1);
  CHECK(reported.size() == WorkMeter::steps - 1);
  CHECK(std::is_sorted(reported.begin(), reported.end()));
  CHECK(reported.front() == 1.0 / WorkMeter::steps);
  CHECK(reported.back() < 1);
  meter.advance(5);  // more than expected
  CHECK(reported.back() < 1);
  meter.finish();
  CHECK(reported.back() == 1);
}

TEST_CASE("counts near 64 bits do not wrap round", "[base]") {
  double last = 0;
  const Progress progress({}, [&](std::string_view, double fraction) { last = fraction; });
  const WorkMeter meter(progress, "counting", std::uint64_t{1} << 62);
  meter.advance(std::uint64_t{1} << 61);
  CHECK(last == 0.5);
}

TEST_CASE("a cancelled meter throws and reports nothing more", "[base]") {
  std::stop_source stop;
  int reported = 0;
  const Progress progress(stop.get_token(), [&](std::string_view, double) { ++reported; });
  const WorkMeter counting(progress, "counting", 100), silent(progress);
  counting.advance(10);
  silent.advance(10);
  CHECK(reported == 1);
  stop.request_stop();
  CHECK_THROWS_AS(counting.advance(10), CancelledError);
  CHECK_THROWS_AS(counting.poll(), CancelledError);
  CHECK_THROWS_AS(silent.advance(10), CancelledError);
  CHECK_THROWS_AS(silent.poll(), CancelledError);
  CHECK(reported == 1);
}

TEST_CASE("a meter of nothing counts nothing", "[base]") {
  const WorkMeter meter;
  meter.poll();
  meter.advance(1);
  meter.finish();
}

TEST_CASE("a long sort ends soon after it is cancelled", "[base]") {
  std::vector<std::uint32_t> values(300'000);
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = i * 2654435761U;
  std::stop_source stop;
  const Progress progress(stop.get_token());
  const WorkMeter meter(progress);
  std::size_t comparisons = 0, stopAt = 1'000'000;
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    if (++comparisons == stopAt) stop.request_stop();
    return a < b;
  };
  auto ending = polled(meter, less);
  CHECK_THROWS_AS(std::sort(values.begin(), values.end(), std::ref(ending)), CancelledError);
  CHECK(comparisons >= stopAt);
  CHECK(comparisons < stopAt + (1U << 16));
  const WorkMeter free;
  auto going = polled(free, less);
  std::sort(values.begin(), values.end(), std::ref(going));
  CHECK(std::is_sorted(values.begin(), values.end()));
}

}  // namespace work_meter_tests
