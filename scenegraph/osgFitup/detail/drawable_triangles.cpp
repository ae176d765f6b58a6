#include <osgFitup/detail/drawable_triangles.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

#include <osg/PrimitiveSet>

#include <fitup/geometry/limits.h>
#include <osgFitup/detail/part_contents.h>

namespace osgFitup::detail {
namespace {

using fitup::Vec3;

/// How many primitives a set of `count` vertices has, as osg::TemplatePrimitiveFunctor counts them (which
/// takes an incomplete last triangle for one).
std::size_t primitiveCount(GLenum mode, std::size_t count) {
  const auto less = [&](std::size_t n) { return count > n ? count - n : 0; };
  switch (mode) {
    case GL_POINTS:
      return count;
    case GL_LINES:
      return count / 2;
    case GL_LINE_STRIP:
      return less(1);
    case GL_LINE_LOOP:
      return count;
    case GL_LINE_STRIP_ADJACENCY:
      return less(3);
    case GL_TRIANGLES:
      return (count + 2) / 3;
    case GL_TRIANGLE_STRIP:
    case GL_TRIANGLE_FAN:
    case GL_POLYGON:
      return less(2);
    case GL_QUADS:
      return count / 4;
    case GL_QUAD_STRIP:
      return less(2) / 2;
    default:
      return 0;
  }
}

bool isPointOrLine(GLenum mode) {
  return mode == GL_POINTS || mode == GL_LINES || mode == GL_LINE_STRIP || mode == GL_LINE_LOOP ||
         mode == GL_LINE_STRIP_ADJACENCY || mode == GL_LINES_ADJACENCY;
}

/// The two kinds of functor have the same functions; some drawables support only one of them.
class Collector : public osg::PrimitiveIndexFunctor, public osg::PrimitiveFunctor {
 public:
  DrawableTriangles result;

  void setVertexArray(unsigned int n, const osg::Vec2* v) override {
    take(n, v, [](const auto& p) { return Vec3{p.x(), p.y(), 0}; });
  }
  void setVertexArray(unsigned int n, const osg::Vec3* v) override {
    take(n, v, [](const auto& p) { return Vec3{p.x(), p.y(), p.z()}; });
  }
  void setVertexArray(unsigned int n, const osg::Vec4* v) override { take(n, v, homogeneous<osg::Vec4>); }
  void setVertexArray(unsigned int n, const osg::Vec2d* v) override {
    take(n, v, [](const auto& p) { return Vec3{p.x(), p.y(), 0}; });
  }
  void setVertexArray(unsigned int n, const osg::Vec3d* v) override {
    take(n, v, [](const auto& p) { return Vec3{p.x(), p.y(), p.z()}; });
  }
  void setVertexArray(unsigned int n, const osg::Vec4d* v) override { take(n, v, homogeneous<osg::Vec4d>); }

  void drawArrays(GLenum mode, GLint first, GLsizei count) override {
    if (count <= 0) return;
    const auto n = static_cast<std::size_t>(count);
    // Vertices beyond the array's end are not walked through, so that a damaged count costs no time.
    const std::size_t size = result.points.size();
    const auto begin = static_cast<std::size_t>(std::max(first, 0));
    const std::size_t there = first < 0 || begin >= size ? 0 : std::min(n, size - begin);
    addPrimitives(mode, n, there, [&](std::size_t i) { return begin + i; });
  }
  void drawElements(GLenum mode, GLsizei count, const GLubyte* indices) override {
    add(mode, count, indices);
  }
  void drawElements(GLenum mode, GLsizei count, const GLushort* indices) override {
    add(mode, count, indices);
  }
  void drawElements(GLenum mode, GLsizei count, const GLuint* indices) override { add(mode, count, indices); }

 private:
  using Corners = std::array<std::size_t, 3>;

  template <typename V>
  static Vec3 homogeneous(const V& p) {
    if (p.w() == 1) return {p.x(), p.y(), p.z()};
    const double w = p.w();
    return {p.x() / w, p.y() / w, p.z() / w};
  }

  template <typename V, typename Convert>
  void take(unsigned int count, const V* vertices, const Convert& convert) {
    result.points.clear();
    if (vertices == nullptr) return;
    result.points.reserve(count);
    for (unsigned int i = 0; i < count; ++i) result.points.push_back(convert(vertices[i]));
  }

  template <typename I>
  void add(GLenum mode, GLsizei count, const I* indices) {
    if (count <= 0 || indices == nullptr) return;
    const auto n = static_cast<std::size_t>(count);
    addPrimitives(mode, n, n, [&](std::size_t i) -> std::size_t { return indices[i]; });
  }

  /// A set of `count` vertices, of which the first `there` can be had by `vertex`.
  template <typename Vertex>
  void addPrimitives(GLenum mode, std::size_t count, std::size_t there, const Vertex& vertex) {
    const std::size_t all = primitiveCount(mode, count);
    if (isPointOrLine(mode)) {
      result.pointsAndLines += mode == GL_LINES_ADJACENCY ? count / 4 : all;
      primitive_ += static_cast<std::uint32_t>(all);
      return;
    }
    const auto v = [&](std::size_t i) { return vertex(i); };
    const std::size_t complete = mode == GL_TRIANGLES ? there / 3 : primitiveCount(mode, there);
    const std::uint32_t firstPrimitive = primitive_;
    primitive_ += static_cast<std::uint32_t>(all);
    result.outOfRange += (mode == GL_TRIANGLES ? count / 3 : all) - complete;
    const auto number = [&](std::size_t i) { return firstPrimitive + static_cast<std::uint32_t>(i); };
    switch (mode) {
      case GL_TRIANGLES:
        for (std::size_t i = 0; i < complete; ++i)
          add(number(i), {Corners{v(3 * i), v(3 * i + 1), v(3 * i + 2)}});
        break;
      case GL_TRIANGLE_STRIP:
        for (std::size_t i = 0; i < complete; ++i)
          i % 2 == 0 ? add(number(i), {Corners{v(i), v(i + 1), v(i + 2)}})
                     : add(number(i), {Corners{v(i), v(i + 2), v(i + 1)}});
        break;
      case GL_TRIANGLE_FAN:
      case GL_POLYGON:
        for (std::size_t i = 0; i < complete; ++i) add(number(i), {Corners{v(0), v(i + 1), v(i + 2)}});
        break;
      case GL_QUADS:
        for (std::size_t i = 0; i < complete; ++i) {
          const std::size_t k = 4 * i;
          add(number(i), {Corners{v(k), v(k + 1), v(k + 2)}, Corners{v(k), v(k + 2), v(k + 3)}});
        }
        break;
      case GL_QUAD_STRIP:
        for (std::size_t i = 0; i < complete; ++i) {
          const std::size_t k = 2 * i;
          add(number(i), {Corners{v(k), v(k + 1), v(k + 2)}, Corners{v(k + 1), v(k + 3), v(k + 2)}});
        }
        break;
      default:
        ++result.unknownPrimitives;
    }
  }

  /// A primitive is taken with all of its triangles or not at all.
  void add(std::uint32_t primitive, std::initializer_list<Corners> triangles) {
    for (const Corners& t : triangles)
      for (const std::size_t i : t)
        if (i >= result.points.size()) {
          ++result.outOfRange;
          return;
        }
    for (const Corners& t : triangles)
      for (const std::size_t i : t)
        if (!isUsable(result.points[i])) {
          ++result.notFinite;
          return;
        }
    for (const Corners& t : triangles) {
      result.triangles.push_back({static_cast<std::uint32_t>(t[0]), static_cast<std::uint32_t>(t[1]),
                                  static_cast<std::uint32_t>(t[2])});
      result.primitives.push_back(primitive);
    }
  }

  std::uint32_t primitive_ = 0;
};

}  // namespace

bool isUsable(const Vec3& p) {
  return isFinite(p) && std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) <= fitup::limits::largest;
}

const osg::Array* vertexArrayOf(const osg::Geometry& geometry) {
  const osg::Array* vertices = geometry.getVertexArray();
  return vertices != nullptr ? vertices : geometry.getVertexAttribArray(0);
}

DrawableTriangles trianglesOf(const osg::Drawable& drawable) {
  Collector collector;
  if (drawable.supports(static_cast<const osg::PrimitiveIndexFunctor&>(collector)))
    drawable.accept(static_cast<osg::PrimitiveIndexFunctor&>(collector));
  else if (drawable.supports(static_cast<const osg::PrimitiveFunctor&>(collector)))
    drawable.accept(static_cast<osg::PrimitiveFunctor&>(collector));
  return std::move(collector.result);
}

bool drawsArea(const osg::Drawable& drawable) {
  if (isText(&drawable)) return isSolidText(drawable);
  const osg::Geometry* const geometry = drawable.asGeometry();
  if (geometry != nullptr && geometry->getNumPrimitiveSets() > 0)
    return std::any_of(geometry->getPrimitiveSetList().begin(), geometry->getPrimitiveSetList().end(),
                       [](const auto& set) {
                         return set.valid() && !isPointOrLine(set->getMode()) && set->getNumIndices() > 0;
                       });
  const DrawableTriangles drawn = trianglesOf(drawable);
  if (!drawn.triangles.empty() || drawn.unknownPrimitives > 0) return true;
  return geometry == nullptr && drawn.points.empty() && drawn.pointsAndLines == 0;
}

std::size_t copiesByShader(const osg::Drawable& drawable) {
  std::size_t copies = 0;
  if (const osg::Geometry* const geometry = drawable.asGeometry())
    for (const auto& set : geometry->getPrimitiveSetList())
      if (set.valid() && set->getNumInstances() > 1)
        copies += static_cast<std::size_t>(set->getNumInstances());
  return copies;
}

}  // namespace osgFitup::detail
