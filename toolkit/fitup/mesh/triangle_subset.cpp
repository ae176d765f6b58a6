#include <fitup/mesh/triangle_subset.h>

#include <map>
#include <string>

#include <fitup/base/error.h>

namespace fitup {

TriangleMesh triangleSubset(const TriangleMesh& mesh, std::span<const TriangleId> kept) {
  std::vector<Point3f> points;
  std::vector<TriangleIndices> triangles;
  std::vector<std::uint32_t> sources;
  std::map<std::uint32_t, std::uint32_t> newIndex;
  TriangleMesh::Data data;
  data.name = mesh.name();
  data.origin = mesh.origin();
  data.deflection = mesh.deflection();
  data.validation = mesh.validation();
  data.surfaces.assign(mesh.surfaces().begin(), mesh.surfaces().end());
  for (Surface& s : data.surfaces) s.firstTriangle = s.triangleCount = 0;

  for (std::size_t k = 0; k < kept.size(); ++k) {
    const TriangleId id = kept[k];
    if (index(id) >= mesh.triangleCount() || (k > 0 && !(kept[k - 1] < id)))
      throw InputError("part '" + mesh.name() + "'", "triangle " + std::to_string(index(id)),
                       "does not exist or is out of order");
    TriangleIndices t = mesh.triangles()[index(id)];
    for (std::uint32_t& p : t) {
      const auto [place, fresh] = newIndex.try_emplace(p, static_cast<std::uint32_t>(points.size()));
      if (fresh) points.push_back(mesh.points()[p]);
      p = place->second;
    }
    triangles.push_back(t);
    sources.push_back(mesh.sourceTriangle(id));
    ++data.surfaces[index(mesh.surfaceOf(id))].triangleCount;
  }
  std::uint32_t next = 0;
  for (Surface& s : data.surfaces) {
    s.firstTriangle = next;
    next += s.triangleCount;
  }
  data.points = SharedArray(std::move(points));
  data.triangles = SharedArray(std::move(triangles));
  data.sourceTriangles = SharedArray(std::move(sources));
  return TriangleMesh(std::move(data));
}

}  // namespace fitup
