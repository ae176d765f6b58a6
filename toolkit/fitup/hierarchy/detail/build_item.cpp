#include <fitup/hierarchy/detail/build_item.h>

namespace fitup::detail {

BuildItem itemOf(const TriangleMesh& mesh, std::uint32_t triangle) {
  BuildItem item;
  const TriangleIndices& t = mesh.triangles()[triangle];
  const auto point = [&](std::size_t i) {
    const Point3f& p = mesh.points()[t[i]];
    return Float4{p.x, p.y, p.z, 0};
  };
  const Float4 a = point(0), b = point(1), c = point(2);
  item.min = smaller(smaller(a, b), c);
  item.max = larger(larger(a, b), c);
  item.setId(triangle);
  return item;
}

std::vector<BuildItem> triangleItems(const TriangleMesh& mesh, const WorkMeter& meter) {
  std::vector<BuildItem> items;
  items.reserve(mesh.triangleCount());
  polledLoop(mesh.triangleCount(), meter,
             [&](std::size_t i) { items.push_back(itemOf(mesh, static_cast<std::uint32_t>(i))); });
  return items;
}

}  // namespace fitup::detail
