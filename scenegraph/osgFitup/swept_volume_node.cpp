#include <osgFitup/swept_volume_node.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <osg/MatrixTransform>

#include <fitup/base/error.h>
#include <osgFitup/conversions.h>
#include <osgFitup/detail/drawing_traversal.h>
#include <osgFitup/detail/translucent_state.h>

namespace osgFitup {
namespace {

osg::ref_ptr<osg::Geometry> bareGeometry() {
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setUseDisplayList(false);
  geometry->setUseVertexBufferObjects(true);
  return geometry;
}

/// Normals are smooth all over: the surface follows cells, and its edges are those of the cells.
osg::ref_ptr<osg::Geometry> smoothGeometry(const fitup::TriangleMesh& mesh) {
  osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX),
                               normals = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  for (const fitup::Point3f& p : mesh.points()) points->push_back({p.x, p.y, p.z});
  normals->resize(points->size());
  osg::ref_ptr<osg::DrawElementsUInt> corners = new osg::DrawElementsUInt(osg::PrimitiveSet::TRIANGLES);
  corners->reserve(3 * mesh.triangleCount());
  for (const auto& triangle : mesh.triangles()) {
    const osg::Vec3 a = (*points)[triangle[0]], b = (*points)[triangle[1]], c = (*points)[triangle[2]];
    const osg::Vec3 normal = (b - a) ^ (c - a);  // larger triangles count more
    for (const std::uint32_t corner : triangle) {
      (*normals)[corner] += normal;
      corners->push_back(corner);
    }
  }
  for (osg::Vec3& normal : *normals) normal.normalize();
  osg::ref_ptr<osg::Geometry> geometry = bareGeometry();
  geometry->setVertexArray(points);
  geometry->setNormalArray(normals);
  geometry->addPrimitiveSet(corners);
  return geometry;
}

/// The colours of the points by the mean time of their triangles.
osg::ref_ptr<osg::Vec4Array> coloursByTime(const fitup::SweptVolume& swept, const osg::Vec4& first,
                                           const osg::Vec4& last) {
  const auto triangles = swept.outer->triangles();
  std::vector<double> sums(swept.outer->points().size());
  std::vector<std::size_t> counts(sums.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const std::uint32_t corner : triangles[t]) {
      sums[corner] += swept.times[t];
      ++counts[corner];
    }
  const auto [least, most] = std::minmax_element(swept.times.begin(), swept.times.end());
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array(osg::Array::BIND_PER_VERTEX);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const bool isUsed = counts[i] > 0 && *most > *least;
    const double share = isUsed ? (sums[i] / static_cast<double>(counts[i]) - *least) / (*most - *least) : 0;
    colours->push_back(first + (last - first) * static_cast<float>(share));
  }
  return colours;
}

}  // namespace

SweptVolumeNode::SweptVolumeNode() { setName("swept volume"); }

SweptVolumeNode::SweptVolumeNode(fitup::SweptVolume swept, const SweptVolumeStyle& style) : style_(style) {
  setName("swept volume");
  setSweptVolume(std::move(swept));
}

SweptVolumeNode::SweptVolumeNode(const SweptVolumeNode& other, const osg::CopyOp& copyop)
    : osg::Group(other, osg::CopyOp(copyop.getCopyFlags() & ~osg::CopyOp::DEEP_COPY_NODES)),
      swept_(other.swept_),
      style_(other.style_),
      lit_(other.lit_) {
  build();
}

void SweptVolumeNode::setSweptVolume(fitup::SweptVolume swept) {
  if (swept.outer && (swept.patches.size() != swept.outer->surfaces().size() ||
                      swept.times.size() != swept.outer->triangleCount()))
    throw fitup::InputError("SweptVolumeNode::setSweptVolume", "swept",
                            "has patches or times that are not those of its surface");
  swept_ = std::make_shared<const fitup::SweptVolume>(std::move(swept));
  lit_.reset();
  build();
}

void SweptVolumeNode::build() {
  removeChildren(0, getNumChildren());
  faces_ = litFaces_ = nullptr;
  if (!swept_ || !swept_->outer) return;
  faces_ = smoothGeometry(*swept_->outer);
  litFaces_ = bareGeometry();
  litFaces_->setVertexArray(faces_->getVertexArray());
  litFaces_->setNormalArray(faces_->getNormalArray());
  litFaces_->setDataVariance(osg::Object::DYNAMIC);  // other patches are lit while frames are drawn
  osg::ref_ptr<osg::MatrixTransform> placed =
      new osg::MatrixTransform(osg::Matrixd::translate(toVec3d(swept_->outer->origin())));
  placed->addChild(faces_);
  placed->addChild(litFaces_);
  addChild(placed);
  applyStyle();
  setLitPatch(lit_);
}

void SweptVolumeNode::setStyle(const SweptVolumeStyle& style) {
  style_ = style;
  applyStyle();
}

void SweptVolumeNode::applyStyle() {
  if (!faces_) return;
  faces_->setColorArray(style_.lastColour ? coloursByTime(*swept_, style_.colour, *style_.lastColour).get()
                                          : nullptr);
  // The surface is closed: the faces in front are enough, and what is inside stays clear.
  faces_->setStateSet(detail::translucentState(
      style_.colour, true, style_.lastColour ? detail::ColourSource::vertices : detail::ColourSource::look));
  osg::ref_ptr<osg::StateSet> lit = detail::translucentState(style_.litColour, true);
  lit->setBinNumber(lit->getBinNumber() + 1);  // over the other faces
  litFaces_->setStateSet(lit);
}

std::optional<SweptHit> SweptVolumeNode::getHit(const osg::Drawable* drawable,
                                                unsigned int primitiveIndex) const {
  if (drawable == nullptr || (drawable != faces_.get() && drawable != litFaces_.get())) return std::nullopt;
  const bool isLit = drawable == litFaces_.get();  // it draws the triangles of one patch only
  if (isLit && !lit_) return std::nullopt;
  const std::uint32_t first = isLit ? swept_->outer->surfaces()[index(*lit_)].firstTriangle : 0;
  const fitup::TriangleId triangle{first + primitiveIndex};
  if (index(triangle) >= swept_->times.size()) return std::nullopt;
  const fitup::SurfaceId surface = swept_->outer->surfaceOf(triangle);
  return SweptHit{triangle, surface, swept_->patches[index(surface)],
                  swept_->outer->surfaces()[index(surface)].name, swept_->times[index(triangle)]};
}

void SweptVolumeNode::setLitPatch(std::optional<fitup::SurfaceId> surface) {
  if (surface && (!swept_ || index(*surface) >= swept_->patches.size()))
    throw fitup::InputError("SweptVolumeNode::setLitPatch", "patch " + std::to_string(index(*surface)),
                            "does not exist");
  lit_ = surface;
  if (!litFaces_) return;
  litFaces_->removePrimitiveSet(0, litFaces_->getNumPrimitiveSets());
  if (!lit_) return;
  const fitup::Surface& range = swept_->outer->surfaces()[index(*lit_)];
  osg::ref_ptr<osg::DrawElementsUInt> corners = new osg::DrawElementsUInt(osg::PrimitiveSet::TRIANGLES);
  for (std::uint32_t i = 0; i < range.triangleCount; ++i)
    for (const std::uint32_t corner : swept_->outer->triangles()[range.firstTriangle + i])
      corners->push_back(corner);
  litFaces_->addPrimitiveSet(corners);
}

void SweptVolumeNode::traverse(osg::NodeVisitor& visitor) {
  if (detail::isDrawingTraversal(visitor) ||
      visitor.getVisitorType() == osg::NodeVisitor::INTERSECTION_VISITOR)
    osg::Group::traverse(visitor);
}

}  // namespace osgFitup
