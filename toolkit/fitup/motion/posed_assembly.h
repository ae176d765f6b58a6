#pragma once

#include <map>
#include <span>
#include <vector>

#include <fitup/motion/track.h>
#include <fitup/scene/live_interference.h>

namespace FITUP_EXPORT fitup {

/// Coordinates of parts that are moved, in the assembly's unit: beyond, pictures and sums lose what is small.
constexpr double farthestMoved = 1e9;
/// worldFromPart of an instance that is moved from its design placement. Throws InputError, which names the
/// instance, for a node that is none and where the part would reach beyond `farthestMoved`.
Transform movedPlacement(const Assembly& design, NodeId instance, const RigidMotion& motion);

/// An assembly whose instances may stand elsewhere than designed, each on its own: an instance below another
/// one does not follow it.
class PosedAssembly {
 public:
  using Placements = std::map<NodeId, Transform>;

  static Placements placementsOf(std::span<const InstanceMove> moves);

  explicit PosedAssembly(const Assembly& design) : design_(&design), posed_(design) {}
  PosedAssembly(const PosedAssembly&) = delete;
  PosedAssembly& operator=(const PosedAssembly&) = delete;

  /// The same parts, nodes and paths, with other placements. Its address stays.
  [[nodiscard]] const Assembly& assembly() const noexcept { return posed_; }
  /// worldFromPart of all that do not stand as designed.
  [[nodiscard]] const Placements& placements() const noexcept { return placements_; }
  [[nodiscard]] Transform worldFromPart(NodeId instance) const;
  /// Puts these instances where they are said to be, and all others where they are designed.
  void place(Placements placements);
  /// Puts some instances elsewhere.
  void move(std::span<const InstanceMove> moves);

 private:
  const Assembly* design_;
  Assembly posed_;
  Placements placements_;
};

}  // namespace fitup
