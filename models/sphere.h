#pragma once

#include <fitup/mesh/triangle_mesh.h>
#include <fitup/scene/assembly.h>

namespace fitup::models {

/// An icosahedron whose faces are cut into frequency^2 triangles each and carried to the sphere about the
/// origin: 20 frequency^2 triangles, 32,000 by default. Each face of the icosahedron is a surface if
/// `patches` is set.
struct SphereOptions {
  double radius = 1;
  int frequency = 40;
  bool patches = false;

  [[nodiscard]] std::size_t triangleCount() const {
    return static_cast<std::size_t>(20) * frequency * frequency;
  }
};

TriangleMesh makeSphere(const SphereOptions& options = {});

/// Two spheres about one centre with the same tessellation, radii 1 and 1 + gap: the scene of Gottschalk, Lin
/// and Manocha (1996), figure "parallel close proximity". Instances "inner" and "outer".
Assembly makeConcentricSpheres(double gap, int frequency = 40);

}  // namespace fitup::models
