#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/geometry/aabb.h>

namespace FITUP_EXPORT fitup {

/// The pairs of boxes that overlap (closed: touching counts), updated while boxes move. On each axis a sorted
/// list holds the ends of all boxes, and the ends of moved boxes are sorted in again. A pair can start or
/// stop overlapping only where a lower and an upper end change places (sweep and prune, after Cohen, Lin,
/// Manocha and Ponamgi 1995; Hudson et al., V-COLLIDE, 1997).
///
/// The cost of a move is the number of ends passed. If that becomes too large, for example when everything
/// jumps, the lists are sorted and the pairs found anew over an R-tree, in O(n log n). Ids number the boxes
/// from 0. An empty box is an absent one. Not thread-safe while boxes move.
class SweepAndPrune {
 public:
  /// Statistics of `move`.
  struct Counts {
    std::uint64_t swaps = 0;  ///< ends that changed places
    bool anew = false;        ///< lists were sorted and pairs found anew
  };
  struct Moved {
    std::uint32_t id;
    Box box;
  };

  /// Maximum number of pairs. Each takes some hundred bytes, including the data that other classes keep for
  /// it.
  static constexpr std::size_t mostPairs = 10'000'000;

  SweepAndPrune() = default;
  /// Boxes must be finite or empty. `most` is the maximum number of pairs; above it the constructor and
  /// `move` throw InputError. Throws CancelledError.
  explicit SweepAndPrune(std::span<const Box> boxes, const WorkMeter& meter = {},
                         std::size_t most = mostPairs);

  /// Updates boxes, each id at most once. A new id adds a box, and all ids below it then exist; an empty box
  /// removes one. Throws InputError for too many pairs, and CancelledError. After an exception the object is
  /// unusable.
  Counts move(std::span<const Moved> moved, const WorkMeter& meter = {});

  [[nodiscard]] std::size_t size() const noexcept { return boxes_.size(); }
  [[nodiscard]] const Box& box(std::uint32_t id) const noexcept { return boxes_[id]; }
  /// The boxes that overlap this one, unordered. Valid until the next move.
  [[nodiscard]] std::span<const std::uint32_t> partners(std::uint32_t id) const noexcept {
    return partners_[id];
  }
  [[nodiscard]] std::size_t pairCount() const noexcept { return pairCount_; }

 private:
  /// An end of a box on an axis. At equal coordinates, lower ends precede upper ends.
  struct End {
    double at;
    std::uint32_t idAndSide;  ///< twice the id, plus one for the upper end

    [[nodiscard]] std::uint32_t id() const noexcept { return idAndSide / 2; }
    [[nodiscard]] std::uint32_t side() const noexcept { return idAndSide % 2; }
    [[nodiscard]] bool before(const End& o) const noexcept {
      return at < o.at || (at == o.at && side() < o.side());
    }
  };
  using Ends = std::vector<End>;

  [[nodiscard]] std::uint32_t& place(int axis, End end) noexcept {
    return places_[end.idAndSide][static_cast<std::size_t>(axis)];
  }
  void setEnds(std::uint32_t id);
  void takeAway(std::span<const std::uint32_t> ids);
  void sortIn(std::uint32_t id, bool isNew);
  bool sortAll(std::uint64_t most);
  void sink(int axis, std::uint32_t from);
  void rise(int axis, std::uint32_t from);
  void passed(End left, End right);
  void findAnew(const WorkMeter& meter);
  void addPair(std::uint32_t a, std::uint32_t b);
  void removePair(std::uint32_t a, std::uint32_t b);

  std::vector<Box> boxes_;
  std::array<Ends, 3> ends_;                          ///< sorted, by axis
  std::vector<std::array<std::uint32_t, 3>> places_;  ///< place of each end (`idAndSide`) in `ends_`
  std::vector<std::vector<std::uint32_t>> partners_;
  std::size_t pairCount_ = 0, most_ = mostPairs;
  std::uint64_t swaps_ = 0;
};

}  // namespace fitup
