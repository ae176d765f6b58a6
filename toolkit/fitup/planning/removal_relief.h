#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// A face of one instance, set back into its material.
struct ReliefFace {
  NodeId instance{};
  /// More than one if the part has the face in pieces, such as a bore of two halves. Ascending.
  std::vector<SurfaceId> surfaces;
  /// Above 0: how far the face yields along its normal, in world units. Holes get wider, shafts thinner, by
  /// this radius.
  double offset = 0;
};

/// Faces that need to yield for a straight way to be certain. If each is set back by its offset
/// (`withFacesSetBack`), the way along the direction is certain over all of its length. This shows that these
/// offsets suffice, never that they are necessary: other faces, or other ways, may need less. Offsets above a
/// quarter of the size of the moved parts (the diagonal of their box) are not looked for.
struct RemovalRelief {
  std::size_t direction = 0;      ///< position in `RemovalReport::directions`
  std::vector<ReliefFace> faces;  ///< one to three
  /// With one offset smaller by this, or less, the way was not certain: it is stopped, or it would have taken
  /// too long to show that it is free. World units. Usually 1 % of the offset, or 1/10,000 of the size of the
  /// moved parts if that is more; where many distances are needed, such as in bores, 1/2000.
  double accuracy = 0;
};

/// Makes the scene in which these faces are set back. Each changed instance shows a part of its own; other
/// instances of its former part are as they were. The order of faces of one instance matters only where they
/// meet at slanted edges.
///
/// Points of a face move along its normal, into the material: along that of the plane, cylinder, cone, sphere
/// or torus if the face is one (`describeSurface`), otherwise of its triangles. Where the face meets others
/// at an edge, points move within those, as far as there is such a motion; else the others bend. Faces in
/// closed form that remain on it keep their descriptions and chord errors; those of growing round faces grow.
///
/// Empty if a part is not closed, or only after repairs; if the placement of an instance is no similarity; if
/// a triangle would turn over, the changed part would cross itself where it did not before, or would lose its
/// closed shells or cavities, as when an offset exceeds the thickness of a wall. Thread-safe. Throws
/// InputError for a surface that does not exist, for a node that is not an instance, and for offsets that are
/// not above zero.
std::optional<Scene> withFacesSetBack(const Scene& scene, const Poses& poses,
                                      std::span<const ReliefFace> faces);

}  // namespace fitup
