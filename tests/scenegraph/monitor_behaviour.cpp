// Tests what a monitor reports, when, in which thread, and what it owns.
#include <chrono>
#include <set>
#include <thread>

#include <catch2/catch.hpp>
#include <osgUtil/UpdateVisitor>

#include <models/process_plant.h>
#include <models/random.h>
#include <osgFitup/conversions.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/highlight.h>
#include <osgFitup/interference_monitor.h>
#include <osgFitup/interference_visitor.h>
#include <support/interference_checks.h>
#include <support/tiny_meshes.h>

#include "scene_checks.h"
#include "scene_state.h"

namespace monitor_behaviour_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;
using fitup::test::difference;
using Where = InterferenceMonitor::Where;

namespace {

struct Plant {
  Assembly assembly = models::makeProcessPlant();
  osg::ref_ptr<osg::Group> scene = createScene(fitup::Scene(assembly));
  PartNode* spool = findPartNode(*scene, models::spoolPath);
  Track track = models::makeSpoolTrack(assembly);

  void go(std::size_t step) {
    spool->setPlacement(track.steps[step][0].transform() * spool->getDesignPlacement());
  }
};

/// Makes n x n boxes that overlap their neighbours.
osg::ref_ptr<osg::Group> boxes(int n) {
  Assembly assembly("boxes");
  const PartId part = assembly.addPart(fitup::test::sixSidedBox(1.2, 1.2, 1.2, 2));
  for (int i = 0; i < n * n; ++i)
    assembly.addNode("box" + std::to_string(i), Transform::translation({1.0 * (i % n), 1.0 * (i / n), 0}), {},
                     part);
  return createScene(fitup::Scene(assembly));
}

}  // namespace

TEST_CASE("a monitor follows the spool through the plant, called by the update traversal") {
  for (const Where where : {Where::inUpdate, Where::onWorker}) {
    Plant plant;
    osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(plant.scene);
    monitor->setWhere(where);
    InterferenceOptions options;
    monitor->setOptions(options);
    std::size_t calls = 0;
    monitor->addCallback([&](const InterferenceMonitor& m) {
      CHECK(&m == monitor.get());
      ++calls;
    });
    const auto other = monitor->addCallback([&](const InterferenceMonitor&) { calls += 1000; });
    monitor->removeCallback(other);
    plant.scene->addUpdateCallback(monitor->getUpdateCallback());
    osgUtil::UpdateVisitor update;
    std::size_t steps = 0;
    for (std::size_t step = 0; step < plant.track.steps.size(); step += 23) {
      plant.go(step);
      plant.scene->accept(update);
      if (where == Where::onWorker) monitor->finish();
      ++steps;
      CHECK(difference(monitor->getReport(), fresh(*plant.scene, options)) == "");
      const NodeId spool = monitor->getSceneAssembly().assembly().at(models::spoolPath);
      if (const Transform* placed = monitor->getPlacements().find(spool))
        CHECK(*placed == createAssembly(*plant.scene).assembly().worldFromNode(spool));
    }
    CHECK(calls == steps);
    CHECK(monitor->getRescans() == 1);
    // Without an edit, nothing is checked and no callback is called.
    plant.scene->accept(update);
    CHECK(!monitor->finish());
    CHECK(calls == steps);
    // A move that changes no other placement checks only the pairs of the moved part.
    CHECK(monitor->getWarnings().empty());
  }
}

TEST_CASE("a monitor's time budget cuts answers short, says so, and later updates complete them") {
  const auto scene = boxes(12);
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(scene);
  InterferenceOptions options;
  options.request.limits.timeBudget = std::chrono::nanoseconds(0);
  monitor->setOptions(options);
  CHECK(monitor->update());
  CHECK(monitor->getReport().status == ReportStatus::truncated);
  CHECK(monitor->getOpenPairs() == monitor->getReport().narrowPairs);
  const InterferenceReport all = fresh(*scene);
  REQUIRE(all.pairs.size() > 200);
  // For any machine: a budget that is too small for any progress is doubled.
  std::chrono::nanoseconds budget = std::chrono::microseconds(200);
  std::size_t open = 0;
  for (int idle = 100; open > 0 || idle > 0;) {
    if (idle == 100) {
      options.request.limits.timeBudget = budget *= 2;
      monitor->setOptions(options);
      open = all.narrowPairs;
      idle = 0;
    }
    REQUIRE(monitor->update());
    const InterferenceReport& report = monitor->getReport();
    REQUIRE(fitup::test::problemOfPart(report, all) == "");
    REQUIRE(monitor->getOpenPairs() <= open);
    REQUIRE((report.status == ReportStatus::complete) == (monitor->getOpenPairs() == 0));
    idle = monitor->getOpenPairs() < open ? 0 : idle + 1;
    open = monitor->getOpenPairs();
  }
  CHECK(monitor->getReport().status == ReportStatus::complete);
  CHECK(difference(monitor->getReport(), all) == "");
  CHECK(!monitor->update());
}

TEST_CASE("parts moved by one thread while the worker asks: answers are about what they say") {
  Plant plant;
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(plant.scene);
  monitor->setWhere(Where::onWorker);
  InterferenceOptions options;
  options.threads = 2;
  monitor->setOptions(options);
  std::size_t answers = 0, wrong = 0;
  monitor->addCallback([&](const InterferenceMonitor& m) {
    ++answers;
    // The same placements, checked again.
    for (const PairInterference& pair : m.getReport().pairs) {
      IntersectionReport again = intersect(
          {m.getSceneAssembly().at(pair.a).part->getCollisionModel(), *m.getPlacements().find(pair.a)},
          {m.getSceneAssembly().at(pair.b).part->getCollisionModel(), *m.getPlacements().find(pair.b)}, {});
      wrong += again.trianglePairs == pair.report.trianglePairs ? 0 : 1;
    }
  });
  // The host's own thread is the update phase; the main thread waits.
  std::thread host([&] {
    osg::ref_ptr<osg::Node> taken;
    // Again if the worker had hardly any processor time.
    for (int round = 0; round == 0 || (answers <= 5 && round < 100); ++round)
      for (std::size_t step = 0; step < plant.track.steps.size(); step += 2) {
        plant.go(step);
        if (step % 40 == 20) {  // edits, too
          taken = plant.scene->getChild(0);
          plant.scene->removeChild(taken);
        } else if (step % 40 == 28) {
          plant.scene->insertChild(0, taken);
        }
        monitor->update();
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
    monitor->finish();
  });
  host.join();
  CHECK(answers > 5);
  CHECK(wrong == 0);
  CHECK(difference(monitor->getReport(), fresh(*plant.scene)) == "");
  // Destruction while it works.
  plant.go(0);
  monitor->update();
  monitor = nullptr;
}

TEST_CASE("a monitor and its scene let go of each other") {
  osg::observer_ptr<osg::Node> scene;
  osg::observer_ptr<InterferenceMonitor> watch;
  {
    Plant plant;
    scene = plant.scene.get();
    osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(plant.scene);
    watch = monitor.get();
    plant.scene->addUpdateCallback(monitor->getUpdateCallback());
    monitor->update();
    monitor = nullptr;
    CHECK(!watch.valid());
    osgUtil::UpdateVisitor update;
    plant.scene->accept(update);  // the callback has no monitor to call
  }
  CHECK(!scene.valid());
}

TEST_CASE("what a monitor cannot answer is an error that it gets over") {
  Plant plant;
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(plant.scene);
  InterferenceOptions options;
  options.stopAtFirstPair = true;
  monitor->setOptions(options);
  CHECK(monitor->update());
  CHECK(monitor->getError().find("limit of pairs") != std::string::npos);
  options.stopAtFirstPair = false;
  monitor->setOptions(options);
  CHECK(monitor->update());
  CHECK(monitor->getError().empty());
  const InterferenceReport before = monitor->getReport();
  // So far away that answers could not be exact.
  plant.spool->setPlacement(Transform::translation({1e200, 0, 0}));
  monitor->update();
  plant.spool->resetPlacement();
  CHECK(monitor->update());
  CHECK(monitor->getError().empty());
  CHECK(difference(monitor->getReport(), before) == "");
}

TEST_CASE("a monitor's callbacks may remove themselves and each other, and add some") {
  Plant plant;
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(plant.scene);
  std::string called;
  unsigned int first = 0, second = 0;
  first = monitor->addCallback([&](const InterferenceMonitor&) {
    called += 'a';
    monitor->removeCallback(first);
    monitor->removeCallback(second);
    monitor->addCallback([&](const InterferenceMonitor&) { called += 'd'; });
  });
  second = monitor->addCallback([&](const InterferenceMonitor&) { called += 'b'; });
  monitor->addCallback([&](const InterferenceMonitor&) { called += 'c'; });
  monitor->update();
  CHECK(called == "ac");
  plant.go(100);
  monitor->update();
  CHECK(called == "accd");
}

TEST_CASE("a highlight shows what a monitor has found") {
  Plant plant;
  osg::ref_ptr<Highlight> highlight = new Highlight;
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(plant.scene);
  monitor->addCallback([&](const InterferenceMonitor& m) { highlight->showInterference(m); });
  for (const std::size_t step : {0U, 100U, 200U}) {
    plant.go(step);
    monitor->update();
    std::size_t surfaces = 0;
    std::set<std::pair<NodeId, SurfaceId>> expected;
    for (const PairInterference& pair : monitor->getReport().pairs)
      for (const SurfacePair& s : pair.report.surfacePairs) {
        expected.emplace(pair.a, s.a);
        expected.emplace(pair.b, s.b);
      }
    surfaces = expected.size();
    CHECK(surfaces > 0);
    CHECK(drawnBelow(*highlight).size() == surfaces);
  }
}

TEST_CASE("the worker answers in whatever rhythm updates come, without being waited for") {
  using Clock = std::chrono::steady_clock;
  using namespace std::chrono_literals;
  Plant plant;
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(plant.scene);
  monitor->setWhere(Where::onWorker);
  monitor->finish();
  const std::chrono::microseconds gaps[] = {{},  {},   {},   400us, 2ms,   2ms, 2ms,
                                            2ms, 17ms, 17ms, 17ms,  100ms, {}};
  models::Random random(23);
  for (int repeat = 0; repeat < 4; ++repeat) {
    for (const auto gap : gaps) {
      plant.go(static_cast<std::size_t>(random.between(0, static_cast<double>(plant.track.steps.size()))));
      monitor->update();
      std::this_thread::sleep_for(gap);
    }
    // Nothing wakes the worker after the last one: updates without edits ask nothing.
    const InterferenceReport expected = fresh(*plant.scene, monitor->getOptions());
    const auto isAnswered = [&] { return difference(monitor->getReport(), expected).empty(); };
    for (const auto end = Clock::now() + 20s; !isAnswered() && Clock::now() < end; monitor->update())
      std::this_thread::sleep_for(1ms);
    CHECK(isAnswered());
  }
}

TEST_CASE("until the worker has answered about an edit, the scene is that of the report") {
  const auto scene = boxes(3);
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(scene);
  monitor->setWhere(Where::onWorker);
  CHECK(monitor->getSceneAssembly().instances.empty());
  monitor->finish();
  const auto pairs = [&] {
    std::set<std::pair<std::string, std::string>> paths;
    const Assembly& assembly = monitor->getSceneAssembly().assembly();
    for (const PairInterference& pair : monitor->getReport().pairs)
      paths.emplace(assembly.path(pair.a), assembly.path(pair.b));
    return paths;
  };
  const auto before = pairs();
  CHECK(before.size() > 8);
  osg::ref_ptr<osg::Node> taken = scene->getChild(0);
  scene->removeChild(taken);
  CHECK_FALSE(monitor->update());  // all ids have changed
  CHECK(pairs() == before);
  monitor->finish();
  auto without = before;
  std::erase_if(without, [](const auto& pair) { return pair.first == "box0" || pair.second == "box0"; });
  CHECK(pairs() == without);
  CHECK(difference(monitor->getReport(), fresh(*scene, monitor->getOptions())) == "");
}

TEST_CASE("a scene that cannot be answered when it is first looked at is, once the part has moved") {
  for (const Where where : {Where::inUpdate, Where::onWorker}) {
    Plant plant;
    osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(plant.scene);
    monitor->setWhere(where);
    plant.spool->setMatrix(osg::Matrixd::scale(1e31, 1e31, 1e31));
    monitor->finish();
    REQUIRE_FALSE(monitor->getError().empty());
    plant.spool->resetPlacement();
    monitor->finish();
    CHECK(monitor->getError().empty());
    CHECK(difference(monitor->getReport(), fresh(*plant.scene, monitor->getOptions())) == "");
  }
}

TEST_CASE("a placement that is singular only together with those above is left out, with a warning") {
  const auto scene = boxes(2);
  osg::ref_ptr<osg::MatrixTransform> turned =
      new osg::MatrixTransform(toMatrix(Transform::rotation(Vec3{1, 0, 0}, 0.785398163397)));
  turned->setName("turned");
  osg::ref_ptr<osg::Node> flat = scene->getChild(0);
  flat->asTransform()->asMatrixTransform()->setMatrix(osg::Matrixd::scale(1, 1, 1e-13));
  osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(scene);
  osg::ref_ptr<InterferenceVisitor> alone = new InterferenceVisitor;
  root->accept(*alone);  // a flat matrix can be answered here
  CHECK(alone->getWarnings().empty());
  scene->removeChild(flat);
  turned->addChild(flat);
  scene->addChild(turned);
  osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
  root->accept(*visitor);
  REQUIRE(visitor->getWarnings().size() == 1);
  CHECK(visitor->getWarnings()[0].message.find("singular") != std::string::npos);
  CHECK(visitor->getSceneAssembly().instances.size() == 3);
  CHECK(visitor->containsInterferences());
}

TEST_CASE("a set of no node is no set") {
  Plant plant;
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(plant.scene);
  monitor->addFirst(plant.spool);
  monitor->update();
  const InterferenceReport before = monitor->getReport();
  CHECK(before.intersects());
  monitor->addSecond(nullptr);
  monitor->update();
  CHECK(difference(monitor->getReport(), before) == "");
}

TEST_CASE("a callback may end the worker that called it") {
  Plant plant;
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(plant.scene);
  monitor->setWhere(Where::onWorker);
  monitor->finish();
  monitor->addCallback([&](const InterferenceMonitor&) { monitor->setWhere(Where::inUpdate); });
  plant.go(50);
  monitor->update();
  for (std::size_t step = 60; monitor->getWhere() == Where::onWorker && step < 200; ++step) {
    plant.go(step);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    monitor->update();  // takes an answer, whose callback ends the worker, and has another question
  }
  CHECK(monitor->getWhere() == Where::inUpdate);
  monitor->update();
  CHECK(difference(monitor->getReport(), fresh(*plant.scene, monitor->getOptions())) == "");
}

}  // namespace monitor_behaviour_tests
