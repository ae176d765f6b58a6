#pragma once

#include <array>
#include <bitset>
#include <optional>
#include <vector>

#include <fitup/mesh/recognise.h>
#include <fitup/scene/assembly.h>
#include <fitup/scene/mates.h>

namespace fitup::detail {

/// A planar face of an instance, or all faces of one of its cylinders, in the world.
struct MateFace {
  bool plane = true;
  std::vector<SurfaceId> surfaces;  ///< ascending
  std::vector<Triangle> triangles;
  double area = 0;
  Vec3 point;         ///< plane: centroid; cylinder: on the axis, in the middle of its extent
  Vec3 axis;          ///< unit vector: outward normal, or axis
  double radius = 0;  ///< cylinder
  bool peg = false;   ///< cylinder: material inside
  double halfLength = 0;
  ShapeAccuracy accuracy;  ///< in the world
};

/// The planes and cylinders of an instance at this placement.
std::vector<MateFace> mateFaces(const Assembly& assembly, NodeId instance, const Transform& worldFromPart,
                                const MateTolerances& tolerances);

/// Area that two sets of triangles share in the projection along `normal`.
double sharedPlaneArea(const std::vector<Triangle>& a, const std::vector<Triangle>& b, const Vec3& normal);

/// Area that two coaxial cylinders share: common length times common angle times radius.
double sharedCylinderArea(const MateFace& a, const MateFace& b, const Vec3& pointOfAxis, const Vec3& axis);

}  // namespace fitup::detail
