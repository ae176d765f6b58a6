#include "polygon.h"

#include <cmath>
#include <numeric>
#include <string>

#include <fitup/base/error.h>

namespace fitup::importers {
namespace {

/// The work of some seconds. Faces that cross themselves have no ears and take the third power of their
/// corners. Those of more than about a thousand corners are refused, and simple ones from some ten thousand
/// on.
constexpr std::size_t mostWork = 2'000'000'000;

struct Point2 {
  double x, y;
};

double turn(const Point2& a, const Point2& b, const Point2& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Projects along the largest component of the Newell normal, so that the polygon runs counterclockwise.
std::vector<Point2> project(std::span<const Vec3> corners) {
  Vec3 normal;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3 a = corners[i] - corners[0], b = corners[(i + 1) % corners.size()] - corners[0];
    normal = normal + cross(a, b);
  }
  int drop = std::abs(normal.x) > std::abs(normal.y) ? 0 : 1;
  if (std::abs(normal.z) >= std::abs(normal[drop])) drop = 2;
  const int u = (drop + 1) % 3, v = (drop + 2) % 3;
  const double sign = normal[drop] < 0 ? -1 : 1;
  std::vector<Point2> result;
  for (const Vec3& p : corners) result.push_back({sign * p[u], p[v]});
  return result;
}

}  // namespace

std::vector<std::array<std::uint32_t, 3>> triangulatePolygon(std::span<const Vec3> corners) {
  std::vector<std::array<std::uint32_t, 3>> result;
  const std::vector<Point2> points = project(corners);
  std::vector<std::uint32_t> rest(corners.size());
  std::iota(rest.begin(), rest.end(), 0U);

  std::size_t work = 0;  // corners visited
  const auto isEar = [&](std::size_t i, bool strict) {
    const std::uint32_t a = rest[(i + rest.size() - 1) % rest.size()], b = rest[i],
                        c = rest[(i + 1) % rest.size()];
    const double area = turn(points[a], points[b], points[c]);
    if (strict ? area <= 0 : area < 0) return false;
    work += rest.size();
    for (std::uint32_t p : rest) {
      if (p == a || p == b || p == c) continue;
      const double ab = turn(points[a], points[b], points[p]), bc = turn(points[b], points[c], points[p]);
      const double ca = turn(points[c], points[a], points[p]);
      if (strict ? ab >= 0 && bc >= 0 && ca >= 0 : ab > 0 && bc > 0 && ca > 0) return false;
    }
    return true;
  };

  while (rest.size() > 3) {
    // First choice: an ear that touches no other corner; then one that does; then any, so that no part of the
    // face is lost.
    std::size_t chosen = rest.size();
    for (bool strict : {true, false})
      for (std::size_t i = 0; i < rest.size() && chosen == rest.size(); ++i)
        if (isEar(i, strict)) chosen = i;
    if (work > mostWork)
      throw InputError("a face of " + std::to_string(corners.size()) +
                       " corners takes too long to triangulate");
    if (chosen == rest.size()) chosen = 1;
    result.push_back(
        {rest[(chosen + rest.size() - 1) % rest.size()], rest[chosen], rest[(chosen + 1) % rest.size()]});
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  result.push_back({rest[0], rest[1], rest[2]});
  return result;
}

}  // namespace fitup::importers
