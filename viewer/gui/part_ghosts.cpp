#include <viewer/gui/part_ghosts.h>

#include <osg/MatrixTransform>

#include <osgFitup/conversions.h>
#include <viewer/gui/part_looks.h>

namespace fitup::viewer {

PartGhosts::PartGhosts() : root_(new osg::Group) {
  // As the scene of the parts, whose placements may scale.
  root_->getOrCreateStateSet()->setMode(GL_NORMALIZE, osg::StateAttribute::ON);
}

void PartGhosts::clear() { root_->removeChildren(0, root_->getNumChildren()); }

void PartGhosts::add(const Transform& worldFromPart, const Vec3& origin, const PartDrawing& drawing,
                     const osg::Vec4& colour, float pixelRatio) {
  osg::ref_ptr<osg::MatrixTransform> placed =
      new osg::MatrixTransform(osgFitup::toMatrix(worldFromPart * Transform::translation(origin)));
  osg::ref_ptr<osg::Group> faces = new osg::Group;
  faces->setStateSet(makeLook(colour));
  faces->addChild(drawing.levels.front().faces);
  if (drawing.clear) faces->addChild(drawing.clear);
  placed->addChild(faces);
  if (drawing.edges) {
    osg::ref_ptr<osg::Group> edges = new osg::Group;
    const float darker = 0.6F;
    edges->setStateSet(
        edgeLook({colour.r() * darker, colour.g() * darker, colour.b() * darker, 1}, pixelRatio));
    edges->addChild(drawing.edges);
    placed->addChild(edges);
  }
  root_->addChild(placed);
}

}  // namespace fitup::viewer
