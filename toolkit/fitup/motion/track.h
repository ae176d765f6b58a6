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

/// Largest coordinate of moved parts, in the assembly's unit: beyond it, pictures and sums lose small
/// details.
constexpr double farthestMoved = 1e9;
/// The worldFromPart of an instance that is moved from its design placement. Throws InputError, which names
/// the node, if it is not an instance or if the part would reach beyond `farthestMoved`.
Transform movedPlacement(const Assembly& design, NodeId instance, const RigidMotion& motion);

/// The motion that rotates about `centre` (world) and then translates by `shift`.
RigidMotion motionAbout(const Vec3& centre, const Quaternion& rotation, const Vec3& shift);

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
};

/// The pose between two steps, s in [0, 1]: linear in position, slerp in rotation, about `centre` (world, of
/// the moved box in the design placement).
RigidMotion interpolate(const RigidMotion& a, const RigidMotion& b, const Vec3& centre, double s);

}  // namespace fitup
