#pragma once

#include <array>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/query/intersection_lines.h>
#include <fitup/scene/scene.h>

namespace fitup::viewer {

/// Where two parts intersect, for a picture. World coordinates.
struct FindingMarks {
  std::vector<IntersectionLine> lines;  ///< where their surfaces meet
  /// Pieces of the surface of each part that are inside the other one. Near the lines they are as small as a
  /// hundredth of what both boxes have in common. Empty if the other part is not closed: its inside is not
  /// known.
  std::array<std::vector<Triangle>, 2> regions;
  /// The regions have as many pieces as a picture needs, and are not complete.
  bool isCut = false;
};

/// `mostPieces` limits the pieces of each region. Makes missing models and solids. Throws as `intersect`, and
/// CancelledError. Thread-safe.
FindingMarks marksOf(const Scene& scene, const Poses& poses, NodeId a, NodeId b,
                     const Progress& progress = {}, std::size_t mostPieces = 40'000);

/// Returns the direction of sight, among those of a cube's faces, edges and corners and the present one, in
/// which the two parts hide a point least; the one nearest to the present one of several. Unit vectors.
Vec3 clearestSight(const Scene& scene, const Poses& poses, NodeId a, NodeId b, const Vec3& point,
                   const Vec3& present);

}  // namespace fitup::viewer
