#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <fitup/mesh/mesh_topology.h>

namespace FITUP_EXPORT fitup {

/// A connected component of a part: triangles connected by edges.
struct ComponentWatertightness {
  std::uint32_t triangles = 0;
  std::uint32_t openEdges = 0;          ///< edges not used equally often in both directions
  std::uint32_t nonManifoldEdges = 0;   ///< edges of more than two triangles
  std::uint32_t reversedTriangles = 0;  ///< opposed to the majority; normalised, so they do no harm
  double signedVolume = 0;  ///< with the orientation of the majority in the file; the part's unit cubed
  bool insideOut = false;   ///< normals point into the material: normalised, see `Watertightness`
  [[nodiscard]] bool closed() const noexcept { return triangles > 0 && openEdges == 0; }
};

/// States whether a part bounds a volume, and which triangles must be reversed for their normals to point out
/// of it.
///
/// A component is closed if each of its edges is used equally often in both directions (two triangles of
/// opposite senses, or several such pairs); every point off the surface then has an integer winding number. A
/// closed component of negative volume is inside out, unless it bounds a cavity, that is, lies within an odd
/// number of other closed components. Immutable and thread-safe.
class Watertightness {
 public:
  Watertightness() = default;
  /// Precondition: `topology` is that of `mesh`. O(n), and O(n) more for each component of negative volume.
  /// Throws CancelledError.
  Watertightness(const TriangleMesh& mesh, const MeshTopology& topology, const WorkMeter& meter = {});

  /// True if all components are closed; false for a part without triangles.
  [[nodiscard]] bool closed() const noexcept { return closed_; }
  /// True if at least one component is closed: the part has an inside, though perhaps not all of it is known.
  [[nodiscard]] bool hasInside() const noexcept { return hasInside_; }
  /// +1 if the stored normal of the triangle points out of the material, -1 if it points in. In open
  /// components, relative to the majority.
  [[nodiscard]] int outward(TriangleId triangle) const noexcept {
    return outward_.empty() || outward_[index(triangle)] > 0 ? 1 : -1;
  }
  /// True for triangles of closed components.
  [[nodiscard]] bool bounds(TriangleId triangle) const noexcept {
    return outward_.empty() ? closed_ : std::abs(outward_[index(triangle)]) == 1;
  }
  [[nodiscard]] const std::vector<ComponentWatertightness>& components() const noexcept {
    return components_;
  }
  /// Surfaces with a triangle at an open edge, ascending.
  [[nodiscard]] const std::vector<SurfaceId>& openSurfaces() const noexcept { return openSurfaces_; }
  [[nodiscard]] std::uint32_t openEdges() const noexcept;
  [[nodiscard]] std::uint32_t nonManifoldEdges() const noexcept;
  /// Sum of the volumes of closed components; cavities are subtracted.
  [[nodiscard]] double volume() const noexcept;

 private:
  void normalise(const TriangleMesh& mesh, const MeshTopology& topology, const WorkMeter& meter);

  std::vector<ComponentWatertightness> components_;
  std::vector<SurfaceId> openSurfaces_;
  std::vector<std::int8_t> outward_;  ///< the sign; doubled for open components; empty if all are 1
  bool closed_ = false, hasInside_ = false;
};

/// Text for people: "closed", "open: 12 edges of 3 surfaces, ...".
std::string text(const Watertightness& watertightness);

}  // namespace fitup
