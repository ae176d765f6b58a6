#include <osgFitup/osgFitup.h>

osg::ref_ptr<osg::Group> scene(const fitup::Assembly& assembly) {
  return osgFitup::createScene(fitup::Scene(assembly));
}
