#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/flat_rtree.h>
#include <fitup/scene/assembly.h>

namespace FITUP_EXPORT fitup {

/// An instance where it is at the moment of a check, with what the broad phase needs to know of it.
struct PlacedInstance {
  NodeId node{};
  Transform worldFromPart;
  Box worldBox;  ///< of the exactly placed part; empty for a part without triangles
  /// Exact queries place one part in the frame of the other, through an inverse that is rounded: in the world
  /// their points lie beside the exact ones by at most growth * (reach of one + reach of the other), with the
  /// larger growth of the two. See broad_phase.cpp.
  double growth = 0, reach = 0;
  /// How far the world box was grown on every side for a check that also looks at parts that do not touch
  /// (`placedForCheck`), and the part of it that tolerances need, whatever the pair. World units.
  double grownBy = 0, tolerance = 0;
};

/// Throws InputError for a node without a part, PlacementError naming the instance where its world placement
/// is singular or not finite.
PlacedInstance placedInstance(const Assembly& assembly, NodeId node, const Transform& worldFromPart);

/// False only if an exact query of the two is sure to find nothing.
bool mayMeet(const PlacedInstance& a, const PlacedInstance& b) noexcept;

/// False only if the two are sure to be farther apart than `distance` (of which their boxes must have been
/// grown by at least half each), measured along each axis.
bool mayBeWithin(const PlacedInstance& a, const PlacedInstance& b, double distance) noexcept;

/// What an exact query of the two may see their points moved by, an axis, against where the world boxes are.
double placingError(const PlacedInstance& a, const PlacedInstance& b) noexcept;

/// The distance of their world boxes less what placing may move points by: no exact query finds them nearer.
/// Zero where boxes overlap, infinity if one has no triangles.
double boxDistance(const PlacedInstance& a, const PlacedInstance& b) noexcept;

/// Positions of two instances in a list of placed ones.
using CandidatePair = std::pair<std::uint32_t, std::uint32_t>;

/// Most pairs that a list of candidates holds: n instances in one place are n (n - 1) / 2 of them.
inline constexpr std::size_t mostCandidatePairs = 100'000'000;
/// Throws InputError that says so.
[[noreturn]] void refuseSoManyPairs(std::size_t most);

/// A list of pairs that is being made: it may become long, so that it looks whether it is cancelled.
template <typename Pair>
class PairList {
 public:
  /// Refers to `meter`. `most`: pairs it may hold.
  explicit PairList(const WorkMeter& meter, std::size_t most = mostCandidatePairs)
      : meter_(meter), most_(most) {}
  /// Throws InputError where the list is full, and CancelledError.
  void add(const Pair& pair) {
    if (pairs_.size() >= most_) refuseSoManyPairs(most_);
    look();
    pairs_.push_back(pair);
  }
  /// A pair was looked at and not added. Throws CancelledError.
  void look() {
    constexpr std::size_t pollInterval = 4096;
    if (++looked_ % pollInterval == 0) meter_.poll();
  }
  /// All that were added.
  [[nodiscard]] std::vector<Pair> take() noexcept { return std::move(pairs_); }

 private:
  const WorkMeter& meter_;
  std::size_t most_, looked_ = 0;
  std::vector<Pair> pairs_;
};
using CandidateList = PairList<CandidatePair>;

/// An R-tree over the world boxes of instances. Keeps a copy of what it needs; const and thread-safe.
class InstanceTree {
 public:
  /// Of the instances at the given positions in `placed`. Throws CancelledError.
  InstanceTree(std::span<const PlacedInstance> placed, std::vector<std::uint32_t> positions,
               const WorkMeter& meter = {});

  /// Appends the positions of all instances that may meet `instance` (itself too, if it is in the tree) and
  /// perhaps of some more: `mayMeet` decides.
  void candidates(const PlacedInstance& instance, std::vector<std::uint32_t>& positions) const;

 private:
  std::vector<RTreeEntry> entries_;
  RTreeRoot root_;
  std::vector<std::uint32_t> positions_;
  double largestGrowth_ = 0, largestReach_ = 0;
};

}  // namespace fitup
