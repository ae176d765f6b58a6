// Saves a picture of where the parts of a model interfere, without a window: osg_offscreen out.png MODEL
#include <iostream>

#include <fitup/base/error.h>
#include <fitup/io/read_assembly.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/highlight.h>
#include <osgFitup/interference_visitor.h>
#include <osgDB/WriteFile>
#include <osgViewer/Viewer>

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: osg_offscreen out.png MODEL\n";
    return 2;
  }
  const auto scene = osgFitup::createScene(fitup::sceneOf(fitup::readAssembly(argv[2])));
  osg::ref_ptr<osgFitup::InterferenceVisitor> visitor = new osgFitup::InterferenceVisitor;
  scene->accept(*visitor);
  std::cout << visitor->getReport().pairs.size() << " pairs of instances intersect\n";
  osg::ref_ptr<osgFitup::Highlight> highlight = new osgFitup::Highlight;
  highlight->showRegions(visitor->getSceneAssembly(), visitor->getReport(), {.colour = {1, 0, 1, 1}});
  osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(scene);
  root->addChild(highlight);

  osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
  traits->readDISPLAY();
  traits->width = 1280;
  traits->height = 960;
  traits->pbuffer = true;
  osg::ref_ptr<osg::GraphicsContext> context = osg::GraphicsContext::createGraphicsContext(traits);
  if (!context.valid()) {
    std::cerr << "no display that draws into memory\n";
    return 1;
  }
  osgViewer::Viewer viewer;
  viewer.setThreadingModel(osgViewer::Viewer::SingleThreaded);
  osg::Camera& camera = *viewer.getCamera();
  camera.setGraphicsContext(context);
  camera.setViewport(0, 0, traits->width, traits->height);
  camera.setDrawBuffer(GL_FRONT);
  camera.setReadBuffer(GL_FRONT);
  camera.setClearColor({1, 1, 1, 1});
  camera.setProjectionMatrixAsPerspective(30, 4.0 / 3, 1, 1000);
  const osg::Vec3 centre = scene->getBound().center();
  camera.setViewMatrixAsLookAt(centre + osg::Vec3(-1.3F, -2.6F, 1.6F) * scene->getBound().radius(), centre,
                               {0, 0, 1});
  osg::ref_ptr<osg::Image> image = new osg::Image;
  camera.attach(osg::Camera::COLOR_BUFFER, image);
  viewer.setSceneData(root);
  for (int i = 0; i < 2; ++i) viewer.frame();
  return osgDB::writeImageFile(*image, argv[1]) ? 0 : 1;
} catch (const fitup::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
