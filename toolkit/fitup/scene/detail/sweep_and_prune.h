#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/geometry/aabb.h>

namespace FITUP_EXPORT fitup {

/// The pairs of boxes that overlap (closed: touching counts), kept while boxes move: on each axis the ends of
/// all boxes stand in a sorted list, in which those that have moved are sorted in again; a pair can only
/// begin or end to overlap where a lower and an upper end change places (sweep and prune, after Cohen, Lin,
/// Manocha and Ponamgi 1995; Hudson et al., V-COLLIDE, 1997).
///
/// What a move costs is the number of ends passed; where those get too many, as when everything jumps, the
/// lists are sorted and the pairs found anew over an R-tree, in O(n log n). Boxes are called by ids from 0
/// on. An empty box stands for one that is not there. Not thread-safe while boxes move.
class SweepAndPrune {
 public:
  /// What `move` did.
  struct Counts {
    std::uint64_t swaps = 0;  ///< ends that changed places
    bool anew = false;        ///< lists were sorted and pairs found anew
  };
  struct Moved {
    std::uint32_t id;
    Box box;
  };

  /// Pairs that are kept at most: they and what is kept of them elsewhere take some hundred bytes each.
  static constexpr std::size_t mostPairs = 10'000'000;

  SweepAndPrune() = default;
  /// Boxes must be finite or empty. `most`: pairs, above which InputError is thrown, also by `move`. Throws
  /// CancelledError.
  explicit SweepAndPrune(std::span<const Box> boxes, const WorkMeter& meter = {},
                         std::size_t most = mostPairs);

  /// Ids that have not been seen add boxes (all ids up to them exist then), empty boxes take away, each id at
  /// most once. Throws InputError for too many pairs, and CancelledError; nothing can be asked then any more.
  Counts move(std::span<const Moved> moved, const WorkMeter& meter = {});

  [[nodiscard]] std::size_t size() const noexcept { return boxes_.size(); }
  [[nodiscard]] const Box& box(std::uint32_t id) const noexcept { return boxes_[id]; }
  /// The boxes that overlap this one, in no order. Valid until the next move.
  [[nodiscard]] std::span<const std::uint32_t> partners(std::uint32_t id) const noexcept {
    return partners_[id];
  }
  [[nodiscard]] std::size_t pairCount() const noexcept { return pairCount_; }

 private:
  /// An end of a box on an axis; lower ends stand before upper ends at one place.
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
  std::vector<std::array<std::uint32_t, 3>> places_;  ///< of each end (`idAndSide`) in `ends_`
  std::vector<std::vector<std::uint32_t>> partners_;
  std::size_t pairCount_ = 0, most_ = mostPairs;
  std::uint64_t swaps_ = 0;
};

}  // namespace fitup
