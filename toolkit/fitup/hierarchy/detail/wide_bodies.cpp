#include <fitup/hierarchy/detail/wide_bodies.h>

namespace fitup::detail {

void setItems(Bodies& bodies, const TriangleMesh& mesh, const WorkMeter& meter) {
  for (std::uint32_t body = 0; body < bodies.weights.size(); ++body) {
    if (bodies.weights[body] == 0) continue;
    Box4 box;
    polledLoop(bodies.weights[body], meter, [&](std::size_t k) {
      const BuildItem item = itemOf(mesh, bodies.triangle(body, static_cast<std::uint32_t>(k)));
      box.extend(item.min, item.max);
    });
    BuildItem item{box.min, box.max};
    item.setId(body);
    bodies.items.push_back(item);
  }
}

Bodies surfacesOf(const TriangleMesh& mesh, const WorkMeter& meter) {
  Bodies surfaces;
  for (const Surface& surface : mesh.surfaces()) {
    surfaces.weights.push_back(surface.triangleCount);
    surfaces.first.push_back(surface.firstTriangle);
  }
  setItems(surfaces, mesh, meter);
  return surfaces;
}

}  // namespace fitup::detail
