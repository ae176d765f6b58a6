// Shows where the parts of any scene interfere, in an osgViewer: osg_viewer FILE [--picture out.png]
#include <iostream>

#include <osgFitup/interference_visitor.h>
#include <osgDB/ReadFile>
#include <osgDB/WriteFile>
#include <osgViewer/Viewer>

int main(int argc, char** argv) {
  osg::ArgumentParser arguments(&argc, argv);
  std::string picture;
  const bool takePicture = arguments.read("--picture", picture);
  osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(osgDB::readRefNodeFiles(arguments));
  osg::ref_ptr<osgFitup::InterferenceVisitor> visitor = new osgFitup::InterferenceVisitor;
  root->accept(*visitor);
  std::cout << visitor->getInterferences().size() << " pairs of primitives intersect\n";
  osg::ref_ptr<osg::Geometry> lines = new osg::Geometry;
  osg::ref_ptr<osg::Vec3Array> ends = new osg::Vec3Array;
  for (const osgFitup::Interference& hit : visitor->getInterferences())
    for (const auto i : {std::size_t{0}, hit.getNumPoints() - 1})
      ends->push_back(hit.getWorldIntersectPoint(i));
  lines->setVertexArray(ends);
  lines->addPrimitiveSet(new osg::DrawArrays(GL_LINES, 0, static_cast<int>(ends->size())));
  for (const GLenum mode : {GL_LIGHTING, GL_DEPTH_TEST})
    lines->getOrCreateStateSet()->setMode(mode, osg::StateAttribute::OFF);
  root->addChild(lines);
  osgViewer::Viewer viewer(arguments);
  viewer.setSceneData(root);
  if (!takePicture) return viewer.run();
  viewer.setUpViewInWindow(0, 0, 1024, 768);
  const osg::Vec3 centre = root->getBound().center(),
                  away = osg::Vec3(-1.3F, -2.6F, 1.6F) * root->getBound().radius();
  viewer.getCamera()->setViewMatrixAsLookAt(centre + away, centre, {0, 0, 1});
  osg::ref_ptr<osg::Image> image = new osg::Image;
  viewer.getCamera()->attach(osg::Camera::COLOR_BUFFER, image);
  for (int i = 0; i < 3; ++i) viewer.frame();
  return osgDB::writeImageFile(*image, picture) ? 0 : 1;
}
