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

/// An instance at its placement during a check, with the data that the broad phase needs.
struct PlacedInstance {
  NodeId node{};
  Transform worldFromPart;
  Box worldBox;  ///< box of the exactly placed part; empty for a part without triangles
  /// Exact queries place one part in the frame of the other through a rounded inverse. In the world, their
  /// points differ from the exact ones by at most growth * (sum of both reaches), with the larger growth of
  /// the two. See broad_phase.cpp.
  double growth = 0, reach = 0;
  /// Distance by which the world box was grown on every side for a check that also looks at parts that do not
  /// touch (`placedForCheck`), and the share of it that tolerances need in every pair. World units.
  double grownBy = 0, tolerance = 0;
  /// Chord error of the part, if the check judges exact shapes; both contain it. World units.
  double chordError = 0;
};

/// Places an instance. Throws InputError for a node without a part, and PlacementError, which names the
/// instance, if its world placement is singular or not finite.
PlacedInstance placedInstance(const Assembly& assembly, NodeId node, const Transform& worldFromPart);

/// False only if an exact query of the two certainly finds nothing.
bool mayMeet(const PlacedInstance& a, const PlacedInstance& b) noexcept;

/// False only if the two are certainly farther apart than `distance`, measured along each axis. Precondition:
/// together, the two boxes are grown by at least `distance`.
bool mayBeWithin(const PlacedInstance& a, const PlacedInstance& b, double distance) noexcept;

/// Largest displacement along an axis, against the world boxes, of the points that an exact query of the two
/// examines.
double placingError(const PlacedInstance& a, const PlacedInstance& b) noexcept;

/// The distance of the world boxes, reduced by the distance that placing can move points. No exact query
/// finds the two nearer than this. Zero where the boxes overlap, infinity if one of the two has no triangles.
double boxDistance(const PlacedInstance& a, const PlacedInstance& b) noexcept;

/// Positions of two instances in a list of placed instances.
using CandidatePair = std::pair<std::uint32_t, std::uint32_t>;

/// Maximum number of pairs in a list of candidates; n instances in one place are n (n - 1) / 2 pairs.
inline constexpr std::size_t mostCandidatePairs = 100'000'000;
/// Throws InputError for more than `most` pairs.
[[noreturn]] void throwTooManyPairs(std::size_t most);

/// A list of pairs under construction. It may become long, so it polls for cancellation.
template <typename Pair>
class PairList {
 public:
  /// Refers to `meter`. `most` is the maximum number of pairs.
  explicit PairList(const WorkMeter& meter, std::size_t most = mostCandidatePairs)
      : meter_(meter), most_(most) {}
  /// Adds a pair. Throws InputError if the list is full, and CancelledError.
  void add(const Pair& pair) {
    if (pairs_.size() >= most_) throwTooManyPairs(most_);
    look();
    pairs_.push_back(pair);
  }
  /// Counts a pair that was examined and not added. Throws CancelledError.
  void look() {
    constexpr std::size_t pollInterval = 4096;
    if (++looked_ % pollInterval == 0) meter_.poll();
  }
  /// Moves out all pairs that were added.
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
  /// Builds the tree of the instances at the given positions in `placed`. Throws CancelledError.
  InstanceTree(std::span<const PlacedInstance> placed, std::vector<std::uint32_t> positions,
               const WorkMeter& meter = {});

  /// Appends the positions of all instances that may intersect `instance`, including itself if it is in the
  /// tree. The result may contain others too: filter it with `mayMeet`.
  void candidates(const PlacedInstance& instance, std::vector<std::uint32_t>& positions) const;

 private:
  std::vector<RTreeEntry> entries_;
  RTreeRoot root_;
  std::vector<std::uint32_t> positions_;
  double largestGrowth_ = 0, largestReach_ = 0;
};

}  // namespace fitup
