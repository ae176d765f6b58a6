#pragma once

#include <limits>
#include <optional>
#include <vector>

#include <fitup/motion/track.h>
#include <fitup/scene/scene.h>

namespace fitup::bench {

/// What the pairs of a dragged group and all other parts still may overlap at a pose, by queries of depth at
/// single poses: an oracle that shares nothing with the certificates of ways. Limits are those that
/// `DragGuard` documents for drags from the design placements: pairs of closed parts overlap by at most L,
/// and others do not intersect unless they do at the start. Does not look at walls that pierce each other.
/// Lengths in the world's unit. Refers to the scene.
class SlideMargins {
 public:
  /// Throws InputError if the tolerance of a pair is neither given nor known.
  SlideMargins(const fitup::Scene& scene, const std::vector<NodeId>& group,
               const std::optional<double>& tolerance);

  struct Margin {
    /// Least L less depth; below 0 if a pair is too deep. Depths below a quarter of the tolerance count as
    /// that. Infinite if no boxes overlap, and with the other sign if parts intersect that must not.
    double margin = std::numeric_limits<double>::infinity();
    std::optional<NodeId> resting{};  ///< the part that has it
  };
  /// The least margin of all pairs at a motion of the group from its design placements.
  [[nodiscard]] Margin at(const RigidMotion& pose) const;
  /// The largest tolerance of the group with this part.
  [[nodiscard]] double toleranceWith(NodeId resting) const;

 private:
  struct Pair {
    NodeId moved{}, resting{};
    Box box;  ///< of the resting part, in the world
    double tolerance = 0, limit = 0;
    bool isClosed = false;
    bool isFree = false;  ///< not closed, and intersects at the start
  };
  void addPair(NodeId node, NodeId other, const std::optional<double>& tolerance);
  static double marginOf(const Pair& pair, const PosedSolid& moved, const PosedSolid& resting);

  const fitup::Scene& scene_;
  std::vector<NodeId> group_;
  std::vector<Pair> pairs_;
};

}  // namespace fitup::bench
