// Shows the boxes of one level of a part's hierarchy.
// Usage: osg_levels plant.fitup [--level N] [--hierarchy KIND] [--picture out.png]
#include <iostream>

#include <fitup/base/error.h>
#include <fitup/hierarchy/level_boxes.h>
#include <fitup/io/read_assembly.h>
#include <fitup_field/field_kinds.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/highlight.h>

#include "picture.h"

int main(int argc, char** argv) try {
  osg::ArgumentParser arguments(&argc, argv);
  std::string picture, hierarchy = "wide";
  unsigned int level = 3;
  arguments.read("--picture", picture);
  arguments.read("--level", level);
  arguments.read("--hierarchy", hierarchy);
  const auto kind = fitup::field::hierarchyKindFromName(hierarchy);
  if (!kind) {
    std::cerr << "osg_levels: '" << hierarchy << "' is none of " << fitup::field::hierarchyKindNames()
              << "\n";
    return 2;
  }
  if (arguments.argc() != 2) {
    std::cerr << "usage: osg_levels plant.fitup [--level N] [--hierarchy KIND] [--picture out.png]\n";
    return 2;
  }
  const fitup::Assembly plant = fitup::readAssembly(arguments[1]).assembly;
  fitup::Assembly alone("alone");
  alone.addNode("spool", {}, {},
                alone.addPart(plant.sharedPart(plant.partOf(plant.at("process-plant/piping/spool")))));
  const auto scene = osgFitup::createScene(fitup::Scene(alone));
  osgFitup::PartNode* spool = osgFitup::findPartNode(*scene, "spool");
  osg::NodePath path = spool->getParentalNodePaths(scene).front();

  // The models of a scene carry the hierarchy `wide`; others are built on request.
  fitup::BuildOptions options;
  options.add(*kind);
  const auto model = fitup::CollisionModel::with(spool->getCollisionModel(), options);
  const std::vector<fitup::LevelBox> boxes = levelBoxes(*model, *kind, level);
  std::cout << boxes.size() << " boxes on level " << level << " of " << levelCount(*model, *kind) << "\n";
  osg::ref_ptr<osgFitup::Highlight> highlight = new osgFitup::Highlight;
  highlight->showBoxes(path, boxes, {.colour = {0.1F, 0.8F, 1, 1}, .lineWidth = 1});
  osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(scene);
  root->addChild(highlight);
  osgViewer::Viewer viewer(arguments);
  return runOrSave(viewer, root, {-1.3F, -2.6F, 1.6F}, picture);
} catch (const fitup::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
