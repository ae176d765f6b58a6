#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fitup/geometry/vec3.h>
#include <fitup/mesh/mesh_topology.h>

namespace FITUP_EXPORT fitup {

/// A connected component of a part: triangles connected by edges. A closed one is a shell.
struct ComponentWatertightness {
  std::uint32_t triangles = 0;
  std::uint32_t openEdges = 0;          ///< edges not used equally often in both directions
  std::uint32_t nonManifoldEdges = 0;   ///< edges of more than two triangles
  std::uint32_t reversedTriangles = 0;  ///< opposed to the majority; normalised, so they do no harm
  double signedVolume = 0;  ///< with the orientation of the majority in the file; the part's unit cubed
  bool isCavity = false;    ///< bounds a cavity of what it lies in: its normals point into the cavity
  bool insideOut = false;   ///< the majority of the normals points into the material: normalised
  [[nodiscard]] bool closed() const noexcept { return triangles > 0 && openEdges == 0; }
};

/// An edge that triangles, with their normals turned outward, run along more often in one direction than in
/// the other. Local coordinates.
struct OpenEdge {
  Vec3 from, to;
  int excess = 0;  ///< how many more times from `from` to `to`; above 0
};

/// States whether a part bounds a volume, and which triangles must be reversed for their normals to point out
/// of it. Immutable and thread-safe.
///
/// A component is closed if each of its edges is used equally often in both directions (two triangles of
/// opposite senses, or several such pairs); every point off the surface then has an integer winding number.
/// Closed components are turned so that their volume is positive; those that bound a cavity, negative.
class Watertightness {
 public:
  Watertightness() = default;
  /// Precondition: `topology` is that of `mesh`. No component is a cavity yet. O(n). Throws CancelledError.
  Watertightness(const TriangleMesh& mesh, const MeshTopology& topology, const WorkMeter& meter = {});
  /// The same with these components, one flag for each, as cavities. Precondition: those are closed.
  [[nodiscard]] Watertightness withCavities(const MeshTopology& topology,
                                            const std::vector<char>& isCavity) const;

  /// True if all components are closed; false for a part without triangles.
  [[nodiscard]] bool closed() const noexcept { return closed_; }
  /// False if no point is inside, and none unknown: for a part without triangles.
  [[nodiscard]] bool hasInside() const noexcept { return hasInside_; }
  /// +1 if the stored normal of the triangle points out of the material, -1 if it points in. In open
  /// components, relative to the majority.
  [[nodiscard]] int outward(TriangleId triangle) const noexcept {
    return outward_.empty() || outward_[index(triangle)] > 0 ? 1 : -1;
  }
  [[nodiscard]] const std::vector<ComponentWatertightness>& components() const noexcept {
    return components_;
  }
  /// Open edges of all components.
  [[nodiscard]] const std::vector<OpenEdge>& boundary() const noexcept { return boundary_; }
  /// Surfaces with a triangle at an open edge, ascending.
  [[nodiscard]] const std::vector<SurfaceId>& openSurfaces() const noexcept { return openSurfaces_; }
  [[nodiscard]] std::uint32_t openEdges() const noexcept;
  [[nodiscard]] std::uint32_t nonManifoldEdges() const noexcept;
  [[nodiscard]] std::uint32_t cavities() const noexcept;
  /// Sum of the volumes of closed components; cavities are subtracted.
  [[nodiscard]] double volume() const noexcept;

 private:
  void turn(const MeshTopology& topology, std::size_t triangles, const WorkMeter& meter);

  std::vector<ComponentWatertightness> components_;
  std::vector<OpenEdge> boundary_;
  std::vector<SurfaceId> openSurfaces_;
  std::vector<std::int8_t> outward_;  ///< empty if all are 1
  bool closed_ = false, hasInside_ = false;
};

/// Text for people: "closed", "open: 12 edges of 3 surfaces, ...".
std::string text(const Watertightness& watertightness);

}  // namespace fitup
