#include <catch2/catch.hpp>

#include <algorithm>
#include <stop_token>

#include <fitup/scene/interference.h>
#include <models/process_plant.h>

#include "support/interference_checks.h"
#include "support/random_assembly.h"

namespace interference_limits_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

struct Crowd {
  Assembly assembly = randomAssembly(7, 16);
  CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
  InterferenceReport all = checkAllPairs(Scene(assembly, models));
};

std::size_t countOf(const InterferenceReport& report, QueryMode mode) {
  std::size_t count = 0;
  for (const PairInterference& p : report.pairs)
    count +=
        mode == QueryMode::allTrianglePairs ? p.report.trianglePairs.size() : p.report.surfacePairs.size();
  return count;
}

}  // namespace

TEST_CASE("a pair limit holds for the whole check", "[scene][interference][limits]") {
  const Crowd c;
  REQUIRE(c.all.pairs.size() > 10);
  for (QueryMode mode : {QueryMode::allTrianglePairs, QueryMode::allSurfacePairs}) {
    const std::size_t total =
        countOf(c.all, mode == QueryMode::allTrianglePairs ? mode : QueryMode::allSurfacePairs);
    for (std::size_t limit : {std::size_t{0}, std::size_t{1}, total / 2, total - 1, total, total + 1})
      for (unsigned threads : {1U, 4U}) {
        InterferenceOptions options;
        options.request.mode = mode;
        options.request.limits.maxPairs = limit;
        options.threads = threads;
        const InterferenceReport report = checkAllPairs(Scene(c.assembly, c.models), {}, options);
        INFO(name(mode) << ", limit " << limit << " of " << total << ", " << threads << " threads");
        CHECK(countOf(report, mode) == std::min(limit, total));
        CHECK(report.status == (limit < total ? ReportStatus::truncated : ReportStatus::complete));
        CHECK(report.intersects() == (limit > 0));
        CHECK(problemOfPart(report, c.all) == "");
      }
  }
}

TEST_CASE("no time for a check: truncated, with and without threads", "[scene][interference][limits]") {
  const Crowd c;
  for (unsigned threads : {1U, 2U, 4U}) {
    InterferenceOptions options;
    options.request.limits.timeBudget = std::chrono::nanoseconds(0);
    options.threads = threads;
    const InterferenceReport report = checkAllPairs(Scene(c.assembly, c.models), {}, options);
    CHECK(report.status == ReportStatus::truncated);
    CHECK(problemOfPart(report, c.all) == "");
    options.request.limits.timeBudget = std::chrono::hours(1);
    CHECK(difference(checkAllPairs(Scene(c.assembly, c.models), {}, options), c.all) == "");
  }
}

TEST_CASE("a verdict that time was up for is not reported", "[scene][interference][limits]") {
  const Assembly plant = models::makeProcessPlant();
  const CollisionModels models = buildCollisionModels(plant);
  InterferenceOptions options;
  options.verdict.emplace();
  options.verdict->tolerance = 0.01;
  options.verdict->clearPairs = true;
  const Scene scene(plant, models);
  const InterferenceReport all = checkAllPairs(scene, {}, options);
  std::size_t open = 0;
  for (int microseconds = 10; microseconds < 20000; microseconds += microseconds / 4 + 1) {
    options.request.limits.timeBudget = std::chrono::microseconds(microseconds);
    const InterferenceReport report = checkAllPairs(scene, {}, options);
    for (const PairInterference& pair : report.pairs) {
      CHECK(pair.isOpen() == (pair.assessment().verdict == Verdict::undecided));
      CHECK(pair.isOpen() != pair.verdict->undecidedBecause.empty());
      open += pair.isOpen() ? 1 : 0;
      if (pair.isOpen()) {
        CHECK(pair.severity() == Severity::undecided);
        CHECK(pair.report.status != ReportStatus::complete);
        CHECK_FALSE(pair.needsAction());
        continue;
      }
      const auto same = std::find_if(all.pairs.begin(), all.pairs.end(), [&](const PairInterference& p) {
        return p.a == pair.a && p.b == pair.b;
      });
      REQUIRE(same != all.pairs.end());
      CHECK(pair.verdict->verdict == same->verdict->verdict);
    }
  }
  CHECK(open > 0);
}

TEST_CASE("a cancelled check says so and reports nothing false", "[scene][interference][limits]") {
  const Crowd c;
  for (unsigned threads : {1U, 2U, 4U}) {
    std::stop_source source;
    InterferenceOptions options;
    options.threads = threads;

    SECTION("before the start, by the progress handle, on " + std::to_string(threads)) {
      source.request_stop();
      const InterferenceReport report =
          checkAllPairs(Scene(c.assembly, c.models), {}, options, Progress(source.get_token()));
      CHECK(report.status == ReportStatus::cancelled);
      CHECK(problemOfPart(report, c.all) == "");
    }
    SECTION("before the start, by the request, on " + std::to_string(threads)) {
      source.request_stop();
      options.request.limits.cancel = source.get_token();
      const InterferenceReport report = checkAllPairs(Scene(c.assembly, c.models), {}, options);
      CHECK(report.status == ReportStatus::cancelled);
      CHECK(problemOfPart(report, c.all) == "");
    }
    SECTION("on the way, on " + std::to_string(threads)) {
      const Progress progress(source.get_token(), [&](std::string_view, double fraction) {
        if (fraction > 0.3) source.request_stop();
      });
      const InterferenceReport report = checkAllPairs(Scene(c.assembly, c.models), {}, options, progress);
      CHECK(report.status == ReportStatus::cancelled);
      CHECK(problemOfPart(report, c.all) == "");
      CHECK(report.pairs.size() < c.all.pairs.size());
    }
    SECTION("by the progress handle, while the request has a handle of its own, on " +
            std::to_string(threads)) {
      const std::stop_source other;
      options.request.limits.cancel = other.get_token();
      const Progress progress(source.get_token(), [&](std::string_view, double) { source.request_stop(); });
      const InterferenceReport report = checkAllPairs(Scene(c.assembly, c.models), {}, options, progress);
      CHECK(report.status == ReportStatus::cancelled);
      CHECK(report.pairs.size() < c.all.pairs.size());
    }
  }
}

TEST_CASE("a handle that is never used changes nothing", "[scene][interference][limits]") {
  const Crowd c;
  const std::stop_source source;
  CHECK(difference(checkAllPairs(Scene(c.assembly, c.models), {}, {}, Progress(source.get_token())), c.all) ==
        "");
}

TEST_CASE("progress of a check ends at one", "[scene][interference]") {
  const Crowd c;
  double last = 0;
  const Progress progress({}, [&](std::string_view, double fraction) { last = std::max(last, fraction); });
  (void)checkAllPairs(Scene(c.assembly, c.models), {}, {}, progress);
  CHECK(last == 1);
}

}  // namespace interference_limits_tests
