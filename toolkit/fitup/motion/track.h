#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fitup/geometry/transform.h>
#include <fitup/scene/assembly.h>

namespace FITUP_EXPORT fitup {

/// A rigid motion D in the world: rotation, then translation, in the assembly's unit.
/// worldFromPart = D * designPlacement.
struct RigidMotion {
  Quaternion rotation;
  Vec3 translation;

  [[nodiscard]] Transform transform() const { return Transform::rigid(rotation, translation); }
  /// True if all numbers are finite and the squared length of the quaternion is 1 to 1e-6.
  [[nodiscard]] bool isRigid() const noexcept;
  friend bool operator==(const RigidMotion&, const RigidMotion&) = default;
};

/// The product of two motions: `first`, then `second`.
RigidMotion operator*(const RigidMotion& second, const RigidMotion& first);
/// The inverse motion.
RigidMotion inverse(const RigidMotion& motion);

/// The angle of the shortest turn from one rotation to the other, from 0 to 180.
double degreesBetween(const Quaternion& a, const Quaternion& b);

/// Largest coordinate of moved parts, in the assembly's unit: beyond it, pictures and sums lose small
/// details.
constexpr double farthestMoved = 1e9;
/// The worldFromPart of an instance that is moved from its design placement. Throws InputError, which names
/// the node, if it is not an instance or if the part would reach beyond `farthestMoved`.
Transform movedPlacement(const Assembly& design, NodeId instance, const RigidMotion& motion);

/// The motion that rotates about `centre` (world) and then translates by `shift`.
RigidMotion motionAbout(const Vec3& centre, const Quaternion& rotation, const Vec3& shift);

/// A turn about an axis of the world, with an advance along it (a screw).
struct AxisTurn {
  Vec3 point;               ///< any point of the axis, in the world
  Vec3 direction{0, 0, 1};  ///< of the axis, of any length but zero; the turn follows the right-hand rule
  double degrees = 0;       ///< any number of turns, in either sense
  double advance = 0;       ///< along the direction, in the track's unit

  /// The motion after a share s of the turn.
  [[nodiscard]] RigidMotion at(double s) const;
  /// True if all numbers are finite and the direction is not zero.
  [[nodiscard]] bool isValid() const noexcept;
  /// True if the turn leads from one pose to the other, up to rounding.
  [[nodiscard]] bool leads(const RigidMotion& from, const RigidMotion& to) const;
  friend bool operator==(const AxisTurn&, const AxisTurn&) = default;
};

/// The way from a pose to the next one. By default it is *straight*: the centre goes along a line, at
/// constant speed, while the part turns about it through the shorter arc.
struct StepWay {
  /// Set: the way is a turn or a screw. The next pose is `turn->at(1)` * the pose before.
  std::optional<AxisTurn> turn{};
  /// The centre of a straight way, in the world, in the design placement. Unset: the centre of the box of
  /// what moves.
  std::optional<Vec3> pivot{};

  friend bool operator==(const StepWay&, const StepWay&) = default;
};

/// A recorded motion: the instances or subassemblies that move, and their poses at every step.
struct Track {
  std::string name{};
  std::string unit = "mm";
  /// `Assembly::contentHash` of the model on which the track was recorded; unset: not checked.
  std::optional<std::uint64_t> modelHash{};
  /// Paths of the moved instances or subassemblies; each is one rigid group.
  std::vector<std::string> moved{};
  /// steps[k][i] is the motion of moved[i] at step k, from the design placement.
  std::vector<std::vector<RigidMotion>> steps{};
  /// ways[k][i] leads moved[i] from step k - 1 to step k; at step 0 only the pivot may be set, without
  /// effect. Empty: all ways are straight about the centre of the box, as in tracks of version 1.
  std::vector<std::vector<StepWay>> ways{};
  /// What the reader of the file had to change, for users to read. Not written to files.
  std::vector<std::string> warnings{};

  /// The way from step - 1 to `step` of moved[i].
  [[nodiscard]] StepWay wayTo(std::size_t step, std::size_t i) const {
    return ways.empty() ? StepWay{} : ways.at(step).at(i);
  }
  /// True if any way is not the default one. Such a track needs version 2 of the file format.
  [[nodiscard]] bool hasWays() const;
};

/// Throws InputError, which names the source, the step and the path, for ways that are missing, are not
/// finite, or do not lead to their poses. A track without ways is accepted.
void requireWays(const Track& track, const std::string& source);

/// The pose between two steps, s in [0, 1]: linear in position, slerp in rotation, about `centre` (world, of
/// the moved box in the design placement).
RigidMotion interpolate(const RigidMotion& a, const RigidMotion& b, const Vec3& centre, double s);

/// The steps of a track whose way is ambiguous: the shorter arc from the step before is above
/// `ambiguousDegrees`, so that the opposite sense is nearly as short.
struct AmbiguousSteps {
  std::size_t count = 0;            ///< of poses
  std::size_t step = 0, moved = 0;  ///< the first one
  double degrees = 0;               ///< its arc
};
inline constexpr double ambiguousDegrees = 175;
AmbiguousSteps ambiguousSteps(const Track& track);
/// The warnings of the track, and one about its ambiguous steps, for users to read.
std::vector<std::string> trackWarnings(const Track& track);

}  // namespace fitup
