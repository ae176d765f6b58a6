#include "raw_part.h"

#include <algorithm>

#include <fitup/mesh/segmentation.h>
#include <fitup/mesh/weld.h>

#include "polygon.h"

namespace fitup::importers {
namespace {

TriangleMesh buildWith(const RawPart& part, const std::vector<std::string>& names,
                       const std::vector<std::uint32_t>& surfaceOf, bool areOwn) {
  TriangleMeshBuilder builder(part.name);
  for (const Vec3& point : part.points) builder.addPoint(point);
  std::vector<std::vector<std::uint32_t>> trianglesOf(names.size());
  for (std::uint32_t i = 0; i < surfaceOf.size(); ++i) trianglesOf[surfaceOf[i]].push_back(i);
  for (std::size_t s = 0; s < names.size(); ++s) {
    // Patches of a part that the file does not divide have the colour of the part.
    const std::size_t colour = areOwn ? s : 0;
    builder.beginSurface(names[s], colour < part.colours.size() ? part.colours[colour] : std::nullopt);
    for (std::uint32_t i : trianglesOf[s]) {
      const auto& [points, source, surface] = part.triangles[i];
      builder.addTriangle(points[0], points[1], points[2], source);
    }
  }
  return builder.build();
}

}  // namespace

void addPolygon(RawPart& part, std::span<const std::uint32_t> corners, std::uint32_t source,
                std::uint32_t surface) {
  if (corners.size() == 3) {
    part.triangles.push_back({{corners[0], corners[1], corners[2]}, source, surface});
    return;
  }
  std::vector<Vec3> points;
  for (const std::uint32_t corner : corners) points.push_back(part.points[corner]);
  for (const auto& t : triangulatePolygon(points))
    part.triangles.push_back({{corners[t[0]], corners[t[1]], corners[t[2]]}, source, surface});
}

void weld(RawPart& part) {
  // Renamed in place: when a point equals an earlier one, that one already has its new index.
  std::vector<std::uint32_t> renamed = weldByCoordinates(part.points);
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < renamed.size(); ++i) {
    if (renamed[i] != i) {
      renamed[i] = renamed[renamed[i]];
      continue;
    }
    part.points[kept] = part.points[i];
    renamed[i] = kept++;
  }
  part.points.resize(kept);
  for (auto& triangle : part.triangles)
    for (std::uint32_t& p : triangle.points) p = renamed[p];
}

TriangleMesh buildMesh(const RawPart& part, std::optional<double> angleDegrees) {
  std::vector<std::uint32_t> surfaceOf(part.triangles.size(), 0);
  if (part.surfaces.size() > 1 || part.hasOwnSurfaces) {
    std::transform(part.triangles.begin(), part.triangles.end(), surfaceOf.begin(),
                   [](const RawPart::Face& triangle) { return triangle.surface; });
    return buildWith(part, part.surfaces, surfaceOf, true);
  }
  std::vector<std::string> names{part.surfaces.empty() ? std::string() : part.surfaces.front()};
  TriangleMesh whole = buildWith(part, names, surfaceOf, false);
  if (!angleDegrees || part.triangles.empty()) return whole;
  surfaceOf = segmentByDihedralAngle(whole, *angleDegrees);
  const std::string name = names.front();  // that of a single group or material, for all patches
  names.assign(*std::max_element(surfaceOf.begin(), surfaceOf.end()) + std::size_t{1}, name);
  return buildWith(part, names, surfaceOf, false);
}

}  // namespace fitup::importers
