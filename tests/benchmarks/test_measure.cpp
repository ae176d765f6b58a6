// Tests the rules of the tables with contestants whose answers and speed are known.
#include <ctime>
#include <memory>
#include <set>

#include <catch2/catch.hpp>

#include <models/process_plant.h>
#include <models/sphere.h>

#include "measure.h"
#include "scene_list.h"

namespace test_measure {

using namespace fitup;
using namespace fitup::bench;
using fitup::bench::Scene;

namespace {

/// Answers a number for each question, after some processor time.
class Fake : public Contestant {
 public:
  /// With a counter, the n-th question takes n times as long, counted over all contestants that share it.
  Fake(std::string name, std::size_t answer, double seconds, std::shared_ptr<int> asked = nullptr)
      : name_(std::move(name)), answer_(answer), seconds_(seconds), asked_(std::move(asked)) {}
  [[nodiscard]] ContestantInfo info() const override {
    ContestantInfo info;
    info.name = name_;
    return info;
  }
  [[nodiscard]] bool answers(QueryMode mode) const override {
    return mode != QueryMode::allSurfacePairs || answer_ != 0;
  }
  void load(const Parts&) override {}
  void build() override {}
  /// All questions except those for all pairs of triangles take this share of the time.
  void takesLessForOthers(double share) { shareForOthers_ = share; }
  /// Sets the pairs that it reports beside their number.
  void tell(std::vector<std::uint64_t> pairs) { told_ = std::move(pairs); }
  bool lastPairs(QueryMode, std::vector<std::uint64_t>& pairs) override {
    pairs.insert(pairs.end(), told_.begin(), told_.end());
    return !told_.empty();
  }
  [[nodiscard]] std::size_t queries() const { return queries_; }
  /// The places of B in its questions, by their x.
  [[nodiscard]] const std::set<double>& places() const { return places_; }
  std::size_t query(const PosedPair& pair, QueryMode mode) override {
    ++queries_;
    places_.insert(pair.worldFromB.t.x);
    const double share = mode == QueryMode::allTrianglePairs ? 1 : shareForOthers_,
                 seconds = share * (asked_ ? seconds_ * ++*asked_ : seconds_);
    const std::clock_t begin = std::clock();
    while (static_cast<double>(std::clock() - begin) < seconds * CLOCKS_PER_SEC) {
    }
    return answer_;
  }

 private:
  std::string name_;
  std::size_t answer_;
  double seconds_, shareForOthers_ = 1;
  std::shared_ptr<int> asked_;
  std::size_t queries_ = 0;
  std::set<double> places_;
  std::vector<std::uint64_t> told_;
};

Scene tenSteps() {
  const auto sphere = std::make_shared<const TriangleMesh>(models::makeSphere({1, 1, false}));
  std::vector<Transform> placements;
  for (int i = 0; i < 10; ++i) placements.push_back(Transform::translation({1.0 * i, 0, 0}));
  return sceneOfPlacements("ten", {sphere}, 0, placements);
}

/// Measures ten steps against the first contestant.
QueryTable trianglesOf(const Contestants& all, const Effort& effort) {
  TooSlow tooSlow;
  return measureQueries(tenSteps(), QueryMode::allTrianglePairs, all, *all[0], effort, tooSlow);
}

const QueryRow& rowOf(const QueryTable& table, const std::string& name) {
  for (const QueryRow& row : table.rows)
    if (row.contestant == name) return row;
  throw std::runtime_error("no row " + name);
}

}  // namespace

TEST_CASE("wrong answers are counted by their sign, and slow contestants get fewer steps", "[benchmarks]") {
  Contestants all;
  all.push_back(std::make_unique<Fake>("less", 5, 0));
  all.push_back(std::make_unique<Fake>("right", 7, 0));
  all.push_back(std::make_unique<Fake>("slow and more", 8, 0.003));
  all.push_back(std::make_unique<Fake>("too slow", 7, 0.06));
  Effort effort;
  effort.rounds = 3;
  effort.fewestRounds = 2;
  effort.fewestSteps = 2;
  effort.passSeconds = 0.004;
  effort.checkSeconds = 1;
  effort.longestStep = 0.04;
  effort.shortestPass = 1e-5;
  TooSlow tooSlow;
  const QueryTable table =
      measureQueries(tenSteps(), QueryMode::allTrianglePairs, all, *all[1], effort, tooSlow);
  CHECK(table.questions == 10);
  CHECK(table.hitShare == 1);
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows.front().contestant == "right");
  CHECK(table.rows.front().ratio.median == 1);

  const QueryRow& less = rowOf(table, "less");
  CHECK(less.wrongPairs == 10);
  CHECK(less.missed == 20);
  CHECK(less.invented == 0);
  CHECK(less.expected == 70);

  const QueryRow& more = rowOf(table, "slow and more");
  CHECK(more.invented == more.stepsChecked);
  CHECK(more.rounds >= 2);
  CHECK(more.stepsTimed >= 1);
  CHECK(more.stepsTimed <= 2 * static_cast<std::size_t>(more.rounds));

  CHECK_FALSE(rowOf(table, "too slow").leftOut.empty());
  CHECK(tooSlow.size() == 1);
  CHECK(tooSlow.contains(all[3].get()));
  const QueryTable again =
      measureQueries(tenSteps(), QueryMode::allTrianglePairs, all, *all[1], effort, tooSlow);
  CHECK(rowOf(again, "too slow").leftOut == rowOf(table, "too slow").leftOut);
}

TEST_CASE("parts of the steps take turns, so that rounds differ as the steps do", "[benchmarks]") {
  Contestants all;
  all.push_back(std::make_unique<Fake>("reference", 7, 0));
  all.push_back(std::make_unique<Fake>("slow", 7, 0.003));
  Effort effort;
  effort.rounds = effort.fewestRounds = 4;
  effort.fewestSteps = 2;
  effort.passSeconds = 0.006;
  effort.checkSeconds = 1;
  effort.shortestPass = 0;
  const QueryTable table = trianglesOf(all, effort);
  const QueryRow& slow = rowOf(table, "slow");
  CHECK(slow.stepsChecked == 10);
  CHECK(slow.rounds == 4);
  CHECK(slow.ratio.values == 4);
  // One or two per round, depending on the machine.
  CHECK(slow.stepsTimed >= 4);
  CHECK(slow.stepsTimed <= 8);
  CHECK(static_cast<const Fake&>(*all[1]).places().size() == 10);
}

TEST_CASE("what slows everyone down more and more cancels", "[benchmarks]") {
  Contestants all;
  const auto asked = std::make_shared<int>(0);
  for (const char* name : {"reference", "next", "last"})
    all.push_back(std::make_unique<Fake>(name, 7, 20e-6, asked));
  Effort effort;
  effort.rounds = 1;
  effort.passSeconds = effort.checkSeconds = 10;
  effort.shortestPass = 0;
  const QueryTable table = trianglesOf(all, effort);
  // Divided by the reference's pass before each, or by the round's first, these would be 1.18 and more.
  CHECK(rowOf(table, "next").ratio.median == Approx(1).margin(0.1));
  CHECK(rowOf(table, "last").ratio.median == Approx(1).margin(0.1));
}

TEST_CASE("who is asked all steps after others that were not is timed between passes of its own",
          "[benchmarks]") {
  Contestants all;
  const auto asked = std::make_shared<int>(0);
  all.push_back(std::make_unique<Fake>("reference", 7, 20e-6, asked));
  for (const char* name : {"first part", "second part", "third part", "fourth part"})
    all.push_back(std::make_unique<Fake>(name, 7, 0.001));
  all.push_back(std::make_unique<Fake>("last", 7, 20e-6, asked));
  Effort effort;
  effort.rounds = effort.fewestRounds = effort.fewestSteps = 1;
  effort.passSeconds = 0.0055;
  effort.checkSeconds = 10;
  effort.shortestPass = 0;
  const QueryTable table = trianglesOf(all, effort);
  REQUIRE(rowOf(table, "fourth part").stepsTimed < 10);
  REQUIRE(rowOf(table, "last").stepsTimed == 10);
  // Divided by the reference's pass before the parts, it would be 1.3.
  CHECK(rowOf(table, "last").ratio.median == Approx(1).margin(0.1));
}

TEST_CASE("one question is timed between two passes of the other", "[benchmarks]") {
  Fake fake("growing slower", 7, 20e-6, std::make_shared<int>(0));
  fake.takesLessForOthers(0.5);
  Effort effort;
  effort.rounds = 3;
  effort.shortestPass = 0;
  const MedianInterval times =
      timesFaster(tenSteps(), QueryMode::allSurfacePairs, QueryMode::allTrianglePairs, fake, effort);
  CHECK(times.values == 3);
  // Divided by the pass before alone, it would be 1.64.
  CHECK(times.median == Approx(2).margin(0.15));
}

TEST_CASE("of equally many pairs those count that are the right ones", "[benchmarks]") {
  Contestants all;
  for (const char* name : {"reference", "same", "other", "silent"})
    all.push_back(std::make_unique<Fake>(name, 3, 0));
  const auto tell = [&](std::size_t i, std::vector<std::uint64_t> pairs) {
    static_cast<Fake&>(*all[i]).tell(std::move(pairs));
  };
  tell(0, {packed(1, 2), packed(3, 4), packed(5, 6)});
  tell(1, {packed(5, 6), packed(1, 2), packed(3, 4)});
  tell(2, {packed(1, 2), packed(4, 3), packed(6, 5)});
  Effort effort;
  effort.rounds = 1;
  effort.shortestPass = 0;
  TooSlow tooSlow;
  const QueryTable table =
      measureQueries(tenSteps(), QueryMode::allTrianglePairs, all, *all[0], effort, tooSlow);
  CHECK(rowOf(table, "same").exact());
  CHECK(rowOf(table, "silent").exact());
  CHECK(rowOf(table, "other").wrongPairs == 10);
  CHECK(rowOf(table, "other").missed == 20);
  CHECK(rowOf(table, "other").invented == 20);
  // Any first pair is right.
  const QueryTable first =
      measureQueries(tenSteps(), QueryMode::firstSurfacePair, all, *all[0], effort, tooSlow);
  CHECK(rowOf(first, "other").exact());
}

TEST_CASE("scenes list what rests and what moves", "[benchmarks]") {
  std::vector<Scene> scenes = makeScenes({"plant", "spheres-0.1"}, SceneSize::quick);
  const Assembly plant = models::makeProcessPlant();
  scenes.push_back(sceneOfNudges("nudged", plant, 30, 1));
  for (const Scene& scene : scenes) {
    INFO(scene.name);
    CHECK(scene.questionCount() > 0);
    for (const auto& step : scene.steps)
      for (const PosedPair& pair : step) {
        REQUIRE(pair.resting < scene.resting.size());
        REQUIRE(pair.mover < scene.movers.size());
        CHECK(scene.resting[pair.resting].part == pair.partA);
        CHECK(scene.resting[pair.resting].worldFromPart == pair.worldFromA);
        CHECK(scene.movers[pair.mover] == pair.partB);
        // A mover has one place in a step.
        for (const PosedPair& other : step)
          if (other.mover == pair.mover) CHECK(other.worldFromB == pair.worldFromB);
      }
  }
  CHECK_FALSE(scenes.back().suitsCoherence);
}

TEST_CASE("a step that asks for any pair ends at the first that intersects", "[benchmarks]") {
  Scene scene = tenSteps();
  for (auto& step : scene.steps) step.resize(3, step.front());
  Contestants all;
  all.push_back(std::make_unique<Fake>("hits", 2, 0));
  all.push_back(std::make_unique<Fake>("misses", 0, 0));
  Effort effort;
  effort.rounds = 1;
  effort.shortestPass = 0;
  TooSlow tooSlow;
  const QueryTable table = measureQueries(scene, Question::firstOfStep(), all, *all[0], effort, tooSlow);
  CHECK(table.mode == "first of a step");
  CHECK(table.questions == 10);
  CHECK(table.hitShare == 1);
  CHECK(rowOf(table, "hits").exact());
  CHECK(rowOf(table, "misses").missed == 10);
  const auto queriesOf = [&](std::size_t i) { return static_cast<const Fake&>(*all[i]).queries(); };
  // The comparing pass and one round, in which the reference is timed on both sides of the other.
  CHECK(queriesOf(0) == 30);
  CHECK(queriesOf(1) == 60);
}

TEST_CASE("every named scene is made, frozen, and with hits only where it says", "[benchmarks]") {
  std::vector<std::string> names;
  for (const SceneName& scene : sceneNames()) names.push_back(scene.name);
  const std::vector<Scene> scenes = makeScenes(names, SceneSize::quick),
                           again = makeScenes(names, SceneSize::quick);
  REQUIRE(scenes.size() == names.size());
  FitupOptions options;
  const auto fitup = makeFitup(options);
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const Scene& scene = scenes[i];
    INFO(scene.name);
    CHECK(scene.name == names[i]);
    REQUIRE(scene.questionCount() == again[i].questionCount());
    fitup->load(scene.parts);
    fitup->build();
    fitup->enter(scene);
    std::size_t hits = 0;
    for (std::size_t s = 0; s < scene.steps.size(); ++s) {
      fitup->beginStep();
      for (std::size_t p = 0; p < scene.steps[s].size(); ++p) {
        CHECK(scene.steps[s][p].worldFromB == again[i].steps[s][p].worldFromB);
        hits += fitup->query(scene.steps[s][p], QueryMode::firstSurfacePair);
      }
    }
    const bool without = scene.description.find("no hits") != std::string::npos;
    CHECK((hits == 0) == without);
  }
}

}  // namespace test_measure
