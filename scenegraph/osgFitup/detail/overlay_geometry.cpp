#include <osgFitup/detail/overlay_geometry.h>

#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include <osg/NodeVisitor>
#include <osg/observer_ptr>

#include <osgFitup/conversions.h>
#include <osgFitup/detail/drawable_triangles.h>
#include <osgFitup/smooth_triangles.h>

namespace osgFitup::detail {
namespace {

using fitup::Vec3;

osg::Vec3 toFloats(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

osg::ref_ptr<osg::Geometry> emptyGeometry() {
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setUseDisplayList(false);
  geometry->setUseVertexBufferObjects(true);
  return geometry;
}

/// Copies references to the current data of the original; arrays and sets are compared by address.
void share(const osg::Geometry& from, osg::Geometry& to) {
  auto* vertices = const_cast<osg::Array*>(vertexArrayOf(from));
  // The original draws an attribute only if it is bound to vertices; as vertex array it would be bound here.
  if (vertices != from.getVertexArray() && vertices->getBinding() != osg::Array::BIND_PER_VERTEX)
    vertices = nullptr;
  auto* normals = const_cast<osg::Array*>(from.getNormalArray());
  if (to.getVertexArray() != vertices) {
    to.setVertexArray(vertices);
    to.dirtyBound();
  }
  if (to.getNormalArray() != normals) to.setNormalArray(normals);
  if (to.getPrimitiveSetList() != from.getPrimitiveSetList())
    to.setPrimitiveSetList(from.getPrimitiveSetList());
}

class FollowOriginal : public osg::DrawableCullCallback {
 public:
  explicit FollowOriginal(const osg::Geometry& original) : original_(const_cast<osg::Geometry*>(&original)) {}
  using osg::DrawableCullCallback::cull;
  bool cull(osg::NodeVisitor*, osg::Drawable* drawable, osg::RenderInfo*) const override {
    // Read without a reference, as any traversal reads children.
    const osg::Geometry* original = original_.get();
    if (original == nullptr) return true;
    const std::lock_guard lock(mutex_);  // windows may cull at the same time
    share(*original, *drawable->asGeometry());
    return false;
  }

  [[nodiscard]] const osg::Geometry* original() const { return original_.get(); }

 private:
  osg::observer_ptr<osg::Geometry> original_;
  mutable std::mutex mutex_;
};

}  // namespace

osg::ref_ptr<osg::Geometry> sharingGeometry(const osg::Geometry& original) {
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  // Settings other than the original's would create buffer objects for its arrays.
  const bool changes = original.getDataVariance() == osg::Object::DYNAMIC;
  geometry->setUseDisplayList(original.getUseDisplayList() && !changes);
  geometry->setUseVertexBufferObjects(original.getUseVertexBufferObjects());
  geometry->setDataVariance(original.getDataVariance());
  geometry->setCullingActive(!changes);  // the bound of moving vertices is not updated here
  share(original, *geometry);
  geometry->setCullCallback(new FollowOriginal(original));
  return geometry;
}

const osg::Geometry* originalOf(const osg::Node& sharing) {
  const auto* follow = dynamic_cast<const FollowOriginal*>(sharing.getCullCallback());
  return follow == nullptr ? nullptr : follow->original();
}

osg::ref_ptr<osg::Geometry> triangleGeometry(const fitup::TriangleMesh& mesh,
                                             std::span<const fitup::TriangleId> triangles) {
  SmoothTriangles shape;
  shape.append(mesh, triangles);
  osg::ref_ptr<osg::Geometry> geometry = emptyGeometry();
  geometry->setVertexArray(shape.points);
  geometry->setNormalArray(shape.normals);
  if (!shape.triangles->empty()) geometry->addPrimitiveSet(shape.triangles);
  return geometry;
}

osg::ref_ptr<osg::Geometry> pieceGeometry(std::span<const fitup::Triangle> pieces, const Vec3& origin) {
  osg::ref_ptr<osg::Vec3Array> vertices = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::Vec3Array> normals = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::DrawElementsUInt> corners = new osg::DrawElementsUInt(GL_TRIANGLES);
  // A processor that draws works on each vertex once.
  std::map<std::pair<osg::Vec3, osg::Vec3>, GLuint> vertexOf;
  for (const fitup::Triangle& t : pieces) {
    // Pieces of one triangle have normals that differ by rounding.
    constexpr double steps = 512;
    Vec3 direction = normalized(cross(t.v[1] - t.v[0], t.v[2] - t.v[0]));
    for (int k = 0; k < 3; ++k) direction[k] = std::round(steps * direction[k]) / steps;
    const osg::Vec3 normal = toFloats(direction);
    for (const Vec3& corner : t.v) {
      const osg::Vec3 point = toFloats(corner - origin);
      const auto [at, isNew] = vertexOf.try_emplace({point, normal}, static_cast<GLuint>(vertices->size()));
      corners->push_back(at->second);
      if (!isNew) continue;
      vertices->push_back(point);
      normals->push_back(normal);
    }
  }
  osg::ref_ptr<osg::Geometry> geometry = emptyGeometry();
  geometry->setVertexArray(vertices);
  geometry->setNormalArray(normals);
  if (!corners->empty()) geometry->addPrimitiveSet(corners);
  return geometry;
}

osg::ref_ptr<osg::Geometry> lineGeometry(std::span<const fitup::IntersectionLine> lines, const Vec3& origin) {
  osg::ref_ptr<osg::Vec3Array> vertices = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::DrawElementsUInt> segments = new osg::DrawElementsUInt(GL_LINES);
  osg::ref_ptr<osg::DrawElementsUInt> points = new osg::DrawElementsUInt(GL_POINTS);
  for (const fitup::IntersectionLine& line : lines) {
    const auto first = static_cast<unsigned int>(vertices->size());
    const auto count = static_cast<unsigned int>(line.common.count);
    for (const Vec3& corner : line.common.corners()) vertices->push_back(toFloats(corner - origin));
    if (count == 1) points->push_back(first);
    // A polygon of coplanar triangles is closed, a segment is not.
    for (unsigned int i = 0; count > 1 && i < (count == 2 ? 1 : count); ++i) {
      segments->push_back(first + i);
      segments->push_back(first + (i + 1) % count);
    }
  }
  osg::ref_ptr<osg::Geometry> geometry = emptyGeometry();
  geometry->setVertexArray(vertices);
  if (!segments->empty()) geometry->addPrimitiveSet(segments);
  if (!points->empty()) geometry->addPrimitiveSet(points);
  return geometry;
}

osg::ref_ptr<osg::Geometry> boxGeometry(std::span<const fitup::LevelBox> boxes, const Vec3& origin) {
  osg::ref_ptr<osg::Vec3Array> vertices = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::DrawElementsUInt> edges = new osg::DrawElementsUInt(GL_LINES);
  for (const fitup::LevelBox& box : boxes) {
    const auto first = static_cast<unsigned int>(vertices->size());
    for (unsigned int corner = 0; corner < 8; ++corner) {
      const Vec3 inBox{(corner & 1U) != 0 ? box.half.x : -box.half.x,
                       (corner & 2U) != 0 ? box.half.y : -box.half.y,
                       (corner & 4U) != 0 ? box.half.z : -box.half.z};
      vertices->push_back(toFloats(box.partFromBox.apply(inBox) - origin));
      for (unsigned int axis = 1; axis < 8; axis *= 2)
        if ((corner & axis) == 0) {
          edges->push_back(first + corner);
          edges->push_back(first + corner + axis);
        }
    }
  }
  osg::ref_ptr<osg::Geometry> geometry = emptyGeometry();
  geometry->setVertexArray(vertices);
  if (!edges->empty()) geometry->addPrimitiveSet(edges);
  return geometry;
}

}  // namespace osgFitup::detail
