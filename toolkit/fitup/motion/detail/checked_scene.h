#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fitup/motion/detail/checked_body.h>
#include <fitup/motion/detail/checked_motion.h>
#include <fitup/motion/replay.h>
#include <fitup/scene/scene.h>

namespace fitup::detail {

/// An instance in the place from which it moves, or in which it rests.
struct CheckedPart {
  NodeId node{};
  std::optional<std::size_t> group;  ///< unset: it rests
  Transform placement;               ///< worldFromPart
  /// A rigid frame along the axes of the part: the placement is this, after what it does else (rounding,
  /// scale, reflection).
  Transform worldFromFrame, frameFromPart;
  Box box;  ///< about it, in the frame
};

/// The parts and motions of a certificate.
class CheckedScene {
 public:
  /// `rest`: placements of resting instances; those that are not finite, or of no instance, are left out.
  /// The track has a step, and `groups` are those that it moves. Keeps a reference to the scene.
  CheckedScene(const Scene& scene, const Poses& rest, const Track& track, std::span<const MovedGroup> groups);

  [[nodiscard]] const std::map<NodeId, CheckedPart>& parts() const noexcept { return parts_; }
  [[nodiscard]] const CheckedPart& part(NodeId instance) const { return parts_.at(instance); }
  /// From the frame of the part. A track of one step has a step in which nothing moves.
  [[nodiscard]] StepMotion motionOf(const CheckedPart& part, std::size_t step) const;
  [[nodiscard]] std::size_t motionCount() const noexcept { return motionCount_; }
  [[nodiscard]] RelativeMotion relative(const CheckedPart& a, const CheckedPart& b, std::size_t step) const;
  /// True if the distances of two moved groups never change, up to rounding.
  [[nodiscard]] bool moveAlike(std::size_t groupA, std::size_t groupB) const;
  /// Made when first asked for. Valid until `releaseBodies`.
  [[nodiscard]] const CheckedBody& bodyOf(const CheckedPart& part);
  /// Frees the bodies if they take much memory.
  void releaseBodies();

  /// The diagonal of a box about all parts, as placed and at the first step.
  [[nodiscard]] double diagonal() const noexcept { return diagonal_; }
  /// Exceeds the rounding of a point of a part in the frame of another one at any time by a good factor. Not
  /// finite if coordinates are too large.
  [[nodiscard]] double rounding() const noexcept { return rounding_; }

 private:
  void measure();

  const Assembly& assembly_;
  std::map<NodeId, CheckedPart> parts_;
  std::vector<std::vector<StepMotion>> motions_;  ///< by group and step, from the design
  std::size_t motionCount_ = 0;
  double rounding_ = 0, diagonal_ = 0;
  std::map<NodeId, std::unique_ptr<const CheckedBody>> bodies_;
  std::size_t trianglesHeld_ = 0;
};

}  // namespace fitup::detail
