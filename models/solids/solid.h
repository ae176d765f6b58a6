#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fitup/mesh/surface.h>
#include <models/solids/frame.h>

namespace fitup::models {

/// A rectangle in the parameters of a curved surface. Angles are in turns. Points are
///
/// - of a cylinder or cone: origin + z v + r(v) (x cos u + y sin u), r linear from `radius` at v0 to
///   `secondRadius` at v1;
/// - of a torus: origin + (radius + secondRadius cos v) (x cos u + y sin u) + z secondRadius sin v;
/// - of a sphere: origin + radius cos v (x cos u + y sin u) + z radius sin v.
struct CurvedFace {
  SurfaceKind kind = SurfaceKind::cylinder;
  Frame frame;
  double radius = 0;
  double secondRadius = 0;
  double u0 = 0, u1 = 1;  ///< u0 < u1
  double v0 = 0, v1 = 1;  ///< v0 < v1
  int uSteps = 24, vSteps = 1;
  bool inward = false;  ///< material lies outside, as in a bore

  [[nodiscard]] Vec3 at(double u, double v) const;
};

/// A straight edge, or an arc where `steps` is above 0: frame.origin + radius (x cos a + y sin a), a from a0
/// to a1 turns.
struct LoopEdge {
  Vec3 start, end;
  Frame frame;
  double radius = 0;
  double a0 = 0, a1 = 0;
  int steps = 0;
};
using Loop = std::vector<LoopEdge>;

/// A planar region; `frame.z` is the outward normal. The first loop is the outer one; direction does not
/// matter.
struct PlaneFace {
  Frame frame;
  std::vector<Loop> loops;
};

using Face = std::variant<CurvedFace, PlaneFace>;

/// A closed shell, or an open sheet (see PartDescription::open). Faces that meet do so along equal edges.
struct Solid {
  std::vector<Face> faces;

  void add(CurvedFace face) { faces.emplace_back(face); }
  void add(PlaneFace face) { faces.emplace_back(std::move(face)); }
};

/// What a part is made of: the one source of its triangles (`tessellate`) and of its B-Rep
/// (`write_plant_step`).
struct PartDescription {
  std::string name;
  Colour colour;
  bool open = false;  ///< a sheet without thickness
  std::vector<Solid> solids;
  Transform worldFromPart;

  [[nodiscard]] std::size_t faceCount() const;
};

/// Full circle in the plane of `frame`, as `pieces` arcs of equal length that start at the frame's x.
Loop circleLoop(const Frame& frame, double radius, int steps, int pieces);
/// Closed polygon.
Loop polygonLoop(const std::vector<Vec3>& corners);
/// What a CAD system would say of the face.
SurfaceDescription describe(const Face& face);

}  // namespace fitup::models
