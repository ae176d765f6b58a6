#include <osgManipulator/TranslateAxisDragger>

#include <osgFitup/part_dragger.h>

int main() {
  const osg::ref_ptr<osgManipulator::Dragger> dragger = new osgManipulator::TranslateAxisDragger;
  dragger->setupDefaultGeometry();
  return dragger->getNumChildren() == 0;
}
