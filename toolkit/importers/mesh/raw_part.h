#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::importers {

/// A part of a mesh file before its surfaces are decided.
struct RawPart {
  struct Face {
    TriangleIndices points;
    std::uint32_t source = 0;   ///< index of the face in the file
    std::uint32_t surface = 0;  ///< into `surfaces`
  };
  std::string name;
  std::vector<Vec3> points;
  std::vector<Face> triangles;
  std::vector<std::string> surfaces;           ///< names; with one or none the file does not divide the part,
  bool hasOwnSurfaces = false;                 ///< unless this says that they are all surfaces of the part
  std::vector<std::optional<Colour>> colours;  ///< colours of the surfaces; those beyond its end have none
};

/// Adds a polygon of at least three corners (indices into the part's points), cut into triangles.
void addPolygon(RawPart& part, std::span<const std::uint32_t> corners, std::uint32_t source,
                std::uint32_t surface);

/// Merges points of exactly equal coordinates, for files that repeat every corner.
void weld(RawPart& part);

/// Makes the mesh. Its surfaces are those of the file if there is more than one or `hasOwnSurfaces`;
/// otherwise smooth patches by `angleDegrees`; otherwise one. Triangles keep the order of the file within
/// their surface.
TriangleMesh buildMesh(const RawPart& part, std::optional<double> angleDegrees);

}  // namespace fitup::importers
