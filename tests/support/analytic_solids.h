#pragma once

#include <cstdint>
#include <functional>

#include "tiny_meshes.h"

namespace fitup::test {

/// Makes a watertight tube about z, centred: outside, bore, two end rings (four surfaces). Corners lie on the
/// circles, so the outside lies at most radius (1 - cos(pi / segments)) inside its cylinder, and the bore by
/// the same formula inside its own.
MeshPtr tube(double outer, double inner, double height, std::uint32_t segments, std::uint32_t rows = 1);

/// Returns the distance from a circle to the middle of a chord.
double sagitta(double radius, std::uint32_t segments);

/// A V-thread about z: the radius is mean + depth / 2 * w(z / pitch - turns), w the triangle wave from -1 to
/// 1.
struct Thread {
  double mean = 5, depth = 1, pitch = 2, length = 8;
  std::uint32_t segments = 48, rowsPerPitch = 16;
};
/// Makes a watertight rod with this thread (surfaces: thread, two ends).
MeshPtr threadedRod(const Thread& thread);
/// Makes a watertight ring of the given outer radius with this thread in its bore (thread, outside, two
/// ends).
MeshPtr threadedRing(const Thread& thread, double outer);

/// Cuts each triangle into four in its plane, `times` times: the same surface up to the rounding of points.
MeshPtr subdivided(const MeshPtr& mesh, std::uint32_t times = 1);

/// Joins several meshes to one part, with their surfaces in sequence.
MeshPtr joined(const std::vector<MeshPtr>& meshes);

/// Reverses every triangle.
MeshPtr insideOut(const MeshPtr& mesh);

/// Returns the mesh with a deflection, as if from CAD.
MeshPtr withDeflection(const MeshPtr& mesh, double linear);

}  // namespace fitup::test
