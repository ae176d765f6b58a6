#include <fitup/mesh/weld.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include <fitup/base/disjoint_sets.h>

namespace fitup {
namespace {

std::vector<std::uint32_t> sortedByCoordinates(std::span<const Point3f> points) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t i) { return std::tuple(points[i].x, points[i].y, points[i].z, i); };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  return order;
}

}  // namespace

std::vector<std::uint32_t> weldByCoordinates(std::span<const Point3f> points) {
  const std::vector<std::uint32_t> order = sortedByCoordinates(points);
  std::vector<std::uint32_t> representative(points.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    representative[order[i]] =
        i > 0 && points[order[i]] == points[order[i - 1]] ? representative[order[i - 1]] : order[i];
  return representative;
}

std::vector<std::uint32_t> weldByDistance(std::span<const Point3f> points, double tolerance) {
  std::vector<std::uint32_t> representative = weldByCoordinates(points);
  if (!(tolerance > 0)) return representative;
  const std::vector<std::uint32_t> order = sortedByCoordinates(points);
  std::vector<std::uint32_t> distinct;
  for (std::uint32_t i : order)
    if (representative[i] == i) distinct.push_back(i);
  DisjointSets sets(points.size());
  const auto near = [&](float a, float b) { return std::abs(double(a) - b) <= tolerance; };
  for (std::size_t i = 0; i < distinct.size(); ++i)
    for (std::size_t j = i + 1; j < distinct.size(); ++j) {
      const Point3f &p = points[distinct[i]], &q = points[distinct[j]];
      if (!near(p.x, q.x)) break;
      if (near(p.y, q.y) && near(p.z, q.z)) sets.unite(distinct[i], distinct[j]);
    }
  for (std::uint32_t& r : representative) r = sets.find(r);
  return representative;
}

}  // namespace fitup
