// Tests monitors that judge the triangles of what moves, and the exact shapes at rest.
#include <chrono>
#include <thread>

#include <catch2/catch.hpp>
#include <osg/MatrixTransform>

#include <fitup/motion/live_session.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/interference_monitor.h>
#include <osgFitup/scene_assembly.h>
#include <support/interference_checks.h>
#include <support/round_fits.h>

namespace monitor_exact_shapes_tests {

using namespace fitup;
using namespace osgFitup;
using fitup::test::differenceOfWhole;
using fitup::test::RoundFits;
using Where = InterferenceMonitor::Where;

namespace {

/// Updates the monitor until it has caught up.
void rest(InterferenceMonitor& monitor) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  do {
    monitor.finish();
    REQUIRE(std::chrono::steady_clock::now() < end);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  } while (monitor.getPairsOfTriangles() > 0);
}

}  // namespace

TEST_CASE("a monitor judges triangles after a move, and exact shapes at rest", "[osg][monitor]") {
  for (const Where where : {Where::inUpdate, Where::onWorker}) {
    CAPTURE(where == Where::onWorker);
    const RoundFits fits({0.05, 0.005, -0.05});
    const osg::ref_ptr<osg::Group> root = createScene(fits.scene);
    const osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(root);
    monitor->setWhere(where);
    monitor->setOptions(fits.options());
    std::size_t answers = 0;
    monitor->addCallback([&](const InterferenceMonitor&) { ++answers; });
    monitor->finish();
    CHECK(answers == 1);
    CHECK(monitor->getPairsOfTriangles() == 3);
    CHECK(differenceOfWhole(monitor->getReport(),
                            checkAllPairs(fits.scene, {}, RoundFits::ofTriangles(fits.options()))) == "");
    CHECK(fits.refiner->asked == 0);
    rest(*monitor);
    CHECK(answers > 1);
    CHECK(fits.refiner->asked > 0);
    CHECK(differenceOfWhole(monitor->getReport(), checkAllPairs(fits.scene, {}, fits.options())) == "");

    const SceneAssembly& scene = monitor->getSceneAssembly();
    osg::Node* pin = nullptr;
    for (const SceneInstance& instance : scene.instances)
      if (scene.assembly().path(instance.node) == "pin0")
        for (osg::Node* node : instance.path)
          if (dynamic_cast<osg::MatrixTransform*>(node) != nullptr) {
            pin = node;
            break;
          }
    REQUIRE(pin != nullptr);
    auto& placement = dynamic_cast<osg::MatrixTransform&>(*pin);
    placement.setMatrix(osg::Matrixd::translate(0.01, 0, 0) * placement.getMatrix());
    monitor->finish();
    CHECK(monitor->getPairsOfTriangles() == 1);
    CHECK(monitor->getReport().count(Verdict::clash) == 2);
    rest(*monitor);
    CHECK(differenceOfWhole(monitor->getReport(),
                            checkAllPairs(monitor->getSceneAssembly().scene,
                                          monitor->getSceneAssembly().poses, fits.options())) == "");
    CHECK(monitor->getReport().count(Verdict::clash) == 1);
  }
}

TEST_CASE("an edit ends the refinement of a monitor's worker at once", "[osg][monitor]") {
  const RoundFits fits({0.05});
  const osg::ref_ptr<osg::Group> root = createScene(fits.scene);
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(root);
  monitor->setWhere(Where::onWorker);
  monitor->setOptions(fits.options());
  fits.refiner->isStuck = true;
  monitor->finish();
  const auto waitFor = [](const std::atomic<std::size_t>& count, std::size_t value) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (count < value) {
      REQUIRE(std::chrono::steady_clock::now() < end);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  waitFor(fits.refiner->asked, 1);
  monitor->dirty();
  monitor->finish();
  CHECK(fits.refiner->cancelled == 1);
  CHECK(monitor->getPairsOfTriangles() == 1);
  waitFor(fits.refiner->asked, 2);
  monitor = nullptr;
  CHECK(fits.refiner->cancelled == 2);
}

}  // namespace monitor_exact_shapes_tests
