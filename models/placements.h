#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/transform.h>
#include <fitup/mesh/triangle_mesh.h>
#include <models/grid.h>

namespace fitup::models {

/// The rotation about a unit axis by an angle in turns (1 = 360 degrees), as `angle.h` computes it.
Quaternion rotationByTurns(const Vec3& unitAxis, double turns);

/// The same part in a frame of its own that is turned: its faces and edges then lie along no axis.
TriangleMesh turnedMesh(const TriangleMesh& mesh, const Quaternion& rotation);

/// `count` placements whose rotation is uniform over all rotations and whose translation is uniform in a cube
/// of the given side about the origin (van den Bergen 1998, section 6).
std::vector<Transform> randomPlacements(std::size_t count, double cubeSide, std::uint64_t seed);

/// One object stays, the other one is placed by worldFromB.
using IntersectsAt = std::function<bool(const Transform& worldFromB)>;
/// Exact distance of the two objects, 0 where they intersect.
using DistanceAt = std::function<double(const Transform& worldFromB)>;

/// A way in: B is turned by `rotation` about its box's centre, which is then moved to A's box's centre + t *
/// direction, from large t to small.
struct Approach {
  Vec3 centreA, centreB;  ///< of the boxes, in the world and in B's own frame
  Vec3 direction;         ///< unit
  Quaternion rotation;
  double far = 0;  ///< a t at which the objects are surely apart

  [[nodiscard]] Transform at(double t) const;
};

/// The boxes are those of A in the world and of B in its own frame.
Approach randomApproach(const Box& boxA, const Box& boxB, std::uint64_t seed);

/// The first t, coming from `far`, at which the distance is `wanted`, to within `tolerance` (from above: the
/// objects are never closer than `wanted`). Steps by the distance less the wanted one, which cannot jump over
/// a contact since the distance changes by at most the way moved. Nothing if B passes A without coming that
/// close.
std::optional<double> approachToDistance(const Approach& approach, const DistanceAt& distance, double wanted,
                                         double tolerance);

/// The same for wanted distance 0 with nothing but an intersection query: marches inwards by `step` until the
/// objects intersect, then halves the last step to `tolerance` and returns its free end. May step over a
/// contact thinner than `step`; where that matters use the distance.
std::optional<double> approachToContact(const Approach& approach, const IntersectsAt& intersects, double step,
                                        double tolerance);

/// A pose of Trenkel's protocol.
struct DistancePose {
  double relativeDistance = 0;  ///< distance / size of the object that stays
  Transform worldFromB;
};

/// Poses at given relative distances (Trenkel, Weller and Zachmann, A Benchmarking Suite for Static Collision
/// Detection Algorithms, 2007): A stays, B takes `posesPerDistance` directions and orientations at each. 1.0
/// is the size of A (the longest edge of its box), 0.0 is almost touching: no intersection, at most
/// `touchingGap` * size apart. The distance is the objects' true distance, not an offset along the way. The
/// same ways in are used for every distance; ways on which B misses A are replaced by others. Throws
/// InputError if a hundred times as many ways do not suffice.
std::vector<DistancePose> distancePoses(const Box& boxA, const Box& boxB, const DistanceAt& distance,
                                        const std::vector<double>& relativeDistances,
                                        std::size_t posesPerDistance, std::uint64_t seed,
                                        double touchingGap = 1e-4);

/// Poses in which two equal grids reach into each other (both about their origin, A at the origin). In
/// `clear` poses the bars of one run through the middles of the other's cells and nothing touches; else B is
/// turned a little as well, so that bars cross. Shifts are odd multiples of half the spacing, up to half the
/// size, so that always an eighth of the lattices at least is entwined.
std::vector<Transform> entwinedGridPoses(const GridOptions& grid, std::size_t count, bool clear,
                                         std::uint64_t seed);

}  // namespace fitup::models
