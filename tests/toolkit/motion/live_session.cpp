#include <fitup/motion/live_session.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include <models/process_plant.h>

#include "support/analytic_solids.h"
#include "support/interference_checks.h"
#include "support/placements.h"
#include "support/random_assembly.h"
#include "support/tiny_meshes.h"

namespace live_session_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Keeps what is delivered.
class Mailbox {
 public:
  LiveSession::Deliver deliver() {
    return [this](LiveAnswer answer) {
      const std::lock_guard lock(mutex_);
      answers_.push_back(std::move(answer));
    };
  }
  LiveAnswer last() {
    const std::lock_guard lock(mutex_);
    REQUIRE_FALSE(answers_.empty());
    return answers_.back();
  }
  std::size_t count() {
    const std::lock_guard lock(mutex_);
    return answers_.size();
  }

 private:
  std::mutex mutex_;
  std::vector<LiveAnswer> answers_;
};

std::shared_ptr<const InterferenceOptions> surfaces() {
  InterferenceOptions options;
  options.request.mode = QueryMode::allSurfacePairs;
  return std::make_shared<const InterferenceOptions>(options);
}

/// Returns the report of `checkAllPairs` for the assembly with these placements.
InterferenceReport expected(const Assembly& assembly, const CollisionModels& models, const Poses& poses,
                            const InterferenceOptions& options) {
  return checkAllPairs(Scene(assembly, models), poses, options);
}

/// A wall at x = 5 and a box of side 1 at the origin.
struct Wall {
  Assembly assembly{"room"};
  NodeId wall, box, other;
  CollisionModels models;
  Wall() {
    const PartId slab = assembly.addPart(withDeflection(sixSidedBox(1, 10, 10), 0.01));
    const PartId cube = assembly.addPart(withDeflection(sixSidedBox(1, 1, 1), 0.01));
    wall = assembly.addNode("wall", shift(5.5, 0, 0), {}, slab);
    box = assembly.addNode("box", {}, {}, cube);
    other = assembly.addNode("other", shift(0, 0, 20), {}, cube);
    models = buildCollisionModels(assembly);
  }
};

}  // namespace

TEST_CASE("answers are those of a check of all pairs", "[motion][live]") {
  for (std::uint64_t seed = 20; seed < 24; ++seed) {
    const Assembly assembly = randomAssembly(seed, 14);
    const CollisionModels models = buildCollisionModels(assembly);
    const std::vector<NodeId> all = assembly.instances();
    Mailbox mailbox;
    LiveSession runner(Scene(assembly, models), mailbox.deliver());
    Random random(seed);
    auto options = surfaces();
    Poses poses;
    for (int i = 0; i < 40; ++i) {
      const NodeId node = all[random.below(static_cast<std::uint32_t>(all.size()))];
      if (i % 4 == 3)
        poses.reset(node);
      else
        poses.set(node,
                  shift(random.between(-2, 2), random.between(-2, 2), 0) * assembly.worldFromNode(node));
      if (i == 20) {
        InterferenceOptions other = *options;
        other.rules.rules = {{"*bolt*", "*", "", RuleAction::ignore}};
        options = std::make_shared<const InterferenceOptions>(other);
      }
      LiveQuestion question;
      question.options = options;
      question.poses = poses;
      const std::uint64_t ticket = runner.ask(question);
      if (i % 5 == 4) continue;  // overtaken, or answered in between
      runner.wait();
      const LiveAnswer answer = mailbox.last();
      CHECK(answer.error.empty());
      CHECK(answer.ticket == ticket);
      REQUIRE(answer.report);
      CHECK(difference(*answer.report, expected(assembly, models, question.poses, *options)) == "");
    }
  }
}

TEST_CASE("a drag that detects goes where it wants and says what it hits", "[motion][live]") {
  const Wall room;
  Mailbox mailbox;
  LiveSession runner(Scene(room.assembly, room.models), mailbox.deliver());
  LiveQuestion question;
  question.options = surfaces();
  question.measureDistance = true;
  // Another part was put in the way before.
  question.poses = {{room.other, shift(0, 3, 0)}};
  question.drag = DragGoal{1, {room.box}, {}, DragMode::detect};
  for (const double x : {0.0, 1.0, 4.0, 4.6, 9.0}) {
    question.drag->wanted = {{}, {x, 0, 0}};
    runner.ask(question);
    runner.wait();
    const LiveAnswer answer = mailbox.last();
    REQUIRE(answer.report);
    CHECK(answer.report->intersects() == (x == 4.6));
    REQUIRE(answer.nearest);
    const double toWall = x < 5 ? std::max(0.0, 4.5 - x) : x - 6.5;
    const double toOther = std::hypot(std::max(0.0, x - 1), 2);
    CHECK(answer.nearest->nearest.distance == Approx(std::min(toWall, toOther)).margin(1e-9));
    REQUIRE(answer.drag);
    CHECK(answer.drag->drag == 1);
    CHECK(answer.drag->pose == question.drag->wanted);
    CHECK_FALSE(answer.drag->stop);
  }
  question.drag.reset();
  question.poses.set(room.box, shift(0, 3.5, 0));
  runner.ask(question);
  runner.wait();
  CHECK_FALSE(mailbox.last().drag);
  CHECK(mailbox.last().report->pairs.size() == 1);
  CHECK(mailbox.last().report->pairs[0].a == room.box);
}

TEST_CASE("a drag that stops goes as far as it may", "[motion][live]") {
  const Wall room;
  Mailbox mailbox;
  LiveSession runner(Scene(room.assembly, room.models), mailbox.deliver());
  InterferenceOptions options = *surfaces();
  options.verdict = VerdictOptions{.tolerance = 0.02};
  LiveQuestion question;
  question.options = std::make_shared<const InterferenceOptions>(options);
  for (std::uint64_t drag = 1; drag <= 2; ++drag) {
    // The second drag begins 2 further back.
    question.poses = {{room.box, shift(drag == 1 ? 0 : -2, 0, 0)}};
    question.drag = DragGoal{drag, {room.box}, {{}, {20, 0, 0}}, DragMode::stopAtContact};
    runner.ask(question);
    runner.wait();
    const LiveAnswer answer = mailbox.last();
    CHECK(answer.error == "");
    REQUIRE(answer.drag);
    const double reached = answer.drag->pose.translation.x - (drag == 1 ? 0 : 2);
    CHECK(reached == Approx(4.51).margin(0.011));
    REQUIRE(answer.drag->stop);
    CHECK(answer.drag->stop->b == room.wall);
    REQUIRE(answer.report);
    for (const PairInterference& pair : answer.report->pairs) CHECK_FALSE(pair.is(Verdict::clash));
  }
}

TEST_CASE("a drag that slides goes on along the wall", "[motion][live][slide]") {
  const Wall room;
  Mailbox mailbox;
  LiveSession runner(Scene(room.assembly, room.models), mailbox.deliver());
  LiveQuestion question;
  question.options = surfaces();
  question.drag = DragGoal{1, {room.box}, {{}, {20, 2, 0}}, DragMode::slide, 0.02};
  runner.ask(question);
  runner.wait();
  const LiveAnswer answer = mailbox.last();
  CHECK(answer.error == "");
  REQUIRE(answer.drag);
  CHECK_FALSE(answer.drag->isBehind);
  CHECK(answer.drag->pose.translation.x == Approx(4.51).margin(0.011));
  CHECK(answer.drag->pose.translation.y == Approx(2).margin(0.04));
  REQUIRE_FALSE(answer.drag->holding.empty());
  CHECK(answer.drag->holding.front().b == room.wall);
  // Back at the start, it is free.
  question.drag->wanted = {};
  runner.ask(question);
  runner.wait();
  CHECK(mailbox.last().drag->pose == RigidMotion{});
  CHECK(mailbox.last().drag->holding.empty());
}

TEST_CASE("a part goes the way of the hand, however far behind it is", "[motion][live]") {
  const Wall room;
  Mailbox mailbox;
  LiveSession runner(Scene(room.assembly, room.models), mailbox.deliver());
  LiveQuestion question;
  question.options = surfaces();
  // Over the wall and down behind it; straight through it for a part that sees the last pose only. Each
  // answer looks once at a pair.
  question.drag = DragGoal{1, {room.box}, {}, DragMode::stopAtContact, 0.01};
  question.drag->budget = std::chrono::nanoseconds(0);
  std::uint64_t ticket = 0;
  const auto go = [&](double x, double y) {
    question.drag->wanted = {{}, {x, y, 0}};
    ticket = runner.ask(question);
  };
  for (int i = 1; i <= 30; ++i) go(0, i);
  for (int i = 1; i <= 30; ++i) go(0.5 * i, 30);
  for (int i = 1; i <= 30; ++i) go(15, 30 - i);
  runner.wait();
  const LiveAnswer answer = mailbox.last();
  CHECK(answer.ticket == ticket);
  REQUIRE(answer.drag);
  CHECK_FALSE(answer.drag->isBehind);
  CHECK_FALSE(answer.drag->stop);
  CHECK(answer.drag->pose.translation.x == Approx(15));
  CHECK(answer.drag->pose.translation.y == Approx(0).margin(1e-12));
  // It stops at the wall on the way back, in answers of one look each.
  const std::size_t before = mailbox.count();
  go(-5, 0);
  runner.wait();
  const LiveAnswer back = mailbox.last();
  REQUIRE(back.drag->stop);
  CHECK(back.drag->stop->b == room.wall);
  CHECK(back.drag->pose.translation.x > 5);
  CHECK(mailbox.count() > before + 1);
}

TEST_CASE("a part slides along a wall, and may stop or slide on within one drag", "[motion][live][slide]") {
  const Wall room;
  LiveEngine engine;
  LiveQuestion question;
  question.options = surfaces();
  question.scene = std::make_shared<const LiveScene>(LiveScene{Scene(room.assembly, room.models)});
  question.drag = DragGoal{1, {room.box}, {}, DragMode::slide, 0.01};
  question.drag->budget.reset();
  LiveAnswer answer;
  const auto go = [&](double x, double y) {
    question.drag->wanted = {{}, {x, y, 0}};
    engine.answer(question, answer);
    REQUIRE(answer.error.empty());
    REQUIRE(answer.drag);
    return answer.drag->pose.translation;
  };
  Vec3 at = go(9, 2);
  CHECK(at.x == Approx(4.5).margin(0.02));
  CHECK(at.y == Approx(2).margin(0.02));
  REQUIRE_FALSE(answer.drag->holding.empty());
  CHECK(answer.drag->holding.front().b == room.wall);
  CHECK_FALSE(answer.drag->stop);
  // From here it stops.
  question.drag->mode = DragMode::stopAtContact;
  at = go(9, 4);
  CHECK(at.y == Approx(2).margin(0.05));
  REQUIRE(answer.drag->stop);
  CHECK(answer.drag->holding.empty());
  // And slides again, without turning.
  question.drag->mode = DragMode::slide;
  question.drag->freedom = SlideFreedom::shift;
  const Quaternion turned = answer.drag->pose.rotation;
  at = go(9, 4);
  CHECK(at.y == Approx(4).margin(0.02));
  CHECK(answer.drag->pose.rotation == turned);
  // Back where the hand is free, it is where the hand is.
  question.drag->freedom = SlideFreedom::shiftAndTurn;
  at = go(1, 1);
  CHECK(at == Vec3{1, 1, 0});
  CHECK(answer.drag->holding.empty());
}

TEST_CASE("what is asked meanwhile is answered last, a cancelled question is made up for", "[motion][live]") {
  const Assembly plant = models::makeProcessPlant();
  const CollisionModels models = buildCollisionModels(plant);
  const NodeId spool = plant.at(models::spoolPath);
  Mailbox mailbox;
  LiveSession runner(Scene(plant, models), mailbox.deliver());
  LiveQuestion question;
  InterferenceOptions all;
  question.options = std::make_shared<const InterferenceOptions>(all);
  std::uint64_t ticket = 0;
  for (int i = 0; i < 300; ++i) {
    question.poses = {{spool, shift(0.1 * i, 0, 0) * plant.worldFromNode(spool)}};
    ticket = runner.ask(question);
    if (i % 50 == 20) runner.cancel();
  }
  runner.wait();
  CHECK_FALSE(runner.busy());
  CHECK(mailbox.last().ticket == ticket);
  CHECK(mailbox.count() <= 300);
  // Once more, so that nothing that was cut short is left.
  runner.ask(question);
  runner.wait();
  CHECK(difference(*mailbox.last().report, expected(plant, models, question.poses, all)) == "");
}

TEST_CASE("mates are looked for when nothing else is asked", "[motion][live]") {
  const Wall room;
  Mailbox mailbox;
  std::mutex mutex;
  std::condition_variable delivered;
  std::map<std::uint64_t, std::vector<MateSuggestion>> found;
  LiveSession runner(Scene(room.assembly, room.models), mailbox.deliver(), {},
                     [&](std::uint64_t ticket, std::vector<MateSuggestion> mates) {
                       const std::lock_guard lock(mutex);
                       found[ticket] = std::move(mates);
                       delivered.notify_all();
                     });
  LiveQuestion question;
  question.options = surfaces();
  question.mates = MateTolerances{.reach = 0.5};
  std::uint64_t last = 0;
  for (const double x : {4.0, 4.1, 4.2, 4.3}) {
    question.drag = DragGoal{1, {room.box}, {{}, {x, 0, 0}}, DragMode::detect};
    last = runner.ask(question);
    runner.wait();
  }
  std::unique_lock lock(mutex);
  REQUIRE(delivered.wait_for(lock, std::chrono::seconds(20), [&] { return found.contains(last); }));
  // The others were overtaken within the pause.
  CHECK(found.size() == 1);
  REQUIRE_FALSE(found[last].empty());
  const MateSuggestion& mate = found[last].front();
  CHECK(mate.moved == room.box);
  CHECK(mate.fixed == room.wall);
  CHECK(mate.deviation == Approx(0.2));
  CHECK(norm(mate.snap.t - Vec3{0.2, 0, 0}) < 1e-9);
}

TEST_CASE("distance and mates heed what the check is narrowed to", "[motion][live]") {
  const Wall room;
  Mailbox mailbox;
  LiveSession runner(Scene(room.assembly, room.models), mailbox.deliver());
  InterferenceOptions options = *surfaces();
  options.rules.check = CheckSets{{"other"}, {"*"}};
  LiveQuestion question;
  question.options = std::make_shared<const InterferenceOptions>(options);
  question.measureDistance = true;
  question.measured = {room.box};
  runner.ask(question);
  runner.wait();
  REQUIRE(mailbox.last().nearest);
  CHECK(mailbox.last().nearest->b == room.other);
  CHECK(mailbox.last().nearest->nearest.distance == Approx(19));
}

TEST_CASE("the answer to a question that cannot be answered says why, and the next one is answered",
          "[motion][live]") {
  const Wall room;
  Mailbox mailbox;
  LiveSession runner(Scene(room.assembly, room.models), mailbox.deliver());
  LiveQuestion question;
  question.options = surfaces();
  question.poses = {{room.box, Transform::scaling(0, 1, 1)}};
  runner.ask(question);
  runner.wait();
  CHECK(mailbox.last().error.find("box") != std::string::npos);
  CHECK_FALSE(mailbox.last().report);
  question.poses = {{room.box, shift(4.6, 0, 0)}};
  runner.ask(question);
  runner.wait();
  CHECK(mailbox.last().error.empty());
  CHECK(mailbox.last().report->intersects());
}

TEST_CASE("a runner that ends does not begin what waits", "[motion][live]") {
  const Assembly plant = models::makeProcessPlant();
  const CollisionModels models = buildCollisionModels(plant);
  Mailbox mailbox;
  std::atomic<bool> begun{false}, ending{false};
  auto runner =
      std::make_unique<LiveSession>(Scene(plant, models), mailbox.deliver(), [&](std::string_view, double) {
        begun = true;
        while (!ending) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      });
  LiveQuestion question;
  question.options = surfaces();
  const std::uint64_t first = runner->ask(question);
  while (!begun) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  runner->ask(question);
  std::jthread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // by then the runner has been asked to end
    ending = true;
  });
  runner.reset();
  CHECK(mailbox.count() == 1);
  CHECK(mailbox.last().ticket == first);
}

TEST_CASE("a drag whose first question was cancelled goes on with the next one", "[motion][live]") {
  const Wall room;
  Mailbox mailbox;
  LiveQuestion question;
  question.options = surfaces();
  const auto ask = [&](LiveSession& runner, double x) {
    question.drag = DragGoal{1, {room.box}, {{}, {x, 0, 0}}, DragMode::stopAtContact, 0.01};
    runner.ask(question);
  };
  const auto reached = [&](const LiveSession& runner) {
    runner.wait();
    const auto& update = mailbox.last().drag;
    return update ? update->pose.translation.x : 0.0;
  };
  SECTION("at each of its reports of progress") {
    bool met = true;
    int round = 0;
    for (; met; ++round) {  // until the question is answered before it would be cancelled
      std::atomic<LiveSession*> asked{nullptr};
      std::atomic<int> reports{0};
      LiveSession runner(Scene(room.assembly, room.models), mailbox.deliver(), [&](std::string_view, double) {
        if (reports++ == round) asked.load()->cancel();
      });
      asked = &runner;
      ask(runner, 2);
      const double stopped = reached(runner);
      met = reports > round;
      CHECK(stopped == Approx(met ? 0 : 2));
      ask(runner, 3);
      CHECK(reached(runner) == Approx(3));
    }
    CHECK(round > 1);
  }
  SECTION("at any time") {
    for (int round = 0; round < 100; ++round) {
      LiveSession runner(Scene(room.assembly, room.models), mailbox.deliver());
      ask(runner, 2);
      std::this_thread::sleep_for(std::chrono::microseconds(10 * round));
      runner.cancel();
      runner.wait();
      ask(runner, 3);
      CHECK(reached(runner) == Approx(3));
    }
  }
}

TEST_CASE("an edited scene is answered as one that is asked anew, and only what an edit concerns is checked",
          "[motion][live]") {
  struct Actor {
    std::uint64_t identity;
    std::string name;
    PartId part;
    Transform worldFromPart;
  };
  std::size_t intersecting = 0;
  for (std::uint64_t seed = 40; seed < 44; ++seed) {
    const Assembly first = randomAssembly(seed, 14);
    const CollisionModels models = buildCollisionModels(first);
    Random random(seed);
    std::uint64_t lastIdentity = 0;
    std::vector<Actor> actors;
    for (const NodeId node : first.instances())
      actors.push_back({++lastIdentity, "actor" + std::to_string(lastIdentity), first.partOf(node),
                        first.worldFromNode(node)});
    const auto anyActor = [&]() -> std::size_t {
      return random.below(static_cast<std::uint32_t>(actors.size()));
    };
    const auto sceneOf = [&](bool isSelected) {
      Assembly assembly("edited");
      for (std::uint32_t part = 0; part < models.size(); ++part)
        assembly.addPart(first.sharedPart(PartId{part}));
      LiveScene scene;
      for (const Actor& actor : actors) {
        assembly.addNode(actor.name, actor.worldFromPart, {}, actor.part);
        scene.identities.push_back(actor.identity);
        if (!isSelected) continue;
        scene.selection.first.push_back(actor.identity % 2 == 0 ? 1 : 0);
        scene.selection.second.push_back(actor.identity % 3 == 0 ? 1 : 0);
      }
      scene.scene = Scene(assembly, models);
      return std::make_shared<const LiveScene>(std::move(scene));
    };

    LiveEngine engine;
    LiveAnswer answer;  // its memory is reused
    LiveQuestion question;
    question.options = surfaces();
    for (int i = 0; i < 30; ++i) {
      const std::size_t changed = anyActor();
      switch (i % 5) {
        case 0:
          actors.erase(actors.begin() + static_cast<std::ptrdiff_t>(changed));
          break;
        case 1:
          actors.insert(actors.begin(),
                        {++lastIdentity, "new" + std::to_string(lastIdentity), actors[changed].part,
                         shift(random.between(-2, 2), 0, 0) * actors[changed].worldFromPart});
          break;
        case 2:
          actors[changed].worldFromPart = shift(0, random.between(-2, 2), 0) * actors[changed].worldFromPart;
          break;
        case 3:
          std::swap(actors[changed], actors.front());
          break;
        default:  // another part in the same place, with the same number
          actors.push_back(actors[changed]);
          actors.back().name += " again";
          break;
      }
      question.scene = sceneOf(i / 10 % 2 == 1);
      question.poses.clear();
      if (i % 2 == 1) {
        const NodeId node = question.scene->scene.instances()[anyActor()];
        question.poses.set(node,
                           shift(0, 0, random.between(-1, 1)) * question.scene->scene.designPlacement(node));
      }
      InterferenceOptions options = *question.options;
      options.selection = question.scene->selection;
      const auto check = [&] {
        CHECK(answer.error.empty());
        REQUIRE(answer.report);
        CHECK(difference(*answer.report, checkAllPairs(question.scene->scene, question.poses, options)) ==
              "");
        intersecting += answer.report->pairs.size();
      };
      engine.answer(question, answer);
      check();
      // The same in another object: nothing has changed.
      question.scene = std::make_shared<const LiveScene>(*question.scene);
      engine.answer(question, answer);
      std::set<std::uint64_t> numbers;
      for (const Actor& actor : actors) numbers.insert(actor.identity);
      if (numbers.size() == actors.size()) CHECK(answer.report->stats.boxTests == 0);
      check();
    }
  }
  CHECK(intersecting > 100);
}

TEST_CASE("a scene with numbers for some of its instances only is refused", "[motion][live]") {
  const Wall room;
  LiveEngine engine;
  LiveQuestion question;
  question.options = surfaces();
  LiveAnswer answer;
  for (const std::size_t given : {1U, 4U}) {
    question.scene = std::make_shared<const LiveScene>(
        LiveScene{Scene(room.assembly, room.models), {}, std::vector<std::uint64_t>(given, 7)});
    engine.answer(question, answer);
    CHECK_FALSE(answer.report);
    CHECK(answer.error.find("identities") != std::string::npos);
  }
}

}  // namespace live_session_tests
