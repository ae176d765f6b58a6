#include <viewer/core/overall_progress.h>

#include <catch2/catch.hpp>

namespace overall_progress_tests {

using namespace fitup::viewer;

TEST_CASE("the phases of a job make one progress that never goes back", "[viewer]") {
  OverallProgress overall({{"reading", 1}, {"tessellating", 2}, {"drawing", 1}}, 2, 2);  // 1 + 2 + 1 + 2 + 1
  CHECK(overall.add("checking the file", -1) < 0);
  CHECK(overall.add("reading", 0) == 0);
  CHECK(overall.add("reading", 0.5) == Approx(0.5 / 7));
  CHECK(overall.add("tessellating part 1 of 2", 0.5) == Approx(2.0 / 7));
  CHECK(overall.add("tessellating part 1 of 2", -1) == Approx(2.0 / 7));
  CHECK(overall.add("not kept in the cache", -1) == Approx(2.0 / 7));
  CHECK(overall.add("reading", 0.5) == Approx(3.5 / 7));  // the second file
  CHECK(overall.add("tessellating part 2 of 2", 1) == Approx(6.0 / 7));
  CHECK(overall.add("reading", 0) == Approx(6.0 / 7));  // a third file, of which nobody spoke
  CHECK(overall.add("drawing", 0.5) == Approx(6.5 / 7));
  CHECK(overall.add("drawing", 2) == 1);
}

TEST_CASE("a job that leaves phases out goes on", "[viewer]") {
  OverallProgress overall({{"reading", 1}, {"tessellating", 2}, {"drawing", 1}}, 2, 1);
  CHECK(overall.add("drawing", 0) == Approx(3.0 / 4));
  OverallProgress one;
  CHECK(one.add("replaying", 0.25) == 0.25);
  CHECK(one.add("replaying", 0.75) == 0.75);
  CHECK(one.add("distances", 0.1) == 0.75);
}

}  // namespace overall_progress_tests
