// What plans add to the picture of the model: ghosts of parts, what is in their way, swept volumes.
#include <viewer/gui/scene_presenter.h>

#include <osg/CullFace>
#include <osg/Geode>
#include <osg/MatrixTransform>

#include <osgFitup/conversions.h>
#include <viewer/gui/part_looks.h>

namespace fitup::viewer {
namespace {

const osgFitup::HighlightStyle blockingStyle{{0.95F, 0.30F, 0.05F, 0.65F}, true};
const osg::Vec4 sweptColour{0.58F, 0.46F, 1.0F, 0.42F};

/// Draws a mesh with normals that are smooth all over it, relative to the mesh's origin.
osg::ref_ptr<osg::Geometry> smoothGeometryOf(const TriangleMesh& mesh) {
  osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX),
                               normals = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  for (const Point3f& p : mesh.points()) points->push_back({p.x, p.y, p.z});
  normals->resize(points->size());
  osg::ref_ptr<osg::DrawElementsUInt> corners = new osg::DrawElementsUInt(osg::PrimitiveSet::TRIANGLES);
  corners->reserve(3 * mesh.triangleCount());
  for (std::uint32_t t = 0; t < mesh.triangleCount(); ++t) {
    const auto& triangle = mesh.triangles()[t];
    const osg::Vec3 a = (*points)[triangle[0]], b = (*points)[triangle[1]], c = (*points)[triangle[2]];
    const osg::Vec3 normal = (b - a) ^ (c - a);  // larger triangles count more
    for (const std::uint32_t corner : triangle) {
      (*normals)[corner] += normal;
      corners->push_back(corner);
    }
  }
  for (osg::Vec3& normal : *normals) normal.normalize();
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setUseDisplayList(false);
  geometry->setUseVertexBufferObjects(true);
  geometry->setVertexArray(points);
  geometry->setNormalArray(normals);
  geometry->addPrimitiveSet(corners);
  return geometry;
}

}  // namespace

void ScenePresenter::addPlans() {
  swept_ = new osg::Group;
  root_->addChild(ghosts_.node());
  root_->addChild(swept_);
}

void ScenePresenter::clearPlans() {
  shownGhosts_.clear();
  ghosts_.clear();
  blocking_.clear();
  showSwept(nullptr);
}

void ScenePresenter::showGhosts(std::span<const DrawnGhost> ghosts) {
  shownGhosts_.assign(ghosts.begin(), ghosts.end());
  drawGhosts();
}

void ScenePresenter::drawGhosts() {
  ghosts_.clear();
  for (const DrawnGhost& ghost : shownGhosts_)
    for (const auto& [node, world] : ghost.at)
      ghosts_.add(world, session_->assembly().meshOf(node).origin(), shown_.at(node).drawn->drawing(),
                  ghost.colour, pixelRatio_);
}

void ScenePresenter::showBlocking(std::span<const std::pair<NodeId, SurfaceId>> faces) {
  for (const auto id : blocking_) highlight_->hide(id);
  blocking_.clear();
  for (const auto& [node, surface] : faces)
    if (!looks_.hidden.contains(node))
      blocking_.push_back(showSurface(*highlight_, paths_.at(node), surface, blockingStyle));
}

void ScenePresenter::showSwept(const TriangleMesh* surface) {
  swept_->removeChildren(0, swept_->getNumChildren());
  if (surface == nullptr) return;
  osg::ref_ptr<osg::StateSet> look = makeLook(sweptColour);
  // Of a closed surface, the faces in front are enough, and what is inside stays clear.
  look->setAttributeAndModes(new osg::CullFace(osg::CullFace::BACK));
  osg::ref_ptr<osg::MatrixTransform> placed =
      new osg::MatrixTransform(osgFitup::toMatrix(Transform::translation(surface->origin())));
  placed->setStateSet(look);
  placed->addChild(smoothGeometryOf(*surface));
  swept_->addChild(placed);
}

}  // namespace fitup::viewer
