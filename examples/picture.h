#pragma once

#include <string>

#include <osgDB/WriteFile>
#include <osgViewer/Viewer>

/// Runs the viewer. If a picture file is named, draws a few frames and saves the last one instead. Returns
/// the exit code for main.
inline int runOrSave(osgViewer::Viewer& viewer, osg::Node* scene, const osg::Vec3& seenFrom,
                     const std::string& picture) {
  viewer.setSceneData(scene);
  if (picture.empty()) return viewer.run();
  viewer.setUpViewInWindow(0, 0, 1024, 768);
  const osg::BoundingSphere bound = scene->getBound();
  viewer.getCamera()->setViewMatrixAsLookAt(bound.center() + seenFrom * bound.radius(), bound.center(),
                                            {0, 0, 1});
  osg::ref_ptr<osg::Image> image = new osg::Image;
  viewer.getCamera()->attach(osg::Camera::COLOR_BUFFER, image);
  for (int i = 0; i < 3; ++i) viewer.frame();
  return osgDB::writeImageFile(*image, picture) ? 0 : 1;
}
