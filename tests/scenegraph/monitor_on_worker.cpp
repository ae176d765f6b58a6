// Tests answers of a monitor whose scene is edited, not only moved, while the worker runs.
#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include <catch2/catch.hpp>
#include <osg/MatrixTransform>
#include <osg/observer_ptr>

#include <osgFitup/interference_monitor.h>
#include <osgFitup/scene_assembly.h>
#include <support/interference_checks.h>

#include "scene_checks.h"

namespace monitor_on_worker_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;
using fitup::test::difference;
using Where = InterferenceMonitor::Where;

namespace {

/// A part "wave" that is edited in each frame, and three parts that it meets to different extents. Its
/// position to the right identifies the frame of an answer.
struct Frames {
  osg::ref_ptr<osg::Group> root = new osg::Group;
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(root);
  osg::ref_ptr<osg::Geometry> shape;
  int frame = 0;
  unsigned int callback = 0;
  std::size_t answers = 0, wrong = 0;
  std::string order;  ///< what is wrong with the order of answers
  double lastX = -1;

  Frames() {
    for (int i = 0; i < 3; ++i)
      root->addChild(placed("still" + std::to_string(i), Transform::translation({0.6 * i, 0, 0}),
                            boxGeometry({0, 0, 0.3F}, 1)));
    putWave();
    monitor->setWhere(Where::onWorker);
    callback = monitor->addCallback([this](const InterferenceMonitor& m) { take(m); });
  }

  [[nodiscard]] float x() const { return static_cast<float>(frame) / 4096 - 0.5F; }
  void putWave() {
    shape = boxGeometry({x(), 0, 0}, 1);
    shape->setDataVariance(osg::Object::DYNAMIC);
    root->addChild(placed("wave", {}, shape));
  }
  void replaceWave() {
    root->removeChildren(root->getNumChildren() - 1, 1);
    putWave();
  }
  void deform() {
    auto& vertices = dynamic_cast<osg::Vec3Array&>(*shape->getVertexArray());
    const osg::ref_ptr<osg::Geometry> now = boxGeometry({x(), 0, 0}, 1);
    vertices = dynamic_cast<osg::Vec3Array&>(*now->getVertexArray());
    vertices.dirty();
  }

  /// Checks that an answer is right for the scene that it refers to.
  void take(const InterferenceMonitor& m) {
    ++answers;
    const SceneAssembly& scene = m.getSceneAssembly();
    if (!m.getError().empty()) {
      order += m.getError();
      return;
    }
    if (scene.instances.size() != 4) order += "other parts; ";
    for (const SceneInstance& instance : scene.instances) {
      if (instance.path.back()->getName() != "wave") continue;
      const auto& mesh = instance.part->getCollisionModel()->mesh();
      double now = 1e9;
      for (std::uint32_t i = 0; i < mesh.points().size(); ++i) now = std::min(now, mesh.pointInPart(i).x);
      if (now < lastX) order += "back; ";
      lastX = now;
    }
    wrong +=
        difference(m.getReport(), checkAllPairs(scene.scene, scene.poses, m.getOptions())).empty() ? 0 : 1;
  }

  /// Runs frames until there are this many additional answers, however slow the machine is.
  template <typename Edit>
  void run(std::size_t wanted, const Edit& edit) {
    using namespace std::chrono_literals;
    answers = 0;
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (answers < wanted && std::chrono::steady_clock::now() < end) {
      ++frame;
      edit();
      monitor->update();
      std::this_thread::sleep_for(4ms);
    }
    CHECK(answers >= wanted);
    CHECK(wrong == 0);
    CHECK(order == "");
  }
  void finish() {
    monitor->finish();
    CHECK(order == "");
    CHECK(wrong == 0);
    CHECK(difference(monitor->getReport(), fresh(*root, monitor->getOptions())) == "");
  }
};

}  // namespace

TEST_CASE("the worker answers while a part is deformed in every frame") {
  Frames frames;
  frames.run(10, [&] { frames.deform(); });
  frames.finish();
}

TEST_CASE("the worker answers while a part is replaced in every frame, and others move") {
  Frames frames;
  frames.run(10, [&] {
    frames.replaceWave();
    frames.root->getChild(0)->asTransform()->asMatrixTransform()->setMatrix(
        osg::Matrixd::translate(0, 0.0001 * frames.frame, 0));
  });
  frames.finish();
  // Nothing of earlier scenes is kept after the last one is answered.
  const osg::observer_ptr<osg::Node> last = frames.root->getChild(3);
  frames.root->removeChildren(3, 1);
  frames.monitor->removeCallback(frames.callback);
  frames.monitor->finish();
  CHECK(frames.monitor->getReport().pairs.size() == 2);
  CHECK_FALSE(last.valid());
}

TEST_CASE("answers to what was asked before sets or options were others are not given any more") {
  Frames frames;
  frames.run(3, [&] { frames.deform(); });
  frames.monitor->addFirst(frames.root->getChild(0));
  std::size_t others = 0;
  const auto id = frames.monitor->addCallback([&](const InterferenceMonitor& m) {
    for (const PairInterference& pair : m.getReport().pairs)
      others += m.getSceneAssembly().assembly().path(pair.a) == "still0" ? 0 : 1;
    frames.wrong = 0;  // not all pairs are requested
  });
  frames.run(5, [&] { frames.deform(); });
  CHECK(others == 0);
  frames.monitor->removeCallback(id);
  frames.monitor->clearSets();
  InterferenceOptions options;
  options.request.mode = QueryMode::allTrianglePairs;
  frames.monitor->setOptions(options);
  frames.run(5, [&] { frames.deform(); });
  frames.finish();
}

TEST_CASE("an error is not followed by what was asked before it") {
  Frames frames;
  // Vertices that can be drawn, but are too far away after placement.
  const osg::ref_ptr<osg::Geometry> shape = boxGeometry({}, 1e-20F);
  shape->setDataVariance(osg::Object::DYNAMIC);
  auto& vertices = dynamic_cast<osg::Vec3Array&>(*shape->getVertexArray());
  osg::ref_ptr<osg::MatrixTransform> larger = new osg::MatrixTransform(osg::Matrixd::scale(1e20, 1e20, 1e20));
  larger->addChild(shape);
  frames.root->removeChildren(3, 1);
  frames.root->addChild(placed("large", {}, larger));
  frames.finish();
  const osg::Vec3 before = vertices[0];
  vertices[0].x() *= 0.5F;
  vertices.dirty();
  CHECK_FALSE(frames.monitor->update());  // the worker has the question
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  vertices[0].x() = 1e15F;
  vertices.dirty();
  CHECK(frames.monitor->update());
  CHECK_FALSE(frames.monitor->getError().empty());
  frames.monitor->finish();
  CHECK_FALSE(frames.monitor->getError().empty());
  frames.order.clear();
  vertices[0] = before;
  vertices.dirty();
  CHECK_FALSE(frames.monitor->update());
  CHECK_FALSE(frames.monitor->getError().empty());
  frames.finish();
  CHECK(frames.monitor->getError().empty());
}

}  // namespace monitor_on_worker_tests
