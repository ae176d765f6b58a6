#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/motion/track.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// Options of `sweptVolume`. Lengths in the world's unit.
struct SweptVolumeOptions {
  /// e: the outer surface lies within this distance of the swept set. Unset: 1/200 of the size of what moves
  /// (the diagonal of its box in the design placement). Half of it: four times the triangles and the time,
  /// eight times the memory where the sweep is thick.
  std::optional<double> accuracy{};
  /// An instance. Set: the sweep is that which an observer on it sees, in its design placement: of the motion
  /// of each part in the frame of this instance. What moves together with it is left out.
  std::optional<NodeId> relativeTo{};
  /// Instances and subassemblies that sweep; those that keep their place in the frame are left out. Empty:
  /// all that the track moves. Name parts that rest in the world to see them sweep past a `relativeTo` that
  /// moves.
  std::vector<NodeId> parts{};
  /// Also makes an inner surface, `SweptVolume::inner`. Takes several times as long, most where walls that
  /// are not much thicker than the accuracy sweep a thick space.
  bool inner = false;
  bool force = false;    ///< accepts a track recorded on a model with a different hash
  unsigned threads = 1;  ///< `allCores`: one for each core. Does not affect the result
};

/// The part of the envelope that one face of a moved part makes: the face that comes nearest to it.
struct SweptPatch {
  NodeId instance{};
  SurfaceId face{};                 ///< of the instance's part
  double earliest = 0, latest = 0;  ///< the least and the greatest of `times` on the patch
  friend bool operator==(const SweptPatch&, const SweptPatch&) = default;
};

/// Why there is no inner surface.
enum class InnerMissing : std::uint8_t {
  notClosed,  ///< no part that moves is closed, so none has an inside
  tooThin  ///< what is swept is too thin for the accuracy: nothing of it is deeper than `InnerVolume::depth`
};

/// A surface within what closed parts sweep. Coordinates and lengths as those of `SweptVolume`.
///
/// The *depth* of a point is its distance from the nearest point that no closed part reaches.
struct InnerVolume {
  /// A closed surface, oriented outward. Every point on it and inside of it is within a closed part at some
  /// time. It has one face. Null if there is none; `missing` says why.
  std::shared_ptr<const TriangleMesh> mesh;
  std::optional<InnerMissing> missing{};
  /// Every point that is deeper than this is inside of the surface; if there is none, no point is deeper. An
  /// upper bound, which is measured: at most the accuracy for thick parts, several times that for thin walls
  /// and where parts reach a place with hardly more than an edge. 0 if no part is closed.
  double depth = 0;
  double volume = 0;
  double voxel = 0;  ///< size of the cells
};

/// What a motion sweeps. Coordinates and lengths are in the world, in its unit; with `relativeTo`, as seen
/// from that instance while it is in its design placement.
///
/// The *swept set* is every point that a moved part reaches at some time of the track, also between the
/// steps. A closed part is its surface with its inside, an open one its surface only. The parts are their
/// triangles: exact shapes may reach beyond them by their chord errors.
struct SweptVolume {
  /// A closed surface around the swept set, oriented outward. Every point of the swept set is inside of it,
  /// and every point of it is within `accuracy` of the swept set. Cavities that nothing reaches stay cavities
  /// if they are larger than about `accuracy`. Its surfaces are the patches, in the same order, named like
  /// "PATH: face 3 (plane), steps 0 to 2.25": the instance, its face, and the times of the patch. Triangles
  /// may intersect each other where the swept set is finer than the accuracy. Null if nothing moves that has
  /// triangles.
  std::shared_ptr<const TriangleMesh> outer;
  std::vector<SweptPatch> patches;  ///< by SurfaceId of `outer`, sorted by instance and face
  /// By TriangleId of `outer`: a time, in steps of the track, at which a part comes nearest.
  std::vector<double> times;
  double asked = 0;     ///< e of the options, or its default
  double accuracy = 0;  ///< that was reached, at most `asked`
  double voxel = 0;     ///< size of the cells
  double outerVolume = 0;
  std::optional<InnerVolume> inner{};  ///< if the options ask for it, and something moves that has triangles
  std::optional<NodeId> relativeTo{};  ///< of the options
  std::vector<NodeId> makers;          ///< the instances that swept, also those that no patch names
  /// Those of them whose parts are not closed, so that only their surfaces were swept.
  std::vector<NodeId> open;
  std::size_t queries = 0;  ///< of a distance between a part and a point or its way
  double milliseconds = 0;  ///< wall clock
};

/// True if this build can make swept volumes. They need OpenVDB.
bool hasSweptVolumes() noexcept;

/// Finds what the moved instances of a track sweep. docs/explanation/swept-volumes.md describes the method
/// and proves its bounds, which hold in floating-point arithmetic.
///
/// Thread-safe. Throws NotBuiltError if `hasSweptVolumes` is false; InputError for an accuracy that is not
/// above 0, or that is too small for the rounding of coordinates or for how far parts turn; as `resolve` for
/// tracks that do not fit the scene; InputError for a `relativeTo` that is not an instance and for `parts`
/// that the assembly does not have; CancelledError.
SweptVolume sweptVolume(const Scene& scene, const Track& track, const SweptVolumeOptions& options = {},
                        const Progress& progress = {});

}  // namespace fitup
