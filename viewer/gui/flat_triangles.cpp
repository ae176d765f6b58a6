#include <viewer/gui/flat_triangles.h>

#include <array>
#include <deque>
#include <memory>

#include <osg/GLU>

namespace fitup::viewer {
namespace {

struct Work {
  std::deque<std::array<double, 3>> points;  ///< stay in place: the tessellator keeps pointers
  std::vector<FlatPoint> triangles;
  bool failed = false;
};

std::array<double, 3>* keep(Work& work, double x, double y) {
  work.points.push_back({x, y, 0});
  return &work.points.back();
}

void GL_APIENTRY takeVertex(void* point, void* work) {
  const auto& p = *static_cast<std::array<double, 3>*>(point);
  static_cast<Work*>(work)->triangles.push_back({p[0], p[1]});
}
void GL_APIENTRY takeCombined(GLdouble at[3], void* [4], GLfloat[4], void** result, void* work) {
  *result = keep(*static_cast<Work*>(work), at[0], at[1]);
}
void GL_APIENTRY takeError(GLenum, void* work) { static_cast<Work*>(work)->failed = true; }
// With this callback the tessellator makes single triangles, no strips and fans.
void GL_APIENTRY takeEdge(GLboolean, void*) {}

void addContour(osg::GLUtesselator* tessellator, const FlatLoop& loop, Work& work) {
  osg::gluTessBeginContour(tessellator);
  for (const FlatPoint& p : loop) {
    auto* point = keep(work, p.x, p.y);
    osg::gluTessVertex(tessellator, point->data(), point);
  }
  osg::gluTessEndContour(tessellator);
}

}  // namespace

std::vector<FlatPoint> trianglesOf(const FlatRegion& region) {
  const std::unique_ptr<osg::GLUtesselator, decltype(&osg::gluDeleteTess)> tessellator(osg::gluNewTess(),
                                                                                       osg::gluDeleteTess);
  using Callback = osg::_GLUfuncptr;
  osg::gluTessCallback(tessellator.get(), GLU_TESS_VERTEX_DATA, reinterpret_cast<Callback>(takeVertex));
  osg::gluTessCallback(tessellator.get(), GLU_TESS_COMBINE_DATA, reinterpret_cast<Callback>(takeCombined));
  osg::gluTessCallback(tessellator.get(), GLU_TESS_ERROR_DATA, reinterpret_cast<Callback>(takeError));
  osg::gluTessCallback(tessellator.get(), GLU_TESS_EDGE_FLAG_DATA, reinterpret_cast<Callback>(takeEdge));
  osg::gluTessProperty(tessellator.get(), GLU_TESS_WINDING_RULE, GLU_TESS_WINDING_NONZERO);
  osg::gluTessNormal(tessellator.get(), 0, 0, 1);
  Work work;
  for (const FlatRegion::Piece& piece : region.pieces) {
    osg::gluTessBeginPolygon(tessellator.get(), &work);
    addContour(tessellator.get(), piece.border, work);
    for (const FlatLoop& hole : piece.holes) addContour(tessellator.get(), hole, work);
    osg::gluTessEndPolygon(tessellator.get());
  }
  if (work.failed) work.triangles.clear();
  return std::move(work.triangles);
}

}  // namespace fitup::viewer
