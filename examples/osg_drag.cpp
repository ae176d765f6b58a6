// Drags a part until contact stops it, and highlights what it touches.
// Usage: osg_drag plant.fitup [--picture out.png]
#include <iostream>

#include <fitup/base/error.h>
#include <fitup/io/read_assembly.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/highlight.h>
#include <osgFitup/part_dragger.h>
#include <osgManipulator/Command>
#include <osgManipulator/TranslateAxisDragger>

#include "picture.h"

int main(int argc, char** argv) try {
  osg::ArgumentParser arguments(&argc, argv);
  std::string picture;
  arguments.read("--picture", picture);
  if (arguments.argc() != 2) {
    std::cerr << "usage: osg_drag plant.fitup [--picture out.png]\n";
    return 2;
  }
  const auto scene = osgFitup::createScene(fitup::sceneOf(fitup::readAssembly(arguments[1])));
  osgFitup::PartNode* spool = osgFitup::findPartNode(*scene, "process-plant/piping/spool");
  spool->setPlacement(fitup::Transform::translation({0, 0, 1500}) * spool->getDesignPlacement());

  osg::ref_ptr<osgFitup::Highlight> highlight = new osgFitup::Highlight;
  osg::ref_ptr<osgFitup::InterferenceMonitor> monitor = new osgFitup::InterferenceMonitor(scene);
  monitor->addFirst(spool);
  monitor->addCallback([&](const auto& m) { highlight->showInterference(m, {.colour = {1, 0, 1, 1}}); });
  scene->addUpdateCallback(monitor->getUpdateCallback());

  osg::ref_ptr<osgManipulator::TranslateAxisDragger> dragger = new osgManipulator::TranslateAxisDragger;
  dragger->setupDefaultGeometry();
  dragger->setHandleEvents(true);
  const osg::Vec3d grip = osg::Vec3d(spool->getBound().center()) + osg::Vec3d(0, 0, 400);
  dragger->setMatrix(osg::Matrixd::scale(500, 500, 500) * osg::Matrixd::translate(grip));
  osg::ref_ptr<osgFitup::PartDragger> drag =
      new osgFitup::PartDragger(dragger, scene, std::vector<osg::Node*>{spool});
  drag->setMode(osgFitup::DragMode::stopAtContact);
  drag->setOptions({.tolerance = 0.5});
  drag->setMonitor(monitor);
  dragger->addDraggerCallback(drag);

  osg::ref_ptr<osg::Group> root = new osg::Group;
  for (osg::Node* node :
       {static_cast<osg::Node*>(scene), static_cast<osg::Node*>(highlight), static_cast<osg::Node*>(dragger)})
    root->addChild(node);
  if (!picture.empty()) {  // imitates a drag by hand
    osg::ref_ptr<osgManipulator::TranslateInLineCommand> hand =
        new osgManipulator::TranslateInLineCommand({0, 0, 0}, {0, 0, -1});
    for (int i = 0; i <= 30; ++i) {
      hand->setStage(i == 0 ? osgManipulator::MotionCommand::START : osgManipulator::MotionCommand::MOVE);
      hand->setTranslation({0, 0, -50.0 * i});
      dragger->dispatch(*hand);
    }
    while (drag->proceed()) {  // in a window, every frame does this
    }
    if (drag->getStop())
      std::cout << "stopped by " << drag->getSceneAssembly().assembly().path(drag->getStop()->b) << "\n";
  }
  osgViewer::Viewer viewer(arguments);
  return runOrSave(viewer, root, {-1.1F, -1.9F, 1.1F}, picture);
} catch (const fitup::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
