#include <osgFitup/part_node.h>
#include <osgDB/InputStream>
#include <osgDB/ObjectWrapper>
#include <osgDB/OutputStream>

namespace {

using osgFitup::SurfaceGeometry;

bool checkSurface(const SurfaceGeometry&) { return true; }
bool writeSurface(osgDB::OutputStream& os, const SurfaceGeometry& geometry) {
  os << static_cast<unsigned int>(geometry.getSurface()) << std::endl;
  return true;
}
bool readSurface(osgDB::InputStream& is, SurfaceGeometry& geometry) {
  unsigned int surface = 0;
  is >> surface;
  geometry.setSurface(fitup::SurfaceId{surface});
  // Reading user data may remove the empty object that keeps osgUtil::Optimizer from merging the
  // geometry.
  if (geometry.getUserData() == nullptr) geometry.setUserData(new osg::Referenced);
  return true;
}

}  // namespace

REGISTER_OBJECT_WRAPPER(osgFitup_SurfaceGeometry, new osgFitup::SurfaceGeometry, osgFitup::SurfaceGeometry,
                        "osg::Object osg::Node osg::Drawable osg::Geometry osgFitup::SurfaceGeometry") {
  ADD_USER_SERIALIZER(Surface);
}
