#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fitup/query/intersect.h>
#include <fitup/query/posed_solid.h>

namespace FITUP_EXPORT fitup {

/// Options of a penetration query. Lengths are in world units.
struct PenetrationRequest {
  /// Regions that are nowhere deeper than this are not reported. A larger value makes the query faster,
  /// because contact needs no further search.
  double deeperThan = 0;
  /// Largest error of a depth. If unset, it is 1/64 of the depth or of `deeperThan`, whichever is
  /// larger (up to 1/8 if `deeperThan` is below 2^-11 of the size of the smaller body; 2^-17 of that size if
  /// `deeperThan` is 0). A smaller value is slower, but much less than proportionally. 0 works only if single
  /// points are deepest; if many points are equally deep (plates in each other), `maxPieces` ends the search.
  std::optional<double> accuracy{};
  /// If off, the query only decides whether anything is deeper than `deeperThan`, and reports the first point
  /// found as the only region.
  bool regions = true;
  /// Number of pieces of surface to examine for each region and side. When it is reached, the error bound
  /// covers the rest. A region in which nothing has been found by then is left out if another one is deeper.
  /// If unset, 500,000, or 32 for each triangle of the side if that is more.
  std::optional<std::size_t> maxPieces{};
  /// Looks for cores even if the surfaces are nowhere deeper than `deeperThan`: connected sets of points that
  /// lie deeper than that in one body, and inside the other body as a whole. If off, cores are looked for
  /// only where surfaces overlap, and only with `regions`. Points of a motion that starts without such cores
  /// come to one only if a surface gets as deep first.
  bool enclosedCores = true;
  /// Counts points whose side of an open body is unknown (`PointSide::unknown`) as inside. If nothing is
  /// found then, nothing is deeper whatever they are.
  bool unknownIsInside = false;
  QueryLimits limits{};  ///< `maxPairs` is ignored
};

/// A connected region in which two bodies overlap. Where triangles touch exactly, or where components of one
/// body overlap each other, one region may be reported as several, or several as one. This does not affect
/// the largest depth.
struct PenetrationRegion {
  /// Largest distance from a point inside both bodies to the surface of one of them. It is a property of the
  /// two bodies and does not change if a mesh is subdivided. In regions other than the deepest one, only
  /// points on the surfaces are considered.
  double depth = 0;
  /// The true depth is at least `depth` and at most this much larger. For the deepest region this holds for
  /// the pair.
  double errorBound = 0;
  Vec3 point;  ///< the deepest point, in the world
  /// Unit vector from `point` to the nearest point of the other surface: the way out for the body to which
  /// the point belongs.
  Vec3 direction;
  bool pointOfFirst = true;  ///< `point` lies on the surface of the first body, inside the second
  bool contained = false;    ///< no surfaces intersect: a component of one body lies entirely inside the
                             ///< other
  /// One body encloses a core of the other, as if solids of both are in one place or overlap by much. `point`
  /// lies inside both, on no surface. It is deepest in the second body if `pointOfFirst`, else in the first.
  bool coincident = false;
  /// Set only by `verdict`: each body has a point of the middle of a wall of the other that is thinner than
  /// twice the tolerance; `point` is such a point, on the surface of the body or inside it.
  bool pierced = false;
  SurfacePair deepest;  ///< the surface of the point and the surface nearest to it, in the order of the query
  std::vector<SurfacePair> surfacePairs;  ///< pairs of surfaces that intersect at the border of the region,
                                          ///< sorted; empty if contained
};

/// Result of a penetration query.
struct PenetrationReport {
  std::vector<PenetrationRegion> regions;  ///< deepest first
  /// True if a body is not closed (see Watertightness). Only its closed components have an inside, so
  /// overlaps may be deeper than reported or missed.
  bool isLowerBound = false;
  /// `truncated` means that the time budget ended the query, or that `maxPieces` was reached before anything
  /// was found or excluded. Regions may then be missing and error bounds may be large.
  ReportStatus status = ReportStatus::complete;
  std::size_t pieces = 0;  ///< number of pieces of surface examined

  /// Depth of the pair, that is, of the deepest region; 0 if there is none.
  [[nodiscard]] double depth() const noexcept { return regions.empty() ? 0 : regions.front().depth; }
};

/// Finds the regions in which two bodies overlap and their depths, by branch and bound over the continuous
/// surfaces (query/detail/depth_search.h). Where a point inside is deeper than all points of the surfaces, it
/// is in a core of one body that the other one encloses as a whole; one point of each core decides that
/// (query/detail/core_search.h). Surfaces that only touch or approach each other are not reported. A body
/// inside another one is a region.
///
/// Rigid and mirrored placements are handled directly. For any other placement both meshes are copied into
/// the world; `errorBound` includes the rounding of these copies to storage. Exchanging the bodies exchanges
/// the report. The rounding of coordinates (`coordinateRounding` in query/verdict.h) adds to `errorBound`.
///
/// Thread-safe for distinct contexts. Throws as `intersect`, and InputError for lengths that are negative or
/// NaN.
PenetrationReport penetration(const PosedSolid& first, const PosedSolid& second,
                              const PenetrationRequest& request, QueryContext& context);
/// Same as above with a context of its own, for single queries.
PenetrationReport penetration(const PosedSolid& first, const PosedSolid& second,
                              const PenetrationRequest& request = {});

/// Looks for the deepest core that one body encloses (`PenetrationRegion::coincident`), given that a query
/// without `enclosedCores` has found nothing: no point of either surface is deeper than `deeperThan` in the
/// other body. The report has at most one region. Everything else is as in `penetration`.
PenetrationReport enclosedCore(const PosedSolid& first, const PosedSolid& second,
                               const PenetrationRequest& request, QueryContext& context);

}  // namespace fitup
