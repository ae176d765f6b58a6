// fitup-bench-scene measures the cost of a monitor in an OpenSceneGraph application, without drawing.
//
//     fitup-bench-scene [--rounds N]                  the plant, its spool along its track
//     fitup-bench-scene --large TRIANGLES BUDGET_US   the hall, its spool in the aisle, with a time budget
#include <ctime>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <osgUtil/SceneView>
#include <osgUtil/UpdateVisitor>

#include <models/large_assembly.h>
#include <models/process_plant.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/highlight.h>
#include <osgFitup/interference_monitor.h>
#include <osgFitup/track_player.h>

namespace {

using osgFitup::InterferenceMonitor;
using Where = InterferenceMonitor::Where;
using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration d) { return std::chrono::duration<double, std::micro>(d).count(); }

/// Of the calling thread.
double cpuMicroseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

double sumOf(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

void print(const std::string& name, const std::vector<double>& values) {
  fmt::print("{:<44} {:>9.1f} {:>9.1f} {:>9.1f}  ({} values)\n", name, quantile(values, 0.5),
             quantile(values, 0.95), quantile(values, 1), values.size());
}

/// The frames of an application: a scene, an update traversal and a cull traversal, on request with a monitor
/// and a highlight.
struct Frames {
  osg::ref_ptr<osg::Group> root = new osg::Group;
  osg::ref_ptr<osg::Group> scene;
  osg::ref_ptr<osgFitup::TrackPlayer> player;
  osg::ref_ptr<osgUtil::SceneView> view = new osgUtil::SceneView;
  osg::ref_ptr<osgFitup::Highlight> highlight = new osgFitup::Highlight;
  osg::ref_ptr<InterferenceMonitor> monitor;

  Frames(const fitup::Assembly& assembly, const fitup::CollisionModels& models, const fitup::Track& track,
         Where where)
      : scene(osgFitup::createScene(fitup::Scene(assembly, models))),
        player(new osgFitup::TrackPlayer(*scene, track)),
        monitor(new InterferenceMonitor(scene)) {
    root->addChild(scene);
    view->setDefaults();
    view->setViewport(0, 0, 1280, 1024);
    const osg::BoundingSphere bound = scene->getBound();
    view->setProjectionMatrixAsPerspective(30, 1.25, 1, 1e6);
    view->setViewMatrixAsLookAt(bound.center() + osg::Vec3(-1.3F, -2.4F, 1.2F) * bound.radius(),
                                bound.center(), {0, 0, 1});
    view->setSceneData(root);
    view->init();
    monitor->setWhere(where);
    monitor->addCallback([this](const InterferenceMonitor& m) { highlight->showInterference(m); });
  }
  void watch(bool isWatched) {
    root->removeChild(highlight);
    scene->removeUpdateCallback(monitor->getUpdateCallback());
    if (!isWatched) return;
    root->addChild(highlight);
    scene->addUpdateCallback(monitor->getUpdateCallback());
  }
  struct Took {
    double cpu, wall;
  };
  Took frame(std::size_t step) {
    const double begin = cpuMicroseconds();
    const auto beginWall = Clock::now();
    player->setStep(step);
    view->getFrameStamp()->setFrameNumber(view->getFrameStamp()->getFrameNumber() + 1);
    view->update();
    view->cull();
    return {cpuMicroseconds() - begin, microseconds(Clock::now() - beginWall)};
  }
};

/// At 60 Hz it would be longer; by the end of it the worker has answered and sleeps.
constexpr std::chrono::milliseconds betweenFrames(1);

void plant(int rounds) {
  const fitup::Assembly assembly = fitup::models::makeProcessPlant();
  const fitup::CollisionModels models = fitup::buildCollisionModels(assembly);
  const fitup::Track track = fitup::models::makeSpoolTrack(assembly);
  fmt::print("microseconds, {:<31} {:>9} {:>9} {:>9}\n", "plant, all surfaces", "median", "p95", "most");

  for (const Where where : {Where::inUpdate, Where::onWorker}) {
    const auto scene = osgFitup::createScene(fitup::Scene(assembly, models));
    osg::ref_ptr<osgFitup::TrackPlayer> player = new osgFitup::TrackPlayer(*scene, track);
    osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(scene);
    monitor->setWhere(where);
    monitor->finish();
    std::vector<double> latency;
    for (int round = 0; round < rounds; ++round)
      for (std::size_t step = 0; step < track.steps.size(); ++step) {
        player->setStep(step);
        const auto begin = Clock::now();
        monitor->finish();
        latency.push_back(microseconds(Clock::now() - begin));
      }
    print(where == Where::inUpdate ? "placement to report, in the update"
                                   : "placement to report, on the worker",
          latency);
  }

  // The same frames without and with a monitor, interleaved, so that both meet the same disturbances. Each of
  // two equal scenes is watched every other round, because its place in memory alone changes the time by some
  // percent.
  for (const Where where : {Where::inUpdate, Where::onWorker}) {
    Frames frames[2] = {{assembly, models, track, where}, {assembly, models, track, where}};
    std::vector<double> without, with, withoutWall, withWall, answered, ratio;
    std::vector<double> ratioBefore(track.steps.size(), 0);
    for (int round = -2; round < 2 * rounds; ++round) {
      const bool watched = round % 2 != 0;
      for (const bool scene : {false, true}) frames[scene].watch(scene == watched);
      for (std::size_t step = 0; step < track.steps.size(); ++step) {
        // Each is first in turn, after a rest, as frames of an application are.
        Frames::Took took[2] = {};
        const bool first = (step + static_cast<std::size_t>(round + 2) / 2) % 2 == 1;
        for (const bool scene : {first, !first}) {
          std::this_thread::sleep_for(betweenFrames);
          took[scene] = frames[scene].frame(step);
        }
        if (round < 0) continue;  // caches
        without.push_back(took[!watched].cpu);
        with.push_back(took[watched].cpu);
        withoutWall.push_back(took[!watched].wall);
        withWall.push_back(took[watched].wall);
        answered.push_back(1000 * frames[watched].monitor->getMilliseconds());
        const double now = took[watched].cpu / took[!watched].cpu;
        if (watched) ratio.push_back(std::sqrt(now * ratioBefore[step]));
        ratioBefore[step] = now;
      }
    }
    fmt::print("monitor and highlight {}\n", where == Where::inUpdate ? "in the update" : "on the worker");
    print("  update and cull without, processor time", without);
    print("  with", with);
    print("  update and cull without, by the clock", withoutWall);
    print("  with", withWall);
    print("  update to answer, frame by frame", answered);
    fmt::print("  processor time: median of the ratios {:.3f}, ratio of the sums {:.3f}\n",
               quantile(ratio, 0.5), sumOf(with) / sumOf(without));
  }
}

void hall(std::size_t triangles, double budget) {
  fitup::models::LargeAssemblyOptions options;
  options.triangles = triangles;
  const fitup::Assembly assembly = fitup::models::makeLargeAssembly(options);
  const fitup::Track track = fitup::models::makeLargeTrack(assembly);
  fmt::print("building\n");
  const fitup::CollisionModels models = fitup::buildCollisionModels(assembly);
  const auto scene = osgFitup::createScene(fitup::Scene(assembly, models));
  osg::ref_ptr<osgFitup::TrackPlayer> player = new osgFitup::TrackPlayer(*scene, track);
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(scene);
  fitup::InterferenceOptions interference = monitor->getOptions();
  interference.request.limits.timeBudget = std::chrono::nanoseconds(static_cast<std::int64_t>(budget * 1000));
  monitor->setOptions(interference);
  auto begin = Clock::now();
  monitor->update();
  fmt::print("first update (assembly, boxes, then the budget): {:.0f} us, {} of {} pairs left\n",
             microseconds(Clock::now() - begin), monitor->getOpenPairs(), monitor->getReport().narrowPairs);
  std::vector<double> catchingUp, moving, resting;
  while (monitor->getOpenPairs() > 0) {
    begin = Clock::now();
    monitor->update();
    catchingUp.push_back(microseconds(Clock::now() - begin));
  }
  std::size_t truncated = 0;
  for (std::size_t step = 0; step < track.steps.size(); ++step) {
    player->setStep(step);
    begin = Clock::now();
    monitor->update();
    moving.push_back(microseconds(Clock::now() - begin));
    truncated += monitor->getReport().status == fitup::ReportStatus::truncated ? 1 : 0;
    begin = Clock::now();
    if (monitor->getOpenPairs() == 0) {
      monitor->update();
      resting.push_back(microseconds(Clock::now() - begin));
    }
  }
  fmt::print("microseconds, {:<31} {:>9} {:>9} {:>9}\n", fmt::format("hall of {} triangles", triangles),
             "median", "p95", "most");
  if (!catchingUp.empty()) print(fmt::format("budget {} us: updates until complete", budget), catchingUp);
  print(fmt::format("budget {} us: spool moved ({} cut short)", budget, truncated), moving);
  if (!resting.empty()) print("nothing moved", resting);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--large") == 0) {
    hall(static_cast<std::size_t>(std::atoll(argv[2])), std::atof(argv[3]));
    return 0;
  }
  if (argc == 3 && std::strcmp(argv[1], "--rounds") == 0) {
    plant(std::max(1, std::atoi(argv[2])));
    return 0;
  }
  if (argc == 1) {
    plant(20);
    return 0;
  }
  fmt::print(stderr, "usage: fitup-bench-scene [--rounds N | --large TRIANGLES BUDGET_US]\n");
  return 2;
}
