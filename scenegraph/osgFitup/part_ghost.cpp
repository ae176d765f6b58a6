#include <osgFitup/part_ghost.h>

#include <map>
#include <utility>
#include <vector>

#include <osgFitup/conversions.h>
#include <osgFitup/detail/drawing_traversal.h>
#include <osgFitup/detail/overlay_geometry.h>
#include <osgFitup/detail/translucent_state.h>

namespace osgFitup {
namespace {

osg::ref_ptr<osg::Geometry> geometryOfAll(const fitup::TriangleMesh& mesh) {
  std::vector<fitup::TriangleId> all;
  all.reserve(mesh.triangleCount());
  for (std::uint32_t t = 0; t < mesh.triangleCount(); ++t) all.push_back(fitup::TriangleId{t});
  return detail::triangleGeometry(mesh, all);
}

}  // namespace

PartGhost::PartGhost() {
  setName("ghost");
  setDataVariance(osg::Object::DYNAMIC);
  setCullingActive(false);  // it has no bound
  setStateSet(detail::translucentState(colour_, false));
}

PartGhost::PartGhost(const PartGhost& other, const osg::CopyOp& copyop)
    : osg::MatrixTransform(other, copyop), motion_(other.motion_), colour_(other.colour_) {}

void PartGhost::show(const SceneAssembly& scene, std::span<const fitup::NodeId> instances) {
  std::map<const fitup::TriangleMesh*, osg::ref_ptr<osg::Geometry>> drawn;
  std::vector<osg::ref_ptr<osg::MatrixTransform>> copies;
  for (const fitup::NodeId instance : instances) {
    const fitup::TriangleMesh& mesh = scene.at(instance).part->getCollisionModel()->mesh();
    osg::ref_ptr<osg::Geometry>& geometry = drawn[&mesh];
    if (!geometry) geometry = geometryOfAll(mesh);
    const fitup::Transform world =
        scene.worldFromPart(instance) * fitup::Transform::translation(mesh.origin());
    copies.push_back(new osg::MatrixTransform(toMatrix(world)));
    copies.back()->addChild(geometry);
  }
  clear();
  setMotion({});
  for (const auto& copy : copies) addChild(copy);
}

void PartGhost::clear() { removeChildren(0, getNumChildren()); }

void PartGhost::setMotion(const fitup::RigidMotion& motion) {
  motion_ = motion;
  setMatrix(toMatrix(motion.transform()));
}

void PartGhost::setColour(const osg::Vec4& colour) {
  colour_ = colour;
  setStateSet(detail::translucentState(colour_, false));
}

void PartGhost::traverse(osg::NodeVisitor& visitor) {
  if (detail::isDrawingTraversal(visitor)) osg::MatrixTransform::traverse(visitor);
}

}  // namespace osgFitup
