#pragma once

#include <span>
#include <vector>

#include <fitup/planning/detail/removal_directions.h>

namespace fitup::detail {

/// Poses in which moved instances stick in round openings of the others, as motions from where they are: an
/// axis of theirs on the axis of the opening, in both senses, in its middle and at both ends. A search that
/// begins there as well need not find into the openings. Whether the poses are free is not examined; those of
/// openings that fit best come first.
///
/// `axes` are of the moved instances' round faces; axes of their frames through the centre of their box are
/// added. Linear in the triangles of the scene. Throws CancelledError.
std::vector<RigidMotion> passagePoses(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                                      std::span<const WayAxis> axes, const Progress& progress = {});

}  // namespace fitup::detail
