#include <osgFitup/detail/drawable_triangles.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include <osg/PrimitiveSet>
#include <osg/ShapeDrawable>

#include <fitup/geometry/limits.h>
#include <fitup/mesh/segmentation.h>
#include <osgFitup/detail/closed_shapes.h>
#include <osgFitup/detail/part_contents.h>

namespace osgFitup::detail {
namespace {

using fitup::Vec3;

/// Returns the number of primitives in a set of `count` vertices, as osg::TemplatePrimitiveFunctor counts
/// them (it counts an incomplete last triangle).
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

/// Both kinds of functor have the same functions; some drawables support only one of them.
class Collector : public osg::PrimitiveIndexFunctor, public osg::PrimitiveFunctor {
 public:
  DrawableTriangles result;
  std::optional<unsigned int> restart;  ///< index that ends a primitive and begins another

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
    // Stops at the end of the array, so that a damaged count costs no time.
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
    const std::uint32_t firstOfSet = primitive_;
    for (std::size_t begin = 0; begin <= n;) {
      std::size_t end = begin;
      while (end < n && !isRestart(mode, indices[end])) ++end;
      primitive_ = firstOfSet + static_cast<std::uint32_t>(primitivesBefore(mode, begin));
      if (end > begin)
        addPrimitives(mode, end - begin, end - begin,
                      [&](std::size_t i) -> std::size_t { return indices[begin + i]; });
      begin = end + 1;
    }
    primitive_ = firstOfSet + static_cast<std::uint32_t>(primitiveCount(mode, n));
  }

  /// Whether an index restarts: it is the one that state sets define, or, in strips and fans, the largest
  /// that the type can hold, as is usual, if no vertex has that index.
  template <typename I>
  [[nodiscard]] bool isRestart(GLenum mode, I index) const {
    const bool isStrip =
        mode == GL_TRIANGLE_STRIP || mode == GL_TRIANGLE_FAN || mode == GL_POLYGON || mode == GL_QUAD_STRIP;
    return index == restart ||
           (isStrip && index == std::numeric_limits<I>::max() && index >= result.points.size());
  }

  /// Returns how many primitives of a set begin before a vertex if restarts are ignored, as readers without
  /// restarts count them.
  static std::size_t primitivesBefore(GLenum mode, std::size_t vertex) {
    const std::size_t vertices = mode == GL_TRIANGLES    ? 3
                                 : mode == GL_QUADS      ? 4
                                 : mode == GL_QUAD_STRIP ? 2
                                                         : 1;
    return vertex / vertices;
  }

  /// Takes a set of `count` vertices, of which `vertex` returns the first `there`.
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

  /// Adds all triangles of a primitive or none.
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

/// Counts primitives as `Collector` numbers them.
class PrimitiveCounter : public osg::PrimitiveIndexFunctor {
 public:
  std::uint32_t count = 0;

  void setVertexArray(unsigned int, const osg::Vec2*) override {}
  void setVertexArray(unsigned int, const osg::Vec3*) override {}
  void setVertexArray(unsigned int, const osg::Vec4*) override {}
  void setVertexArray(unsigned int, const osg::Vec2d*) override {}
  void setVertexArray(unsigned int, const osg::Vec3d*) override {}
  void setVertexArray(unsigned int, const osg::Vec4d*) override {}
  void drawArrays(GLenum mode, GLint, GLsizei n) override { add(mode, n); }
  void drawElements(GLenum mode, GLsizei n, const GLubyte*) override { add(mode, n); }
  void drawElements(GLenum mode, GLsizei n, const GLushort*) override { add(mode, n); }
  void drawElements(GLenum mode, GLsizei n, const GLuint*) override { add(mode, n); }

 private:
  void add(GLenum mode, GLsizei n) {
    if (n > 0) count += static_cast<std::uint32_t>(primitiveCount(mode, static_cast<std::size_t>(n)));
  }
};

/// Returns the primitive set of each triangle.
std::vector<std::uint32_t> primitiveSetsOf(const osg::Drawable& drawable,
                                           const DrawableTriangles& triangles) {
  std::vector<std::uint32_t> ends;  // number of the first primitive after each set
  PrimitiveCounter counter;
  if (const osg::Geometry* const geometry = drawable.asGeometry())
    for (const auto& set : geometry->getPrimitiveSetList()) {
      if (set.valid()) set->accept(counter);
      ends.push_back(counter.count);
    }
  std::vector<std::uint32_t> sets;
  for (const std::uint32_t primitive : triangles.primitives)
    sets.push_back(
        static_cast<std::uint32_t>(std::upper_bound(ends.begin(), ends.end(), primitive) - ends.begin()));
  return sets;
}

std::vector<std::uint32_t> smoothPatchesOf(const DrawableTriangles& triangles, double angleDegrees) {
  fitup::TriangleMeshBuilder builder("drawable");
  builder.beginSurface("");
  constexpr std::uint32_t unused = ~0U;  // vertices that no triangle uses may have any coordinates
  std::vector<std::uint32_t> points(triangles.points.size(), unused);
  for (fitup::TriangleIndices corners : triangles.triangles) {
    for (std::uint32_t& corner : corners) {
      if (points[corner] == unused) points[corner] = builder.addPoint(triangles.points[corner]);
      corner = points[corner];
    }
    builder.addTriangle(corners[0], corners[1], corners[2]);
  }
  return fitup::segmentByDihedralAngle(builder.build(), angleDegrees);
}

}  // namespace

bool isUsable(const Vec3& p) {
  return isFinite(p) && std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) <= fitup::limits::largest;
}

const osg::Array* vertexArrayOf(const osg::Geometry& geometry) {
  const osg::Array* vertices = geometry.getVertexArray();
  return vertices != nullptr ? vertices : geometry.getVertexAttribArray(0);
}

DrawableTriangles trianglesOf(const osg::Drawable& drawable, const PrimitiveRestart& above) {
  Collector collector;
  PrimitiveRestart restart = above;
  restart.apply(drawable.getStateSet());
  collector.restart = restart.index();
  if (drawable.supports(static_cast<const osg::PrimitiveIndexFunctor&>(collector)))
    drawable.accept(static_cast<osg::PrimitiveIndexFunctor&>(collector));
  else if (const osgText::Text3D* const text = solidTextOf(drawable);
           text != nullptr ? isDrawn(*text)  // text claims not to support this
                           : drawable.supports(static_cast<const osg::PrimitiveFunctor&>(collector)))
    drawable.accept(static_cast<osg::PrimitiveFunctor&>(collector));
  if (const auto* const shape = dynamic_cast<const osg::ShapeDrawable*>(&drawable))
    closeShapes(*shape, collector.result);
  return std::move(collector.result);
}

std::vector<std::uint32_t> surfacesWithin(const osg::Drawable& drawable, const DrawableTriangles& triangles,
                                          const SurfaceDivision& division) {
  using fitup::SceneSurfaces;
  const std::size_t count = triangles.triangles.size();
  if (count == 0 || division.surfaces == SceneSurfaces::drawables)
    return std::vector<std::uint32_t>(count, 0);
  std::vector<std::uint32_t> labels = division.surfaces == SceneSurfaces::primitiveSets
                                          ? primitiveSetsOf(drawable, triangles)
                                          : smoothPatchesOf(triangles, division.angleDegrees);
  std::unordered_map<std::uint32_t, std::uint32_t> renumbered;
  for (std::size_t t = 0; t < count; ++t) {
    if (t > 0 && triangles.primitives[t] == triangles.primitives[t - 1])
      labels[t] = labels[t - 1];
    else
      labels[t] =
          renumbered.try_emplace(labels[t], static_cast<std::uint32_t>(renumbered.size())).first->second;
  }
  return labels;
}

bool drawsArea(const osg::Drawable& drawable) {
  if (isFlatText(drawable)) return false;
  if (const osgText::Text3D* const text = solidTextOf(drawable)) return isDrawn(*text);
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
