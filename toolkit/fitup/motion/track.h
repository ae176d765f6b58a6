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
  /// All numbers are finite, and the quaternion is of unit length, its square to 1e-6.
  [[nodiscard]] bool isRigid() const noexcept;
  friend bool operator==(const RigidMotion&, const RigidMotion&) = default;
};

/// The product of two motions, `second` after `first`.
RigidMotion operator*(const RigidMotion& second, const RigidMotion& first);
/// The motion that takes back another one.
RigidMotion inverse(const RigidMotion& motion);

/// Coordinates of parts that are moved, in the assembly's unit: beyond, pictures and sums lose what is small.
constexpr double farthestMoved = 1e9;
/// worldFromPart of an instance that is moved from its design placement. Throws InputError, which names the
/// instance, for a node that is none and where the part would reach beyond `farthestMoved`.
Transform movedPlacement(const Assembly& design, NodeId instance, const RigidMotion& motion);

/// The motion that turns about `centre` (world) and then shifts.
RigidMotion motionAbout(const Vec3& centre, const Quaternion& rotation, const Vec3& shift);

/// A recorded motion: which instances or subassemblies move, and their pose at every step.
struct Track {
  std::string name{};
  std::string unit = "mm";
  /// `Assembly::contentHash` of the model it was recorded on; unset: not checked.
  std::optional<std::uint64_t> modelHash{};
  /// Paths of the moved instances or subassemblies; each is one rigid group.
  std::vector<std::string> moved{};
  /// steps[k][i] is the motion of moved[i] at step k, from the design placement.
  std::vector<std::vector<RigidMotion>> steps{};
};

/// Pose between two steps: position linear, rotation slerp, about `centre` (world, of the moved box in the
/// design placement), s in [0, 1].
RigidMotion interpolate(const RigidMotion& a, const RigidMotion& b, const Vec3& centre, double s);

}  // namespace fitup
