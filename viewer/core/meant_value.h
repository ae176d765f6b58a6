#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <viewer/core/measurement.h>

namespace fitup::viewer {

/// The value of a measurement that its label shows.
enum class Meaning { leastDistance, axisDistance, planeDistance, angle, diameter };

/// The value that is meant, and what is drawn for it; world coordinates.
struct MeantValue {
  Meaning meaning = Meaning::leastDistance;
  double value = 0;                               ///< a length, or radians
  DistanceError error;                            ///< for an angle, `rounding` is in radians
  std::vector<std::pair<Vec3, Vec3>> lines;       ///< the measured line or the arc of an angle
  std::vector<std::pair<Vec3, Vec3>> extensions;  ///< from there to the faces
  std::vector<Vec3> ends;                         ///< of the measured line
  Vec3 label;                                     ///< the place of the number
};

/// Returns the value that people mean when they measure between these shapes:
/// - one cylinder: its diameter, across the axis beside the middle of the face;
/// - two parallel axes: their distance, halfway between the middles of the faces;
/// - two parallel planes: their distance, at the nearest point of the first face;
/// - two planes or two axes that are not parallel: their angle, with an arc beside the nearer face; for skew
///   axes, the arc is at the first one;
/// - otherwise the least distance, between the nearest points.
/// Points, parts and freeform faces have only the last one. Empty if nothing of it is known.
std::optional<MeantValue> meantValue(const MeasuredValue& measured);

}  // namespace fitup::viewer
