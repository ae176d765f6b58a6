#pragma once

#include <optional>
#include <vector>

#include <fitup/motion/certificate.h>
#include <fitup/scene/clearance.h>

namespace FITUP_EXPORT fitup {

/// Options of `wayProfile`. Lengths in the world's unit.
struct WayProfileOptions {
  std::optional<double> tolerance{};  ///< within which parts touch, as in `ContactPlacesOptions`
  Rules rules{};                      ///< as those of the certificate
  std::size_t mostTimes = 200;        ///< at which the way is looked at; at least each step is
  QueryLimits limits{};               ///< `maxPairs` is not used
  std::size_t maxQueries = 20'000;    ///< for `WayProfile::atLeast`
};

/// The nearest other part at a time of a way.
struct WayClearance {
  double time = 0;        ///< in steps of the track
  InstanceDistance pair;  ///< `a` is the moved one; the points are in the world, at that time
};

/// Faces that touch at times of a way, one after another.
struct WaySlide {
  NodeId moved{}, rest{};
  SurfacePair surfaces;     ///< of the moved part, of the resting one
  double from = 0, to = 0;  ///< the first and the last time at which they were seen to touch, in steps
};

/// How near the moved parts come to others along a way, and on what they slide.
struct WayProfile {
  /// In the order of time, at each step and at times between, of pairs that do not touch at the start. Times
  /// at which there is no such pair are left out.
  std::vector<WayClearance> clearances;
  /// At every time of the way, also between the times above, such pairs are at least this far apart. Unset: a
  /// limit ended the search for it, or there is no such pair.
  std::optional<double> atLeast{};
  /// By time. What touches only between the times that were looked at is missing.
  std::vector<WaySlide> slides;
  /// If it is not complete, later times are missing, and slides may end too early.
  ReportStatus status = ReportStatus::complete;
};

/// Measures the track of a certificate whose groups all move as one (`findRemoval`). Other instances rest at
/// `poses`.
///
/// Thread-safe. Throws as `motionClearance` and `contactPlaces`.
WayProfile wayProfile(const Scene& scene, const Poses& poses, const Certificate& certificate,
                      const WayProfileOptions& options = {}, const Progress& progress = {});

}  // namespace fitup
