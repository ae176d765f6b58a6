#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/hierarchy/collision_model.h>
#include <fitup/mesh/recognise.h>
#include <fitup/query/distance_error.h>
#include <fitup/scene/assembly.h>
#include <viewer/core/snap_shapes.h>

namespace fitup::viewer {

/// A target of a measurement: a part, a face of it, a point of a face, or an edge.
struct MeasureTarget {
  NodeId instance{};
  std::optional<SurfaceId> surface{};  ///< unset: the whole part, or the edge
  std::optional<Vec3> pointInPart{};   ///< set: this point of the surface
  bool isCorner = false;               ///< the point is an end of an edge
  std::optional<EdgeCircle> circle{};  ///< set: the edge is on this circle, or the point is its centre
  std::shared_ptr<const CollisionModel> edge{};  ///< set: this edge of the part (`modelOfEdge`)
  friend bool operator==(const MeasureTarget&, const MeasureTarget&) = default;
};

/// A target in its placement.
struct PlacedTarget {
  MeasureTarget target;
  std::shared_ptr<const CollisionModel> model;  ///< of the part, or of the edge
  Transform worldFromPart;
  friend bool operator==(const PlacedTarget&, const PlacedTarget&) = default;
};

/// Two targets, or one to be described alone.
struct MeasureQuestion {
  PlacedTarget first;
  std::optional<PlacedTarget> second;
  friend bool operator==(const MeasureQuestion&, const MeasureQuestion&) = default;
};

/// The kinds of shapes between which `shapeDistance` is measured, without bounds. Centres of spheres count as
/// points.
enum class ShapePair { planes, axes, axisAndPlane, pointAndPlane, pointAndAxis, points };

/// The result of a measurement; world coordinates, in the assembly's unit.
struct MeasuredValue {
  std::optional<SurfaceDescription> firstShape,
      secondShape;                              ///< shapes of faces, as `placedSurface` returns them
  ShapeAccuracy firstAccuracy, secondAccuracy;  ///< how well these shapes are known
  Vec3 firstMiddle, secondMiddle;               ///< centroids of the faces that have a shape
  double firstSize = 0;                         ///< square root of the area of the first such face
  bool isOneFace = false;                       ///< one face alone, or the same one on both sides
  /// The least distance between the triangles of both in their placements, with its two points; exactly 0 if
  /// and only if faces or parts intersect.
  std::optional<double> distance;
  Vec3 firstPoint, secondPoint;
  /// By how much the distance of the exact shapes may differ from it: by the chord errors of the faces that
  /// may be as near, which for a point or an edge is that of its face, and by rounding. What is not known of
  /// the centre of a circle counts as rounding.
  DistanceError distanceError;
  /// Between two planes, two axes, or an axis and a plane; radians, at most a right angle.
  std::optional<double> angle;
  double angleError = 0;  ///< by how much it may be off, as the shapes are known
  /// The distance of the unbounded planes, axes and centres. For two planes, or an axis and a plane, only if
  /// they are parallel within `parallelWithin`; for skew axes, along their common perpendicular.
  std::optional<double> shapeDistance;
  /// By how much it may be off, as the shapes are known. There are no chord errors in it, except those of
  /// points of faces.
  double shapeDistanceError = 0;
  ShapePair shapes = ShapePair::points;
  std::string unclear;  ///< why there is no distance; otherwise empty
};

/// The angle in radians up to which planes and axes count as parallel; smaller than the uncertainty of
/// recognised faces.
inline constexpr double parallelWithin = 1e-4;

/// `unclear` says what cannot be measured. Thread-safe.
MeasuredValue measure(const MeasureQuestion& question, const Progress& progress = {});

/// Measures several questions and keeps the values, so that only targets with a new placement are measured
/// again. Use it from one thread.
class Measurer {
 public:
  std::vector<MeasuredValue> measure(const std::vector<MeasureQuestion>& questions,
                                     const Progress& progress = {});

 private:
  std::vector<MeasureQuestion> questions_;
  std::vector<MeasuredValue> values_;
};

}  // namespace fitup::viewer
