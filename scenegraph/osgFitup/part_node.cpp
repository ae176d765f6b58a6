#include <osgFitup/part_node.h>

#include <osgFitup/conversions.h>

namespace osgFitup {

SurfaceGeometry::SurfaceGeometry(fitup::SurfaceId surface) : surface_(surface) {
  setUserData(new osg::Referenced);
}

PartNode::PartNode() { setDataVariance(osg::Object::DYNAMIC); }

PartNode::PartNode(PartModel* model, const fitup::Transform& designPlacement)
    : osg::MatrixTransform(toMatrix(designPlacement)), model_(model), designPlacement_(designPlacement) {
  setDataVariance(osg::Object::DYNAMIC);
}

PartNode::PartNode(const PartNode& other, const osg::CopyOp& copyop)
    : osg::MatrixTransform(other, copyop),
      model_(other.model_),
      designPlacement_(other.designPlacement_),
      instancePath_(other.instancePath_) {}

std::shared_ptr<const fitup::CollisionModel> PartNode::getCollisionModel() const {
  return model_.valid() ? model_->getCollisionModel() : nullptr;
}

void PartNode::resetPlacement() { setPlacement(designPlacement_); }

fitup::Transform PartNode::getPlacement() const { return toTransform(getMatrix()); }

void PartNode::setPlacement(const fitup::Transform& parentFromPart) { setMatrix(toMatrix(parentFromPart)); }

osg::Drawable* PartNode::getSurfaceDrawable(fitup::SurfaceId surface) {
  return model_.valid() ? model_->drawableOf(*this, surface) : nullptr;
}

}  // namespace osgFitup
