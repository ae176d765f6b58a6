#include <osgFitup/smooth_triangles.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include <fitup/base/error.h>

namespace osgFitup {
namespace {

using fitup::Point3f;
using fitup::Vec3;

/// Faces at a point whose normals differ by more than this meet in an edge.
const double creaseCosine = std::cos(40 * 3.14159265358979323846 / 180);
/// A point with more triangles than this is the tip of a fan, where the normals of neighbours mean little.
/// Each triangle then keeps its own normal, which also bounds the work.
constexpr std::size_t largestFan = 48;

bool before(const Point3f& a, const Point3f& b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); }

osg::Vec3 toVec3f(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// Returns the sum of the area-weighted normals of the triangles at a point that are smooth with triangle
/// `own`.
Vec3 smoothNormal(const std::vector<Vec3>& areaNormals, std::span<const std::uint32_t> fan,
                  std::uint32_t own) {
  const Vec3& mine = areaNormals[own];
  const double length = norm(mine);
  if (fan.size() > largestFan && length > 0) return mine * (1 / length);
  Vec3 sum;
  for (const std::uint32_t corner : fan) {
    const Vec3& other = areaNormals[corner / 3];
    // A degenerate triangle contributes nothing and takes the normal of the others.
    if (length == 0 || dot(mine, other) >= creaseCosine * length * norm(other)) sum = sum + other;
  }
  const double sumLength = norm(sum);
  return sumLength > 0 ? sum * (1 / sumLength) : Vec3{0, 0, 1};
}

}  // namespace

SmoothTriangles::SmoothTriangles()
    : points(new osg::Vec3Array(osg::Array::BIND_PER_VERTEX)),
      normals(new osg::Vec3Array(osg::Array::BIND_PER_VERTEX)),
      triangles(new osg::DrawElementsUInt(osg::PrimitiveSet::TRIANGLES)) {}

void SmoothTriangles::append(const fitup::TriangleMesh& mesh, std::span<const fitup::TriangleId> ids) {
  // Corner c of triangle t is 3 t + c; corners at one point are neighbours in `order`.
  const auto corners = static_cast<std::uint32_t>(3 * ids.size());
  std::vector<Vec3> areaNormals(ids.size());
  for (std::size_t t = 0; t < ids.size(); ++t) {
    if (index(ids[t]) >= mesh.triangleCount())
      throw fitup::InputError("smooth triangles", "triangle " + std::to_string(index(ids[t])),
                              "does not exist");
    const fitup::Triangle triangle = mesh.triangle(ids[t]);
    areaNormals[t] = cross(triangle.v[1] - triangle.v[0], triangle.v[2] - triangle.v[0]);
  }
  const auto pointOf = [&](std::uint32_t corner) -> const Point3f& {
    return mesh.points()[mesh.triangles()[index(ids[corner / 3])][corner % 3]];
  };
  std::vector<std::uint32_t> order(corners);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return before(pointOf(a), pointOf(b)); });

  const std::size_t firstCorner = triangles->size();
  triangles->resize(firstCorner + corners);
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && pointOf(order[end]) == pointOf(order[begin])) ++end;
    const std::span<const std::uint32_t> fan(order.data() + begin, end - begin);
    const Point3f& p = pointOf(fan.front());
    const std::size_t firstHere = points->size();
    for (const std::uint32_t corner : fan) {
      const osg::Vec3 normal = toVec3f(smoothNormal(areaNormals, fan, corner / 3));
      std::size_t vertex = firstHere;
      while (vertex < points->size() && (*normals)[vertex] != normal) ++vertex;
      if (vertex == points->size()) {
        points->push_back({p.x, p.y, p.z});
        normals->push_back(normal);
      }
      (*triangles)[firstCorner + corner] = static_cast<GLuint>(vertex);
    }
    begin = end;
  }
}

std::vector<fitup::TriangleId> trianglesOf(const fitup::TriangleMesh& mesh, fitup::SurfaceId surface) {
  const fitup::Surface& range = mesh.surfaces()[index(surface)];
  std::vector<fitup::TriangleId> ids(range.triangleCount);
  for (std::uint32_t i = 0; i < range.triangleCount; ++i) ids[i] = fitup::TriangleId{range.firstTriangle + i};
  return ids;
}

}  // namespace osgFitup
