// Live sessions that judge the triangles of what moves, and the exact shapes at rest.
#include <fitup/motion/live_session.h>

#include <catch2/catch.hpp>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "support/interference_checks.h"
#include "support/placements.h"
#include "support/round_fits.h"

namespace live_catch_up_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Keeps what a session delivers, and waits for it.
class Deliveries {
 public:
  LiveSession::Deliver deliver() {
    return [this](LiveAnswer answer) {
      const std::lock_guard lock(mutex_);
      answers_.push_back(std::move(answer));
      delivered_.notify_all();
    };
  }
  /// Waits for an answer, and returns it.
  LiveAnswer waitFor(const std::function<bool(const LiveAnswer&)>& wanted) {
    std::unique_lock lock(mutex_);
    std::size_t next = 0;
    const auto found = [&] {
      for (; next < answers_.size(); ++next)
        if (wanted(answers_[next])) return true;
      return false;
    };
    REQUIRE(delivered_.wait_for(lock, std::chrono::seconds(30), found));
    return answers_[next];
  }
  std::vector<LiveAnswer> all() {
    const std::lock_guard lock(mutex_);
    return answers_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable delivered_;
  std::vector<LiveAnswer> answers_;
};

LiveQuestion questionAbout(const RoundFits& fits) {
  LiveQuestion question;
  question.options = std::make_shared<const InterferenceOptions>(fits.options());
  return question;
}

void waitUntil(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    REQUIRE(std::chrono::steady_clock::now() < end);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

TEST_CASE("exact shapes are judged at rest, and the answer is then that of a full check", "[motion][live]") {
  const RoundFits fits({0.05, 0.005, -0.05});
  Deliveries deliveries;
  LiveSession session(fits.scene, deliveries.deliver());
  LiveQuestion question = questionAbout(fits);
  for (const bool isDragged : {false, true}) {
    CAPTURE(isDragged);
    // The wanted poses differ by less than the clearance.
    const double by = isDragged ? 0.01 : 0;
    if (isDragged) question.drag = DragGoal{1, {fits.pins[0]}, {{}, {by, 0, 0}}, DragMode::detect};
    const std::uint64_t ticket = session.ask(question);
    const LiveAnswer first = deliveries.waitFor([&](const LiveAnswer& a) { return a.ticket == ticket; });
    CHECK(first.pairsOfTriangles == (isDragged ? 1 : 3));
    CHECK(first.catchesUp);
    const LiveAnswer last = deliveries.waitFor(
        [&](const LiveAnswer& a) { return a.ticket == ticket && a.pairsOfTriangles == 0; });
    CHECK_FALSE(last.catchesUp);
    CHECK(last.drag.has_value() == isDragged);
    CHECK(last.scene == first.scene);
    const Poses poses{{fits.pins[0], shift(by, 0, 0)}};
    CHECK(differenceOfWhole(*last.report, checkAllPairs(fits.scene, poses, fits.options())) == "");
    CHECK(differenceOfWhole(*first.report, *last.report) != "");
  }
  // What has caught up stays so, when the same is asked again.
  const std::size_t asked = fits.refiner->asked;
  const std::uint64_t ticket = session.ask(question);
  const LiveAnswer again = deliveries.waitFor([&](const LiveAnswer& a) { return a.ticket == ticket; });
  CHECK(again.pairsOfTriangles == 0);
  CHECK_FALSE(again.catchesUp);
  CHECK(fits.refiner->asked == asked);
}

TEST_CASE("nothing is refined while poses keep coming", "[motion][live]") {
  const RoundFits fits({0.05, 0.05});
  Deliveries deliveries;
  LiveSession session(fits.scene, deliveries.deliver());
  LiveQuestion question = questionAbout(fits);
  const auto rest = [&] {
    const std::uint64_t ticket = session.ask(question);
    deliveries.waitFor([&](const LiveAnswer& a) { return a.ticket == ticket && a.pairsOfTriangles == 0; });
  };
  rest();
  // On a busy machine the thread that asks may sleep for longer than the session waits.
  bool isSteady = false;
  for (int attempt = 0; attempt < 20 && !isSteady; ++attempt) {
    const std::size_t asked = fits.refiner->asked;
    isSteady = true;
    auto last = std::chrono::steady_clock::now();
    for (int i = 0; i < 40; ++i) {
      question.poses = {{fits.pins[0], shift(0.001 * (1 + i % 20), 0, 0)}};
      const std::uint64_t ticket = session.ask(question);
      session.wait();
      const auto now = std::chrono::steady_clock::now();
      isSteady = isSteady && now - last < LiveSession::pause / 2;
      last = now;
      if (!isSteady) break;
      const LiveAnswer answer = deliveries.waitFor([&](const LiveAnswer& a) { return a.ticket == ticket; });
      CHECK(answer.pairsOfTriangles == 1);
      CHECK(answer.report->count(Verdict::clash) == 1);  // of the triangles; the other fit has caught up
      CHECK(answer.report->count(Verdict::clear) == 1);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (isSteady) CHECK(fits.refiner->asked == asked);
    rest();
  }
  CHECK(isSteady);
  CHECK(deliveries.all().back().report->count(Verdict::clear) == 2);
}

TEST_CASE("a new pose ends the refinement at once, and so does a cancel", "[motion][live]") {
  const RoundFits fits({0.05});
  Deliveries deliveries;
  auto session = std::make_unique<LiveSession>(fits.scene, deliveries.deliver());
  LiveQuestion question = questionAbout(fits);
  fits.refiner->isStuck = true;
  session->ask(question);
  waitUntil([&] { return fits.refiner->asked == 1; });
  CHECK_FALSE(session->busy());
  question.poses = {{fits.pins[0], shift(0.01, 0, 0)}};
  const std::uint64_t second = session->ask(question);
  session->wait();
  CHECK(fits.refiner->cancelled == 1);
  CHECK(deliveries.all().back().ticket == second);
  CHECK(deliveries.all().back().pairsOfTriangles == 1);

  waitUntil([&] { return fits.refiner->asked == 2; });
  session->stopCatchingUp();
  waitUntil([&] { return fits.refiner->cancelled == 2; });
  // Before it has begun as well.
  session->ask(question);
  session->wait();
  session->stopCatchingUp();
  std::this_thread::sleep_for(3 * LiveSession::pause);
  CHECK(fits.refiner->asked == 2);
  CHECK(deliveries.all().size() == 3);

  // The next question begins where that ended.
  session->ask(question);
  waitUntil([&] { return fits.refiner->asked == 3; });
  fits.refiner->isStuck = false;
  const LiveAnswer last =
      deliveries.waitFor([&](const LiveAnswer& a) { return a.report && a.pairsOfTriangles == 0; });
  CHECK(differenceOfWhole(*last.report, checkAllPairs(fits.scene, question.poses, fits.options())) == "");

  fits.refiner->isStuck = true;
  question.poses = {{fits.pins[0], shift(0.02, 0, 0) * Transform::rigid({0, 0, 0.6, 0.8}, {})}};
  InterferenceOptions finer = fits.options();
  finer.verdict->tolerance = 0.001;
  question.options = std::make_shared<const InterferenceOptions>(finer);
  const std::size_t asked = fits.refiner->asked;
  session->ask(question);
  waitUntil([&] { return fits.refiner->asked > asked; });
  session.reset();  // ends it as well
  CHECK(fits.refiner->cancelled == 3);
}

TEST_CASE("depths of clashes follow once exact shapes were judged", "[motion][live]") {
  const RoundFits fits({-0.1});
  Deliveries deliveries;
  std::mutex mutex;
  std::condition_variable delivered;
  std::shared_ptr<const InterferenceReport> deep;
  LiveSession session(fits.scene, deliveries.deliver(), {}, {}, [&](const LiveDepths& depths) {
    const std::lock_guard lock(mutex);
    if (depths.ended) deep = depths.report;
    delivered.notify_all();
  });
  InterferenceOptions options = fits.options();
  options.verdict->regions = false;
  LiveQuestion question;
  question.options = std::make_shared<const InterferenceOptions>(options);
  session.ask(question);
  std::unique_lock lock(mutex);
  REQUIRE(delivered.wait_for(lock, std::chrono::seconds(30), [&] { return deep != nullptr; }));
  options.verdict->regions = true;
  CHECK(differenceOfWhole(*deep, checkAllPairs(fits.scene, {}, options)) == "");
  CHECK(deep->pairs.at(0).verdict->chordError > 0);
}

}  // namespace live_catch_up_tests
