// The rules of the tables on contestants whose answers and slowness are known.
#include <ctime>

#include <catch2/catch.hpp>

#include <models/sphere.h>

#include "measure.h"
#include "scene_list.h"

using namespace fitup;
using namespace fitup::bench;

namespace {

/// Answers a number for each question, after some processor time.
class Fake : public Contestant {
 public:
  Fake(std::string name, std::size_t answer, double seconds)
      : name_(std::move(name)), answer_(answer), seconds_(seconds) {}
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
  [[nodiscard]] std::size_t queries() const { return queries_; }
  std::size_t query(const PosedPair&, QueryMode) override {
    ++queries_;
    const std::clock_t begin = std::clock();
    while (static_cast<double>(std::clock() - begin) < seconds_ * CLOCKS_PER_SEC) {
    }
    return answer_;
  }

 private:
  std::string name_;
  std::size_t answer_;
  double seconds_;
  std::size_t queries_ = 0;
};

Scene tenSteps() {
  const auto sphere = std::make_shared<const TriangleMesh>(models::makeSphere({1, 1, false}));
  return sceneOfPlacements("ten", {sphere}, 0, std::vector<Transform>(10));
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
  CHECK(more.stepsTimed <= 2);
  CHECK(more.rounds >= 2);

  CHECK_FALSE(rowOf(table, "too slow").leftOut.empty());
  CHECK(tooSlow.size() == 1);
  CHECK(tooSlow.contains(all[3].get()));
  const QueryTable again =
      measureQueries(tenSteps(), QueryMode::allTrianglePairs, all, *all[1], effort, tooSlow);
  CHECK(rowOf(again, "too slow").leftOut == rowOf(table, "too slow").leftOut);
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
  // The pass that compares, and one round.
  CHECK(queriesOf(0) == 20);
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
    std::size_t hits = 0;
    for (std::size_t s = 0; s < scene.steps.size(); ++s)
      for (std::size_t p = 0; p < scene.steps[s].size(); ++p) {
        CHECK(scene.steps[s][p].worldFromB == again[i].steps[s][p].worldFromB);
        hits += fitup->query(scene.steps[s][p], QueryMode::firstSurfacePair);
      }
    const bool without = scene.description.find("no hits") != std::string::npos;
    CHECK((hits == 0) == without);
  }
}
