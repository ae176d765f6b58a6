// Replays a recorded motion and shows what the moved part hits.
// Usage: osg_replay MODEL TRACK [--step N --picture out.png]
#include <iostream>

#include <fitup/base/error.h>
#include <fitup/io/read_assembly.h>
#include <fitup/io/track_file.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/highlight.h>
#include <osgFitup/interference_monitor.h>
#include <osgFitup/track_player.h>

#include "picture.h"

int main(int argc, char** argv) try {
  osg::ArgumentParser arguments(&argc, argv);
  std::string picture;
  int step = -1;
  arguments.read("--picture", picture);
  arguments.read("--step", step);
  if (arguments.argc() != 3) {
    std::cerr << "usage: osg_replay MODEL TRACK [--step N --picture out.png]\n";
    return 2;
  }
  const auto scene = osgFitup::createScene(fitup::sceneOf(fitup::readAssembly(arguments[1])));
  const fitup::Track track = fitup::readTrack(arguments[2]);
  osg::ref_ptr<osgFitup::TrackPlayer> player = new osgFitup::TrackPlayer(*scene, track);

  const osgFitup::HighlightStyle lines{.colour = {1, 1, 0, 1}, .inFront = true, .lineWidth = 3};
  osg::ref_ptr<osgFitup::Highlight> highlight = new osgFitup::Highlight;
  osg::ref_ptr<osgFitup::InterferenceMonitor> monitor = new osgFitup::InterferenceMonitor(scene);
  fitup::InterferenceOptions options;  // all pairs of triangles, because their lines are shown
  monitor->setOptions(options);
  monitor->addFirst(osgFitup::findPartNode(*scene, "process-plant/piping/spool"));
  monitor->addCallback([&](const auto& m) {
    highlight->showInterference(m, {.colour = {1, 0, 1, 1}}, lines);
    for (const auto& pair : m.getReport().pairs)
      std::cout << m.getSceneAssembly().assembly().path(pair.b) << ": " << pair.report.surfacePairs.size()
                << " pairs of surfaces\n";
  });

  /// Shows the next step in each frame, or stays at one step.
  struct Play : osg::NodeCallback {
    osgFitup::TrackPlayer* player = nullptr;
    osgFitup::InterferenceMonitor* monitor = nullptr;
    int only = -1;
    void operator()(osg::Node* node, osg::NodeVisitor* visitor) override {
      const std::size_t frame = visitor->getFrameStamp()->getFrameNumber();
      player->setStep(only >= 0 ? static_cast<std::size_t>(only) : frame % player->getNumSteps());
      monitor->update();
      traverse(node, visitor);
    }
  };
  osg::ref_ptr<Play> play = new Play;
  play->player = player;
  play->monitor = monitor;
  play->only = step;
  osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(scene);
  root->addChild(highlight);
  root->addUpdateCallback(play);
  osgViewer::Viewer viewer(arguments);
  return runOrSave(viewer, root, {-1.1F, -1.9F, 1.1F}, picture);
} catch (const fitup::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
