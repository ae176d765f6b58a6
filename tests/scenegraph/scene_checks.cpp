#include "scene_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <osg/TemplatePrimitiveFunctor>
#include <osg/TriangleFunctor>
#include <osg/ValueObject>

#include <fitup/geometry/distance_point_triangle.h>
#include <osgFitup/conversions.h>
#include <osgFitup/scene_assembly.h>
#include <support/report_checks.h>

namespace osgFitup::test {
namespace {

using Paths = std::pair<std::string, std::string>;

std::map<Paths, fitup::IntersectionReport> byPath(const fitup::Assembly& assembly,
                                                  const fitup::InterferenceReport& report) {
  std::map<Paths, fitup::IntersectionReport> result;
  for (const fitup::PairInterference& pair : report.pairs) {
    const std::string a = assembly.path(pair.a), b = assembly.path(pair.b);
    if (a < b)
      result[{a, b}] = pair.report;
    else
      result[{b, a}] = pair.report.swapped();
  }
  return result;
}

/// Corners of all primitives, as osgUtil's intersectors see them.
struct PrimitiveList {
  std::vector<std::vector<osg::Vec3>> primitives;
  void operator()(const osg::Vec3& a, bool) { primitives.push_back({a}); }
  void operator()(const osg::Vec3& a, const osg::Vec3& b, bool) { primitives.push_back({a, b}); }
  void operator()(const osg::Vec3& a, const osg::Vec3& b, const osg::Vec3& c, bool) {
    primitives.push_back({a, b, c});
  }
  void operator()(const osg::Vec3& a, const osg::Vec3& b, const osg::Vec3& c, const osg::Vec3& d, bool) {
    primitives.push_back({a, b, c, d});
  }
};

class TriangleReader : public osg::NodeVisitor {
 public:
  TriangleReader() : osg::NodeVisitor(TRAVERSE_ACTIVE_CHILDREN) {}
  using osg::NodeVisitor::apply;
  void apply(osg::Drawable& drawable) override {
    osg::TriangleFunctor<List> functor;
    drawable.accept(functor);
    const osg::Matrixd matrix = osg::computeLocalToWorld(getNodePath());
    for (const auto& t : functor.triangles)
      triangles.push_back({{toVec3(osg::Vec3d(t[0]) * matrix), toVec3(osg::Vec3d(t[1]) * matrix),
                            toVec3(osg::Vec3d(t[2]) * matrix)}});
  }
  std::vector<fitup::Triangle> triangles;

 private:
  struct List {
    std::vector<std::array<osg::Vec3, 3>> triangles;
    void operator()(const osg::Vec3& a, const osg::Vec3& b, const osg::Vec3& c, bool = false) {
      triangles.push_back({a, b, c});
    }
  };
};

double distanceTo(const std::vector<osg::Vec3>& primitive, const osg::Matrixd& matrix, const fitup::Vec3& p) {
  std::vector<fitup::Vec3> world;
  for (const osg::Vec3& corner : primitive) world.push_back(toVec3(osg::Vec3d(corner) * matrix));
  double least = INFINITY;
  // A quad that is not flat may be cut either way.
  for (std::size_t i = 0; i < world.size(); ++i)
    for (std::size_t j = i + 1; j < world.size(); ++j)
      for (std::size_t k = j + 1; k < world.size(); ++k) {
        const fitup::Triangle triangle{{world[i], world[j], world[k]}};
        least = std::min(least, fitup::distancePointTriangle(p, triangle).distance);
      }
  return least;
}

}  // namespace

std::string differenceByPath(const fitup::Assembly& a, const fitup::InterferenceReport& reportA,
                             const fitup::Assembly& b, const fitup::InterferenceReport& reportB) {
  if (reportA.status != reportB.status) return "status";
  if (reportA.consideredPairs != reportB.consideredPairs) return "considered pairs";
  const auto first = byPath(a, reportA), second = byPath(b, reportB);
  if (first.size() != second.size())
    return std::to_string(first.size()) + " and " + std::to_string(second.size()) + " pairs";
  for (const auto& [paths, report] : first) {
    const auto found = second.find(paths);
    if (found == second.end()) return paths.first + " x " + paths.second + " only in one";
    if (!fitup::test::sameAnswer(report, found->second))
      return paths.first + " x " + paths.second + " differ";
  }
  return {};
}

std::string problemOfHits(const InterferenceVisitor& visitor, double tolerance) {
  std::map<const osg::Drawable*, PrimitiveList> primitives;
  const auto& hits = visitor.getInterferences();
  std::size_t next = 0;
  for (const fitup::PairInterference& pair : visitor.getReport().pairs)
    for (const fitup::TrianglePair& triangles : pair.report.trianglePairs) {
      if (next == hits.size()) return "hits are missing";
      const Interference& hit = hits[next++];
      if (hit.sides[0].triangle != triangles.a || hit.sides[1].triangle != triangles.b) return "wrong order";
      if (hit.sides[0].where->instance != pair.a || hit.sides[1].where->instance != pair.b)
        return "wrong instance";
      if (hit.getNumPoints() == 0) return "nothing in common";
      for (std::size_t side = 0; side < 2; ++side) {
        const Interference::Side& s = hit.sides[side];
        if (s.getDrawable() == nullptr) return "no drawable";
        if (s.getNodePath().back() != s.getDrawable()) return "path does not end at the drawable";
        for (std::size_t i = 0; i + 1 < s.getNodePath().size(); ++i)
          if (!s.getNodePath()[i]->asGroup()->containsNode(s.getNodePath()[i + 1])) return "broken path";
        const SceneInstance& instance = visitor.getSceneAssembly().at(s.where->instance);
        osg::NodePath fromPart;
        for (std::size_t i = instance.path.size() - 1; i < s.getNodePath().size(); ++i)
          fromPart.push_back(s.getNodePath()[i].get());
        if (instance.part->surfaceAt(fromPart, s.primitiveIndex) != s.where->surface)
          return "path does not lead to the surface";
        const TriangleRange range = instance.part->trianglesOf(s.where->surface, s.primitiveIndex);
        if (s.triangle < range.first || index(s.triangle) >= index(range.first) + range.count)
          return "primitive does not lead to the triangle";
        if (dynamic_cast<const osg::Vec3Array*>(s.getDrawable()->asGeometry()->getVertexArray()) == nullptr)
          continue;  // OSG's functors read no doubles
        auto& list = primitives[s.getDrawable()];
        if (list.primitives.empty()) {
          osg::TemplatePrimitiveFunctor<PrimitiveList> functor;
          s.getDrawable()->accept(functor);
          list = functor;
        }
        if (s.primitiveIndex >= list.primitives.size()) return "no such primitive";
        for (std::size_t i = 0; i < hit.getNumPoints(); ++i) {
          const osg::Vec3d world = hit.getWorldIntersectPoint(i);
          if (!(distanceTo(list.primitives[s.primitiveIndex], s.getMatrix(), toVec3(world)) <= tolerance))
            return "point does not lie on the primitive";
          if (!((hit.getLocalIntersectPoint(side, i) * s.getMatrix() - world).length() <= tolerance))
            return "local and world point differ";
        }
      }
    }
  return next == hits.size() ? std::string() : "too many hits";
}

std::vector<fitup::Triangle> trianglesByOsg(osg::Node& root) {
  TriangleReader reader;
  root.accept(reader);
  return std::move(reader.triangles);
}

osg::ref_ptr<osg::MatrixTransform> placed(const std::string& name, const fitup::Transform& placement,
                                          osg::Node* child) {
  osg::ref_ptr<osg::MatrixTransform> node = new osg::MatrixTransform(toMatrix(placement));
  node->setName(name);
  if (child != nullptr) node->addChild(child);
  return node;
}

const fitup::TriangleMesh& meshOf(const osg::Node& node) {
  return partModelOf(node)->getCollisionModel()->mesh();
}

osg::ref_ptr<CollisionModelVisitor> visit(osg::Node& root, bool saved) {
  osg::ref_ptr<CollisionModelVisitor> visitor = new CollisionModelVisitor;
  visitor->setSaved(saved);
  root.accept(*visitor);
  return visitor;
}

std::vector<std::string> namesOfParts(const CollisionModelVisitor& visitor) {
  std::vector<std::string> names;
  for (const auto& part : visitor.getParts()) names.push_back(part->getName());
  return names;
}

osgDB::Registry& osgDbOfThisBuild() {
  auto& paths = osgDB::Registry::instance()->getLibraryFilePathList();
  if (paths.empty() || paths.front() != FITUP_OSG_LIBRARY_PATH) paths.push_front(FITUP_OSG_LIBRARY_PATH);
  return *osgDB::Registry::instance();
}

osg::ref_ptr<osg::Geometry> boxGeometry(const osg::Vec3& centre, float side) {
  osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array;
  const float h = side / 2;
  for (int axis = 0; axis < 3; ++axis)
    for (const float sign : {-1.0F, 1.0F})
      for (const auto& [u, v] : {std::pair(-1.0F, -1.0F), std::pair(1.0F, -1.0F), std::pair(1.0F, 1.0F),
                                 std::pair(-1.0F, -1.0F), std::pair(1.0F, 1.0F), std::pair(-1.0F, 1.0F)}) {
        osg::Vec3 p;
        p[axis] = sign * h;
        p[(axis + 1) % 3] = u * sign * h;
        p[(axis + 2) % 3] = v * h;
        points->push_back(centre + p);
      }
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setVertexArray(points);
  geometry->addPrimitiveSet(new osg::DrawArrays(osg::PrimitiveSet::TRIANGLES, 0, 36));
  return geometry;
}

std::map<std::string, osg::ref_ptr<osg::Geometry>> unusableGeometries() {
  std::map<std::string, osg::ref_ptr<osg::Geometry>> made;
  made["vertices of shorts"] = boxGeometry({}, 2);
  made["vertices of shorts"]->setVertexArray(new osg::Vec3sArray(36));
  made["indices out of range"] = boxGeometry({}, 2);
  made["indices out of range"]->setPrimitiveSet(0, new osg::DrawArrays(GL_TRIANGLES, 36, 36));
  made["not finite"] = boxGeometry({}, 2);
  const std::vector<osg::Vec3> nowhere(36, osg::Vec3(NAN, 0, 0));
  made["not finite"]->setVertexArray(new osg::Vec3Array(nowhere.begin(), nowhere.end()));
  made["patches"] = boxGeometry({}, 2);
  made["patches"]->setPrimitiveSet(0, new osg::DrawArrays(GL_PATCHES, 0, 36));
  made["adjacency"] = boxGeometry({}, 2);
  made["adjacency"]->setPrimitiveSet(0, new osg::DrawArrays(GL_TRIANGLES_ADJACENCY, 0, 36));
  return made;
}

fitup::InterferenceReport fresh(osg::Node& scene, const fitup::InterferenceOptions& options) {
  const SceneAssembly now = createAssembly(scene);
  return checkAllPairs(now.scene, now.poses, options);
}

}  // namespace osgFitup::test
