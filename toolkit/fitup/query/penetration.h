#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fitup/query/intersect.h>
#include <fitup/query/posed_solid.h>

namespace FITUP_EXPORT fitup {

/// What to ask of an overlap. Lengths in the world's unit.
struct PenetrationRequest {
  /// Regions that are nowhere deeper are not reported. Larger: faster, as contact needs no further look.
  double deeperThan = 0;
  /// Largest error of a depth. Unset: 1/256 of the depth, or 1/64 of `deeperThan` (1/8 where that is below
  /// 2^-11 of the smaller body) where that is more. Smaller: slower, but far from in proportion. 0 is for
  /// depths that single points have; where many are as deep (plates in each other) `maxPieces` ends the
  /// search.
  std::optional<double> accuracy{};
  /// Off: only whether anything is deeper than `deeperThan`, with the point found first as the only region.
  bool regions = true;
  /// Pieces of surface looked at for each region and side; then no more are cut. The error bound says so; a
  /// region in which nothing was found by then is left out, if another one is deeper. Unset: 500,000, or 32
  /// for each triangle of the side where that is more.
  std::optional<std::size_t> maxPieces{};
  QueryLimits limits{};  ///< `maxPairs` is not used
};

/// A connected region in which two bodies overlap. Where triangles touch exactly, or components of one body
/// overlap each other, one region may be reported as several or several as one; the deepest is as deep.
struct PenetrationRegion {
  /// How far the patches of either surface that lie inside the other body reach behind its surface: the
  /// largest distance of their points from it. A property of the two surfaces: does not change when a mesh is
  /// subdivided.
  double depth = 0;
  /// The depth is at least `depth` and at most this much larger. Of the deepest region it holds for the pair.
  double errorBound = 0;
  Vec3 point;  ///< the deepest one, in the world
  /// Unit, from `point` to the nearest point of the other surface: the way out for the body that the point
  /// belongs to.
  Vec3 direction;
  bool pointOfFirst = true;  ///< `point` lies on the first body's surface, inside the second
  bool contained = false;    ///< no surfaces intersect: a component of one body lies wholly inside the other
  /// Set by `verdict` only: solids of both stand in one place; `point` lies inside both, on no surface.
  bool coincident = false;
  SurfacePair deepest;  ///< whose the point is, and the surface nearest to it; in the order of the query
  std::vector<SurfacePair>
      surfacePairs;  ///< that intersect at the region's border, sorted; empty if contained
};

struct PenetrationReport {
  std::vector<PenetrationRegion> regions;  ///< deepest first
  /// A body is not closed (see Watertightness): only its closed components have an inside, so that overlaps
  /// may be deeper than reported or not be seen.
  bool isLowerBound = false;
  /// `truncated`: the time budget ended it, or nothing was found in `maxPieces` and not everything is
  /// settled; regions may be missing and error bounds be large.
  ReportStatus status = ReportStatus::complete;
  std::size_t pieces = 0;  ///< of surface, looked at

  /// Of the pair: the deepest region's; 0 if there is none.
  [[nodiscard]] double depth() const noexcept { return regions.empty() ? 0 : regions.front().depth; }
};

/// Where two bodies overlap and how deep, by branch and bound over the continuous surfaces
/// (query/detail/depth_search.h). Surfaces that only touch or approach each other give nothing; a body inside
/// another one is a region.
///
/// Rigid and mirrored placements are answered directly, any other one through copies of both meshes in the
/// world (rounded to storage there, which `errorBound` counts in). Exchanging the bodies exchanges the
/// report. Depths carry, besides `errorBound`, the rounding of coordinates (`coordinateRounding` in
/// query/verdict.h).
///
/// Thread-safe for distinct contexts. Throws as `intersect`; InputError for lengths that are negative or no
/// numbers.
PenetrationReport penetration(const PosedSolid& first, const PosedSolid& second,
                              const PenetrationRequest& request, QueryContext& context);
PenetrationReport penetration(const PosedSolid& first, const PosedSolid& second,
                              const PenetrationRequest& request = {});

}  // namespace fitup
