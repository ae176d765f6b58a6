#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/hierarchy/collision_model.h>
#include <fitup/scene/assembly.h>

namespace fitup::viewer {

/// What somebody has pointed at to measure: a part, a face of it, or a point of a face.
struct MeasureTarget {
  NodeId instance{};
  std::optional<SurfaceId> surface{};  ///< unset: the whole part
  std::optional<Vec3> pointInPart{};   ///< set: this point of the surface
  friend bool operator==(const MeasureTarget&, const MeasureTarget&) = default;
};

/// The same where it stands.
struct PlacedTarget {
  MeasureTarget target;
  std::shared_ptr<const CollisionModel> model;
  Transform worldFromPart;
  friend bool operator==(const PlacedTarget&, const PlacedTarget&) = default;
};

/// Two targets, or one that is asked about itself.
struct MeasureQuestion {
  PlacedTarget first;
  std::optional<PlacedTarget> second;
  friend bool operator==(const MeasureQuestion&, const MeasureQuestion&) = default;
};

/// What the distance of two unbounded shapes is between. Centres of spheres count as points.
enum class ShapePair { planes, axes, axisAndPlane, pointAndPlane, pointAndAxis, points };

/// World, in the assembly's unit.
struct MeasuredValue {
  std::optional<SurfaceDescription> firstShape, secondShape;  ///< of faces, as `placedSurface` returns
  /// Least distance of the two as they stand, of their triangles, and where it is taken; 0 exactly where
  /// faces or parts intersect.
  std::optional<double> distance;
  Vec3 firstPoint, secondPoint;
  /// Between two planes, two axes, or an axis and a plane; radians, at most a right angle.
  std::optional<double> angle;
  /// Of the planes, axes and centres without their bounds: of planes and of an axis and a plane only where
  /// they are parallel to `parallelWithin`, of axes that are askew along their common perpendicular.
  std::optional<double> shapeDistance;
  ShapePair shapes = ShapePair::points;
  std::string unclear;  ///< why there is no distance; else empty
};

/// Radians up to which planes and axes count as parallel: below what recognised faces are known to.
inline constexpr double parallelWithin = 1e-4;

/// What cannot be measured is said by `unclear`. Thread-safe.
MeasuredValue measure(const MeasureQuestion& question, const Progress& progress = {});

/// Measures several, and keeps the values for the next time: only what stands elsewhere is measured again.
/// One thread.
class Measurer {
 public:
  std::vector<MeasuredValue> measure(const std::vector<MeasureQuestion>& questions,
                                     const Progress& progress = {});

 private:
  std::vector<MeasureQuestion> questions_;
  std::vector<MeasuredValue> values_;
};

}  // namespace fitup::viewer
