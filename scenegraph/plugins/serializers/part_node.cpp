#include <osgFitup/conversions.h>
#include <osgFitup/part_node.h>
#include <osgDB/InputStream>
#include <osgDB/ObjectWrapper>
#include <osgDB/OutputStream>

#include <fitup/base/error.h>

namespace {

using osgFitup::PartNode;

bool checkInstancePath(const PartNode& node) { return !node.getInstancePath().empty(); }
bool writeInstancePath(osgDB::OutputStream& os, const PartNode& node) {
  os.writeWrappedString(node.getInstancePath());
  os << std::endl;
  return true;
}
bool readInstancePath(osgDB::InputStream& is, PartNode& node) {
  std::string path;
  is.readWrappedString(path);
  node.setInstancePath(std::move(path));
  return true;
}

bool checkDesignPlacement(const PartNode&) { return true; }
bool writeDesignPlacement(osgDB::OutputStream& os, const PartNode& node) {
  os << osgFitup::toMatrix(node.getDesignPlacement()) << std::endl;
  return true;
}
bool readDesignPlacement(osgDB::InputStream& is, PartNode& node) {
  osg::Matrixd matrix;
  is >> matrix;
  try {
    node.setDesignPlacement(osgFitup::toTransform(matrix));
    return true;
  } catch (const fitup::Error& error) {
    is.throwException(std::string("osgFitup::PartNode: design placement: ") + error.what());
    return false;
  }
}

}  // namespace

REGISTER_OBJECT_WRAPPER(
    osgFitup_PartNode, new osgFitup::PartNode, osgFitup::PartNode,
    "osg::Object osg::Node osg::Group osg::Transform osg::MatrixTransform osgFitup::PartNode") {
  ADD_OBJECT_SERIALIZER(PartModel, osgFitup::PartModel, NULL);
  ADD_USER_SERIALIZER(InstancePath);
  ADD_USER_SERIALIZER(DesignPlacement);
}
