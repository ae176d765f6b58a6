#include <fitup/hierarchy/detail/wide_split.h>

#include <fitup/base/tuning-inl.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace fitup::detail {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

constexpr std::uint32_t leafSize = 8;

constexpr std::uint32_t pieces(std::uint32_t count, std::uint32_t largest) {
  return (count + largest - 1) / largest;
}
constexpr std::uint32_t leavesFor(std::uint32_t count) { return pieces(count, leafSize); }

/// The bin of an item on each axis.
class Binning {
 public:
  explicit Binning(const Box4& centres) : low_(centres.min) {
    const Float4 extent = centres.max - centres.min;
    for (int i = 0; i < 3; ++i) scale_[i] = extent[i] > 0 ? 0.999F * tuning::binCount / extent[i] : 0;
    // A flat axis, or one whose extent underflows, has one bin.
    for (int i = 0; i < 3; ++i)
      if (!(scale_[i] < infinity)) scale_[i] = 0;
  }
  [[nodiscard]] Int4 of(Float4 centre) const noexcept {
    return __builtin_convertvector((centre - low_) * scale_, Int4);
  }
  [[nodiscard]] bool isFlat(int axis) const noexcept { return scale_[axis] == 0; }

 private:
  Float4 low_, scale_{0, 0, 0, 0};
};

struct Split {
  float cost = infinity;
  int axis = -1;
  std::uint32_t bin = 0;  ///< the first bin of the right side
};

/// Returns the best split over bins. `weightOf` returns the weight of an item; `allowed(left, right)` says
/// which weights are allowed.
template <typename WeightOf, typename Allowed>
Split binnedSplit(std::span<const BuildItem> items, const Binning& binning, float unit, WeightOf&& weightOf,
                  Allowed&& allowed) {
  std::array<std::array<Box4, tuning::binCount>, 3> boxes;
  std::array<std::array<std::uint32_t, tuning::binCount>, 3> weights{};
  std::uint32_t total = 0;
  for (const BuildItem& item : items) {
    const Int4 bin = binning.of(item.centre());
    const std::uint32_t weight = weightOf(item);
    total += weight;
    for (int axis = 0; axis < 3; ++axis) {
      const auto b = static_cast<std::size_t>(bin[axis]);
      boxes[static_cast<std::size_t>(axis)][b].extend(item.min, item.max);
      weights[static_cast<std::size_t>(axis)][b] += weight;
    }
  }
  Split best;
  for (int axis = 0; axis < 3; ++axis) {
    if (binning.isFlat(axis)) continue;
    const auto& box = boxes[static_cast<std::size_t>(axis)];
    const auto& weight = weights[static_cast<std::size_t>(axis)];
    std::array<float, tuning::binCount> rightArea;
    Box4 right;
    for (std::uint32_t i = tuning::binCount - 1; i > 0; --i) {
      right.extend(box[i]);
      rightArea[i] = right.halfArea(unit);
    }
    Box4 left;
    std::uint32_t leftWeight = 0;
    for (std::uint32_t i = 1; i < tuning::binCount; ++i) {
      left.extend(box[i - 1]);
      leftWeight += weight[i - 1];
      const std::uint32_t rightWeight = total - leftWeight;
      if (leftWeight == 0 || rightWeight == 0 || !allowed(leftWeight, rightWeight)) continue;
      const float cost = left.halfArea(unit) * static_cast<float>(leftWeight) +
                         rightArea[i] * static_cast<float>(rightWeight);
      if (cost < best.cost) best = {cost, axis, i};
    }
  }
  return best;
}

Box4 boxOfCentres(std::span<const BuildItem> items) {
  Box4 box;
  for (const BuildItem& item : items) box.extend(item.centre(), item.centre());
  return box;
}

/// Splits by count if no bin boundary is suitable.
std::uint32_t splitAtCount(std::span<BuildItem> items, std::uint32_t count) {
  const int axis = boxOfCentres(items).longestAxis();
  std::nth_element(items.begin(), items.begin() + count, items.end(),
                   [axis](const BuildItem& a, const BuildItem& b) {
                     const float ca = a.centre()[axis], cb = b.centre()[axis];
                     return ca < cb || (ca == cb && a.id() < b.id());
                   });
  return count;
}

/// The positions of up to `smallGroup` numbers in ascending order. Equal numbers keep their order.
using Order = std::array<std::uint8_t, tuning::smallGroup>;

/// Up to `smallGroup` triangles of a node whose children are leaves. They can be split at any position on any
/// axis, in the order of centres. They are sorted once; parts keep their order.
class SmallGroup {
 public:
  SmallGroup(std::span<const BuildItem> items, float unit)
      : count_(static_cast<std::uint32_t>(items.size())), unit_(unit) {
    std::copy(items.begin(), items.end(), item_.begin());
    for (std::size_t axis = 0; axis < 3; ++axis) sort(axis);
    for (std::uint32_t i = 0; i < count_; ++i) last_[i] = static_cast<std::uint8_t>(i);
  }

  /// Splits the items from `begin` to `end` so that all parts together fill up to `budget` leaves. Returns
  /// the number of items in the first part. Precondition: there are more items than fill a leaf.
  std::uint32_t split(std::uint32_t begin, std::uint32_t end, std::uint32_t budget) {
    const std::uint32_t n = end - begin;
    Best best;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (centre(order_[axis][begin], axis) < centre(order_[axis][end - 1], axis))
        sweep(axis, begin, n, budget, best);
    if (best.position == 0) best.position = leafSize * (leavesFor(n) / 2);  // all centres coincide
    divide(begin, end, best);
    return best.position;
  }
  /// Writes the items of each part in the order of the axis on which it was split off.
  void writeTo(std::span<BuildItem> items) const {
    for (std::uint32_t i = 0; i < count_; ++i) items[i] = item_[last_[i]];
  }

 private:
  struct Best {
    float cost = infinity;
    std::uint32_t position = 0;
    std::size_t axis = 0;
  };

  [[nodiscard]] float centre(std::uint32_t item, std::size_t axis) const noexcept {
    return item_[item].centre()[static_cast<int>(axis)];
  }
  /// Sorts by counting: the position of an item is the number of items before it. Branches on the order would
  /// be unpredictable.
  void sort(std::size_t axis) {
    // Four at a time. Lanes after the last item are ignored.
    std::array<Float4, tuning::smallGroup> all;
    std::array<float, tuning::smallGroup> own;
    own.fill(infinity);
    for (std::uint32_t i = 0; i < count_; ++i) {
      own[i] = centre(i, axis);
      all[i] = broadcast(own[i]);
    }
    for (std::uint32_t i = 0; i < count_; i += 4) {
      Float4 four;
      std::memcpy(&four, own.data() + i, sizeof four);
      Int4 place{0, 0, 0, 0};  // from comparisons, which are -1 if true
      for (std::uint32_t j = 0; j < i; ++j) place -= all[j] <= four;
      // Among equal ones the first comes first.
      const std::uint32_t end = std::min(i + 4, count_);
      for (std::uint32_t j = i; j < end; ++j) {
        const Int4 later = Int4{0, 1, 2, 3} > static_cast<std::int32_t>(j - i);
        place -= (all[j] < four) | ((all[j] == four) & later);
      }
      for (std::uint32_t j = end; j < count_; ++j) place -= all[j] < four;
      for (std::uint32_t k = 0; i + k < end; ++k)
        order_[axis][static_cast<std::size_t>(place[static_cast<int>(k)])] = static_cast<std::uint8_t>(i + k);
    }
  }
  void sweep(std::size_t axis, std::uint32_t begin, std::uint32_t n, std::uint32_t budget, Best& best) const {
    const std::uint8_t* order = order_[axis].data() + begin;
    std::array<float, tuning::smallGroup> rightArea;
    Box4 right;
    for (std::uint32_t i = n - 1; i > 0; --i) {
      const BuildItem& item = item_[order[i]];
      right.extend(item.min, item.max);
      rightArea[i] = right.halfArea(unit_);
    }
    Box4 left;
    for (std::uint32_t i = 1; i < n; ++i) {
      const BuildItem& item = item_[order[i - 1]];
      left.extend(item.min, item.max);
      if (leavesFor(i) + leavesFor(n - i) > budget) continue;
      const float cost =
          left.halfArea(unit_) * static_cast<float>(i) + rightArea[i] * static_cast<float>(n - i);
      if (cost < best.cost) best = {cost, i, axis};
    }
  }
  /// Keeps both parts in the order of each axis.
  void divide(std::uint32_t begin, std::uint32_t end, const Best& best) {
    const Order& chosen = order_[best.axis];
    std::array<std::uint8_t, tuning::smallGroup> isRight;
    for (std::uint32_t i = begin; i < end; ++i) {
      isRight[chosen[i]] = i - begin >= best.position ? 1 : 0;
      last_[i] = chosen[i];
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (axis == best.axis) continue;
      Order& order = order_[axis];
      Order right;
      std::uint32_t left = begin, rights = 0;
      for (std::uint32_t i = begin; i < end; ++i) {
        const std::uint8_t item = order[i], toRight = isRight[item];
        order[left] = item;
        right[rights] = item;
        left += 1U - toRight;
        rights += toRight;
      }
      std::copy(right.begin(), right.begin() + rights, order.begin() + left);
    }
  }

  std::array<BuildItem, tuning::smallGroup> item_;
  std::array<Order, 3> order_;
  Order last_;
  std::uint32_t count_;
  float unit_;
};

std::uint32_t partition(std::span<BuildItem> items, const Binning& binning, const Split& split) {
  const auto middle = std::partition(items.begin(), items.end(), [&](const BuildItem& item) {
    return static_cast<std::uint32_t>(binning.of(item.centre())[split.axis]) < split.bin;
  });
  return static_cast<std::uint32_t>(middle - items.begin());
}

/// Returns the number of items on the left side.
std::uint32_t splitAtBin(std::span<BuildItem> items, std::uint32_t largest, std::uint32_t budget,
                         float unit) {
  const auto n = static_cast<std::uint32_t>(items.size());
  const Binning binning(boxOfCentres(items));
  const Split split = binnedSplit(
      items, binning, unit, [](const BuildItem&) { return 1U; },
      [&](std::uint32_t left, std::uint32_t right) {
        return pieces(left, largest) + pieces(right, largest) <= budget;
      });
  if (split.axis < 0) return splitAtCount(items, largest * ((pieces(n, largest) + 1) / 2));
  return partition(items, binning, split);
}

/// Splits the largest group in two until none is larger than `largest`. `splitOnce` receives a group and the
/// number of pieces of that size that its parts may fill together.
template <typename SplitOnce>
BuildGroups splitGroups(std::uint32_t begin, std::uint32_t end, std::uint32_t largest, const WorkMeter& meter,
                        SplitOnce&& splitOnce) {
  BuildGroups groups;
  groups.group[groups.count++] = {begin, end};
  std::uint32_t used = pieces(end - begin, largest);
  for (;;) {
    std::uint32_t i = 0;
    for (std::uint32_t k = 1; k < groups.count; ++k)
      if (groups.group[k].count() > groups.group[i].count()) i = k;
    const BuildGroup whole = groups.group[i];
    if (whole.count() <= largest) return groups;
    meter.poll();
    const std::uint32_t left = splitOnce(whole, 8 - (used - pieces(whole.count(), largest)));
    // Groups stay in the order of their items, so that a node's triangles are one run.
    for (std::uint32_t k = groups.count; k > i; --k) groups.group[k] = groups.group[k - 1];
    ++groups.count;
    groups.group[i] = {whole.begin, whole.begin + left};
    groups.group[i + 1] = {whole.begin + left, whole.end};
    used += pieces(left, largest) + pieces(whole.count() - left, largest) - pieces(whole.count(), largest);
  }
}

}  // namespace

BuildGroups splitTriangles(std::span<BuildItem> items, std::uint32_t begin, std::uint32_t end, float unit,
                           const WorkMeter& meter) {
  if (end - begin > leafSize && end - begin <= tuning::smallGroup) {
    SmallGroup small(items.subspan(begin, end - begin), unit);
    const BuildGroups groups =
        splitGroups(begin, end, leafSize, meter, [&](const BuildGroup& whole, std::uint32_t budget) {
          return small.split(whole.begin - begin, whole.end - begin, budget);
        });
    small.writeTo(items.subspan(begin));
    return groups;
  }
  std::uint64_t largest = leafSize;
  while (end - begin > 8 * largest) largest *= 8;
  const auto t = static_cast<std::uint32_t>(largest);
  return splitGroups(begin, end, t, meter, [&](const BuildGroup& whole, std::uint32_t budget) {
    return splitAtBin(items.subspan(whole.begin, whole.count()), t, budget, unit);
  });
}

std::uint32_t splitBodies(std::span<BuildItem> items, std::span<const std::uint32_t> weights, float unit) {
  const Binning binning(boxOfCentres(items));
  const Split split = binnedSplit(
      items, binning, unit, [&](const BuildItem& item) { return weights[item.id()]; },
      [](std::uint32_t, std::uint32_t) { return true; });
  return split.axis < 0 ? splitAtCount(items, static_cast<std::uint32_t>(items.size()) / 2)
                        : partition(items, binning, split);
}

}  // namespace fitup::detail
