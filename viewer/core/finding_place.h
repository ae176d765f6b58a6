#pragma once

#include <optional>
#include <span>
#include <vector>

#include <viewer/core/findings.h>

namespace fitup::viewer {

/// The place of a finding in the world, to look at.
struct FindingPlace {
  Vec3 point;  ///< the deepest point of a clash, otherwise the middle of where the two meet
  /// Contains the point, where the two meet and the smaller of the two faces, with as much around them as is
  /// needed to recognise the place: a cube about the point that reaches as far as 0.6 times the radius of the
  /// smaller part and, if the other part is much larger, up to a quarter of the larger radius, but at most
  /// twice the smaller one.
  Box around;
  std::vector<Vec3> seen;  ///< points of the two faces near the place, and where they meet
};

/// Returns the place of a finding for these placements. `pair` is that of the report; null if it is not
/// known. The place of copies is all of them. Throws as `intersectionLines`.
FindingPlace placeOf(const Scene& scene, const Poses& poses, const Finding& finding,
                     const PairInterference* pair);

/// Returns the direction of sight to points of two parts: the present one, unless it shows less than a
/// quarter of what another one shows. It is then turned towards the nearest one of a cube's faces, edges and
/// corners that shows nearly the most, only until that much is seen. Nothing is seen of faces along the line
/// of sight. Unit vectors.
Vec3 clearSight(const Scene& scene, const Poses& poses, NodeId a, NodeId b, std::span<const Vec3> points,
                const Vec3& present);

/// Where a depth is: from the deepest point to the nearest point of the other surface, in the world.
struct DepthPlace {
  Vec3 from, to;
};
/// Returns that of a clash: of the region that the faces of the finding border, otherwise of the deepest one.
/// Empty unless the depth is known.
std::optional<DepthPlace> depthPlaceOf(const Finding& finding, const PairInterference& pair);

/// Returns the pair of a finding in a report; null if it has none. Logarithmic.
const PairInterference* pairOf(const InterferenceReport& report, const Finding& finding);

}  // namespace fitup::viewer
