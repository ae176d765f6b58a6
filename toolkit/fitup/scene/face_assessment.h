#pragma once

#include <cstddef>
#include <optional>

#include <fitup/scene/interference_report.h>

namespace FITUP_EXPORT fitup {

/// The region of overlap that an intersecting pair of surfaces borders, the deepest one, by position in
/// `VerdictReport::regions`. Parts that coincide or pierce each other do so with all their surfaces.
std::optional<std::size_t> regionOf(const PairInterference& pair, const SurfacePair& surfaces);

/// The result for an intersecting pair of surfaces: surfaces at the border of a region clash with the depth
/// of that region, others are in contact. Without a point. Reports and the viewer use it.
Assessment faceAssessment(const PairInterference& pair, const SurfacePair& surfaces);

}  // namespace fitup
