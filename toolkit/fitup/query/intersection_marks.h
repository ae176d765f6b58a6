#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/geometry/vec3.h>
#include <fitup/query/intersection_lines.h>
#include <fitup/query/posed_solid.h>

namespace FITUP_EXPORT fitup {

/// What of the surface of one part is inside another part, for pictures. World coordinates.
struct IntersectionRegion {
  /// Where the surface leaves the other part, they are as small as a hundredth of what the boxes of both have
  /// in common: so far may the border of the region be from the line of intersection.
  std::vector<Triangle> pieces;
  /// More pieces than `mostPieces` were needed, and the region is not complete.
  bool isCut = false;
};

/// Returns the region of `part` inside the material of `around`; empty if `around` is not closed, because its
/// inside is then not known. Triangles are halved where they cross the other surface, and each piece belongs
/// to the side of its centre. `mostPieces` limits the pieces that are looked at, which bounds the time.
/// Throws as `intersect`, NotBuiltError if a model has no wide tree, and CancelledError.
IntersectionRegion regionInside(const PosedModel& part, const PosedSolid& around,
                                const Progress& progress = {}, std::size_t mostPieces = 40'000);

/// Where two parts intersect, for a picture. World coordinates.
struct IntersectionMarks {
  /// Where their surfaces meet; without those of coplanar triangles, unless there are no others.
  std::vector<IntersectionLine> lines;
  std::array<IntersectionRegion, 2> regions;  ///< what of each part is inside the other one
  [[nodiscard]] bool isCut() const noexcept { return regions[0].isCut || regions[1].isCut; }
  [[nodiscard]] bool hasRegions() const noexcept {
    return !regions[0].pieces.empty() || !regions[1].pieces.empty();
  }
};

/// Arguments and errors as of `regionInside`. Thread-safe.
IntersectionMarks intersectionMarks(const PosedSolid& first, const PosedSolid& second,
                                    const Progress& progress = {}, std::size_t mostPieces = 40'000);

}  // namespace fitup
