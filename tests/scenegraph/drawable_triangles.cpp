#include <osgFitup/detail/drawable_triangles.h>

#include <algorithm>
#include <limits>
#include <map>

#include <catch2/catch.hpp>
#include <osg/Geometry>
#include <osg/KdTree>
#include <osg/PrimitiveRestartIndex>
#include <osg/Shape>
#include <osg/ShapeDrawable>
#include <osg/TriangleFunctor>
#include <osgUtil/IntersectionVisitor>
#include <osgUtil/LineSegmentIntersector>

#include <osgFitup/conversions.h>
#include <support/placements.h>

namespace drawable_triangles_tests {

using namespace fitup;
using fitup::test::Random;
using osgFitup::detail::DrawableTriangles;
using osgFitup::detail::trianglesOf;

namespace {

/// OSG's own division into triangles is the oracle.
struct TriangleList {
  std::vector<std::array<osg::Vec3, 3>> triangles;
  void operator()(const osg::Vec3& a, const osg::Vec3& b, const osg::Vec3& c, bool = false) {
    triangles.push_back({a, b, c});
  }
};

std::vector<std::array<osg::Vec3, 3>> byOsg(const osg::Drawable& drawable) {
  osg::TriangleFunctor<TriangleList> functor;
  drawable.accept(functor);
  return functor.triangles;
}

std::string difference(const DrawableTriangles& found,
                       const std::vector<std::array<osg::Vec3, 3>>& expected) {
  if (found.triangles.size() != expected.size() || found.primitives.size() != expected.size())
    return std::to_string(found.triangles.size()) + " instead of " + std::to_string(expected.size());
  for (std::size_t t = 0; t < expected.size(); ++t)
    for (std::size_t c = 0; c < 3; ++c)
      if (found.points[found.triangles[t][c]] != osgFitup::toVec3(osg::Vec3d(expected[t][c])))
        return "triangle " + std::to_string(t);
  if (!std::is_sorted(found.primitives.begin(), found.primitives.end())) return "primitives not in order";
  return {};
}

osg::ref_ptr<osg::Vec3Array> randomPoints(unsigned int n, std::uint64_t seed) {
  Random random(seed);
  osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array;
  for (unsigned int i = 0; i < n; ++i) {
    const Vec3 p = random.inCube(10);
    points->push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
  }
  return points;
}

template <typename Elements>
osg::ref_ptr<Elements> randomElements(GLenum mode, unsigned int count, unsigned int points,
                                      std::uint64_t seed) {
  Random random(seed);
  osg::ref_ptr<Elements> elements = new Elements(mode);
  for (unsigned int i = 0; i < count; ++i)
    elements->push_back(static_cast<typename Elements::value_type>(random.below(points)));
  return elements;
}

constexpr GLenum areaModes[] = {GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN,
                                GL_QUADS,     GL_QUAD_STRIP,     GL_POLYGON};
constexpr GLenum allModes[] = {GL_TRIANGLES,  GL_POINTS, GL_TRIANGLE_STRIP, GL_LINES,      GL_TRIANGLE_FAN,
                               GL_LINE_STRIP, GL_QUADS,  GL_LINE_LOOP,      GL_QUAD_STRIP, GL_POLYGON};

}  // namespace

TEST_CASE("drawables: every primitive type, drawn as arrays, array lengths and with every kind of index") {
  for (const GLenum mode : areaModes) {
    const unsigned int n = 60;
    const auto points = randomPoints(n, 1);
    std::vector<osg::ref_ptr<osg::PrimitiveSet>> sets;
    sets.emplace_back(new osg::DrawArrays(mode, 12, 24));
    osg::ref_ptr<osg::DrawArrayLengths> lengths = new osg::DrawArrayLengths(mode, 6);
    for (const GLsizei length : {12, 24, 12}) lengths->push_back(length);
    sets.emplace_back(lengths);
    sets.emplace_back(randomElements<osg::DrawElementsUByte>(mode, 24, n, 2));
    sets.emplace_back(randomElements<osg::DrawElementsUShort>(mode, 36, n, 3));
    sets.emplace_back(randomElements<osg::DrawElementsUInt>(mode, 12, n, 4));
    osg::ref_ptr<osg::Geometry> together = new osg::Geometry;
    together->setVertexArray(points);
    for (const auto& set : sets) {
      osg::ref_ptr<osg::Geometry> alone = new osg::Geometry;
      alone->setVertexArray(points);
      alone->addPrimitiveSet(set);
      together->addPrimitiveSet(set);
      const auto expected = byOsg(*alone);
      REQUIRE(!expected.empty());
      INFO(mode << " " << set->className());
      CHECK(difference(trianglesOf(*alone), expected) == "");
    }
    CHECK(difference(trianglesOf(*together), byOsg(*together)) == "");
  }
}

TEST_CASE("drawables: vertices of two, three and four floats and doubles give the same triangles") {
  const auto floats = randomPoints(24, 5);
  const auto with = [&](osg::Array* points) {
    osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
    geometry->setVertexArray(points);
    geometry->addPrimitiveSet(new osg::DrawArrays(GL_QUADS, 0, 24));
    return trianglesOf(*geometry);
  };
  osg::ref_ptr<osg::Vec3dArray> doubles = new osg::Vec3dArray;
  osg::ref_ptr<osg::Vec4Array> four = new osg::Vec4Array;
  osg::ref_ptr<osg::Vec4dArray> fourDoubles = new osg::Vec4dArray;
  osg::ref_ptr<osg::Vec2Array> two = new osg::Vec2Array;
  osg::ref_ptr<osg::Vec2dArray> twoDoubles = new osg::Vec2dArray;
  for (const osg::Vec3& p : *floats) {
    doubles->push_back(p);
    four->push_back({p.x() * 2, p.y() * 2, p.z() * 2, 2});
    fourDoubles->push_back({p.x(), p.y(), p.z(), 1});
    two->push_back({p.x(), p.y()});
    twoDoubles->push_back({p.x(), p.y()});
  }
  const DrawableTriangles expected = with(floats);
  REQUIRE(expected.triangles.size() == 12);
  for (osg::Array* points : std::initializer_list<osg::Array*>{doubles, four, fourDoubles}) {
    const DrawableTriangles found = with(points);
    CHECK(found.points == expected.points);
    CHECK(found.triangles == expected.triangles);
  }
  for (osg::Array* points : std::initializer_list<osg::Array*>{two, twoDoubles}) {
    const DrawableTriangles found = with(points);
    CHECK(found.triangles == expected.triangles);
    for (std::size_t i = 0; i < found.points.size(); ++i)
      CHECK(found.points[i] == Vec3{expected.points[i].x, expected.points[i].y, 0});
  }
}

TEST_CASE("drawables: points and lines are counted, an incomplete primitive is none") {
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setVertexArray(randomPoints(20, 6));
  std::size_t expected = 0;
  for (const auto& [mode, count] : {std::pair(GL_POINTS, 5), std::pair(GL_LINES, 3),
                                    std::pair(GL_LINE_STRIP, 5), std::pair(GL_LINE_LOOP, 3)}) {
    geometry->addPrimitiveSet(new osg::DrawArrays(static_cast<GLenum>(mode), 0,
                                                  mode == GL_LINES ? 6 : count + (mode == GL_LINE_STRIP)));
    expected += static_cast<std::size_t>(count);
  }
  CHECK(trianglesOf(*geometry).pointsAndLines == expected);
  CHECK(trianglesOf(*geometry).triangles.empty());
  for (const auto& [mode, count, triangles] :
       {std::tuple(GL_TRIANGLES, 8, 2), std::tuple(GL_TRIANGLE_STRIP, 2, 0),
        std::tuple(GL_TRIANGLE_FAN, 2, 0), std::tuple(GL_QUADS, 7, 2), std::tuple(GL_QUAD_STRIP, 5, 2),
        std::tuple(GL_POLYGON, 1, 0)}) {
    osg::ref_ptr<osg::Geometry> tail = new osg::Geometry;
    tail->setVertexArray(randomPoints(20, 7));
    tail->addPrimitiveSet(new osg::DrawArrays(static_cast<GLenum>(mode), 0, count));
    const DrawableTriangles found = trianglesOf(*tail);
    CHECK(found.triangles.size() == static_cast<std::size_t>(triangles));
    CHECK(found.outOfRange == 0);
  }
}

TEST_CASE("drawables: primitives have the numbers that picks give them, with kd-trees and without") {
  // Twenty small primitives of each type in separate columns, so that a vertical ray meets one of them.
  osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array;
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setVertexArray(points);
  float x = 0;
  for (const GLenum mode : allModes) {
    const auto first = static_cast<GLint>(points->size());
    for (int i = 0; i < 12; ++i, x += 0.5F) {
      const float y = i % 4 == 1 || i % 4 == 2 ? 1.0F : 0.0F;
      points->push_back(
          {x, mode == GL_TRIANGLE_FAN || mode == GL_POLYGON ? (i == 0 ? -5.0F : 1.0F) : y, 0.0F});
    }
    geometry->addPrimitiveSet(new osg::DrawArrays(mode, first, 12));
  }
  const DrawableTriangles found = trianglesOf(*geometry);
  REQUIRE(found.triangles.size() == byOsg(*geometry).size());
  for (const bool kdTree : {false, true}) {
    if (kdTree) {
      osg::ref_ptr<osg::KdTreeBuilder> builder = new osg::KdTreeBuilder;
      geometry->accept(*builder);
      REQUIRE(dynamic_cast<osg::KdTree*>(geometry->getShape()) != nullptr);
    }
    std::size_t picked = 0;
    for (std::size_t t = 0; t < found.triangles.size(); ++t) {
      Vec3 middle;
      for (const std::uint32_t c : found.triangles[t]) middle = middle + found.points[c] * (1.0 / 3);
      osg::ref_ptr<osgUtil::LineSegmentIntersector> ray = new osgUtil::LineSegmentIntersector(
          osg::Vec3d(middle.x, middle.y, 5), osg::Vec3d(middle.x, middle.y, -5));
      osgUtil::IntersectionVisitor visitor(ray);
      geometry->accept(visitor);
      bool same = false;
      for (const auto& hit : ray->getIntersections())
        same = same || hit.primitiveIndex == found.primitives[t];
      picked += ray->containsIntersections() ? 1 : 0;
      INFO("kd-tree " << kdTree << ", triangle " << t);
      CHECK((same || !ray->containsIntersections()));
    }
    CHECK(picked > found.triangles.size() / 2);
  }
}

TEST_CASE("drawables: damaged input is counted and left out") {
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  const auto points = randomPoints(12, 8);
  (*points)[2].x() = std::numeric_limits<float>::quiet_NaN();
  (*points)[7].y() = std::numeric_limits<float>::infinity();
  geometry->setVertexArray(points);
  osg::ref_ptr<osg::DrawElementsUInt> elements = new osg::DrawElementsUInt(GL_TRIANGLES);
  for (const unsigned int i :
       {0U, 1U, 3U, 0U, 1U, 2U, 3U, 4U, 12U, 4U, 5U, 0xffffffffU, 6U, 7U, 8U, 9U, 10U, 11U})
    elements->push_back(i);
  geometry->addPrimitiveSet(elements);
  DrawableTriangles found = trianglesOf(*geometry);
  CHECK(found.triangles.size() == 2);
  CHECK(found.primitives == std::vector<std::uint32_t>{0, 5});
  CHECK(found.notFinite == 2);
  CHECK(found.outOfRange == 2);

  // Counts beyond the array, counts of two thousand million, and beginnings before the array.
  for (const auto& [first, count] : {std::pair(0, 15), std::pair(9, 2000000000), std::pair(-3, 12)}) {
    osg::ref_ptr<osg::Geometry> beyond = new osg::Geometry;
    beyond->setVertexArray(randomPoints(12, 9));
    beyond->addPrimitiveSet(new osg::DrawArrays(GL_TRIANGLES, first, count));
    found = trianglesOf(*beyond);
    CHECK(found.outOfRange + found.triangles.size() == static_cast<std::size_t>(count / 3));
    CHECK(found.triangles.size() == (first == 0 ? 4U : first == 9 ? 1U : 0U));
  }
  osg::ref_ptr<osg::Geometry> patches = new osg::Geometry;
  patches->setVertexArray(points);
  patches->addPrimitiveSet(new osg::DrawArrays(GL_PATCHES, 0, 12));
  CHECK(trianglesOf(*patches).unknownPrimitives == 1);
  CHECK(trianglesOf(*osg::ref_ptr<osg::Geometry>(new osg::Geometry)).triangles.empty());
}

TEST_CASE("drawables: strips that restart are strips of their own") {
  const auto points = randomPoints(300, 4);
  const std::vector<std::vector<unsigned int>> strips{{0, 1, 2, 3, 4}, {5, 6, 7}, {8, 9}, {250, 11, 12, 13}};
  const auto trianglesBy = [&](osg::DrawElements* elements, unsigned int restart, bool isTold) {
    osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
    geometry->setVertexArray(points);
    for (const auto& strip : strips) {
      for (const unsigned int i : strip) elements->addElement(i);
      elements->addElement(restart);
    }
    geometry->addPrimitiveSet(elements);
    if (isTold) {
      geometry->getOrCreateStateSet()->setAttributeAndModes(new osg::PrimitiveRestartIndex(restart));
      geometry->getOrCreateStateSet()->setMode(GL_PRIMITIVE_RESTART, osg::StateAttribute::ON);
    }
    return trianglesOf(*geometry);
  };
  for (const GLenum mode : {GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN, GL_POLYGON, GL_QUAD_STRIP}) {
    std::vector<TriangleIndices> expected;
    for (const auto& strip : strips) {
      osg::ref_ptr<osg::Geometry> alone = new osg::Geometry;
      alone->setVertexArray(points);
      osg::ref_ptr<osg::DrawElementsUInt> elements = new osg::DrawElementsUInt(mode);
      for (const unsigned int i : strip) elements->push_back(i);
      alone->addPrimitiveSet(elements);
      const DrawableTriangles found = trianglesOf(*alone);
      expected.insert(expected.end(), found.triangles.begin(), found.triangles.end());
    }
    REQUIRE(expected.size() >= 4);
    for (const DrawableTriangles& found : {trianglesBy(new osg::DrawElementsUShort(mode), 0xffff, false),
                                           trianglesBy(new osg::DrawElementsUInt(mode), 0xffffffff, false),
                                           trianglesBy(new osg::DrawElementsUShort(mode), 0xffff, true),
                                           trianglesBy(new osg::DrawElementsUInt(mode), 77, true)}) {
      CHECK(found.triangles == expected);
      CHECK(found.outOfRange == 0);
      CHECK(std::is_sorted(found.primitives.begin(), found.primitives.end()));
    }
    // With bytes, a vertex with the largest index exists; with other types nothing says that indices restart.
    CHECK(trianglesBy(new osg::DrawElementsUByte(mode), 0xff, false).triangles != expected);
    CHECK(trianglesBy(new osg::DrawElementsUInt(mode), 0xfffffffe, false).outOfRange > 0);
  }
}

TEST_CASE("drawables: shapes by their primitives, closed") {
  Random random(3);
  for (int k = 0; k < 3; ++k) {
    const Vec3 at = random.inCube(k == 1 ? 50 : 0);
    const osg::Vec3 centre(static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z));
    const float size = k == 2 ? 1e-3F : 1;
    for (osg::Shape* shape : std::initializer_list<osg::Shape*>{
             new osg::Box(centre, 2 * size), new osg::Sphere(centre, size),
             new osg::Cylinder(centre, size, 2 * size), new osg::Cone(centre, size, 2 * size),
             new osg::Capsule(centre, size, 2 * size)}) {
      INFO(shape->className() << " " << k);
      osg::ref_ptr<osg::ShapeDrawable> drawable = new osg::ShapeDrawable(shape);
      // OSG's own triangles, except those without an area at a pole.
      const auto all = byOsg(*drawable);
      const auto areaOf = [](const auto& t) { return ((t[1] - t[0]) ^ (t[2] - t[0])).length(); };
      const DrawableTriangles found = trianglesOf(*drawable);
      REQUIRE(found.triangles.size() >= 12);
      double wanted = 0, area = 0;
      for (const auto& triangle : all) wanted += areaOf(triangle);
      std::map<std::array<std::uint32_t, 2>, int> edges;
      for (const TriangleIndices& triangle : found.triangles) {
        std::array<osg::Vec3, 3> corners;
        for (std::size_t c = 0; c < 3; ++c) {
          corners[c] = osg::Vec3(osgFitup::toVec3d(found.points[triangle[c]]));
          const std::uint32_t from = triangle[c], to = triangle[(c + 1) % 3];
          from < to ? ++edges[{from, to}] : --edges[{to, from}];
        }
        area += areaOf(corners);
      }
      CHECK(area == Approx(wanted).epsilon(1e-4));
      CHECK(std::is_sorted(found.primitives.begin(), found.primitives.end()));
      CHECK(std::all_of(edges.begin(), edges.end(), [](const auto& edge) { return edge.second == 0; }));
    }
  }
}

}  // namespace drawable_triangles_tests
