#include <fitup/mesh/weld.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace fitup {
std::vector<std::uint32_t> weldByCoordinates(std::span<const Point3f> points, const WorkMeter& meter) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t i) { return std::tuple(points[i].x, points[i].y, points[i].z, i); };
  auto less = polled(meter, [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::sort(order.begin(), order.end(), std::ref(less));
  meter.poll();
  std::vector<std::uint32_t> representative(points.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    representative[order[i]] =
        i > 0 && points[order[i]] == points[order[i - 1]] ? representative[order[i - 1]] : order[i];
  return representative;
}

}  // namespace fitup
