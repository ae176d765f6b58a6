#include <fitup/hierarchy/detail/wide_split.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace fitup::detail {
namespace {

constexpr std::uint32_t binCount = 16;
constexpr std::uint32_t smallGroup = 64;
constexpr float infinity = std::numeric_limits<float>::infinity();

std::uint32_t pieces(std::uint32_t count, std::uint32_t largest) { return (count + largest - 1) / largest; }

/// Which bin an item falls into, on each axis.
class Binning {
 public:
  explicit Binning(const Box4& centres) : low_(centres.min) {
    const Float4 extent = centres.max - centres.min;
    for (int i = 0; i < 3; ++i) scale_[i] = extent[i] > 0 ? 0.999F * binCount / extent[i] : 0;
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

/// The best split over bins. `weightOf` counts an item; `allowed(left, right)` says which weights may be.
template <typename WeightOf, typename Allowed>
Split binnedSplit(std::span<const BuildItem> items, const Binning& binning, float unit, WeightOf&& weightOf,
                  Allowed&& allowed) {
  std::array<std::array<Box4, binCount>, 3> boxes;
  std::array<std::array<std::uint32_t, binCount>, 3> weights{};
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
    std::array<float, binCount> rightArea;
    Box4 right;
    for (std::uint32_t i = binCount - 1; i > 0; --i) {
      right.extend(box[i]);
      rightArea[i] = right.halfArea(unit);
    }
    Box4 left;
    std::uint32_t leftWeight = 0;
    for (std::uint32_t i = 1; i < binCount; ++i) {
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

/// Splits by count where no bin boundary will do.
std::uint32_t splitAtCount(std::span<BuildItem> items, std::uint32_t count) {
  const int axis = boxOfCentres(items).longestAxis();
  std::nth_element(items.begin(), items.begin() + count, items.end(),
                   [axis](const BuildItem& a, const BuildItem& b) {
                     const float ca = a.centre()[axis], cb = b.centre()[axis];
                     return ca < cb || (ca == cb && a.id() < b.id());
                   });
  return count;
}

/// Up to `smallGroup` triangles: every position on every axis, in the order of centres.
std::uint32_t sweepSplit(std::span<BuildItem> items, std::uint32_t largest, std::uint32_t budget,
                         float unit) {
  const auto n = static_cast<std::uint32_t>(items.size());
  std::array<BuildItem, smallGroup> copy;
  std::copy(items.begin(), items.end(), copy.begin());
  const Box4 centres = boxOfCentres(items);
  std::array<std::array<std::uint64_t, smallGroup>, 3> order;
  float bestCost = infinity;
  std::uint32_t bestPosition = 0;
  std::size_t bestAxis = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int lane = static_cast<int>(axis);
    if (!(centres.max[lane] > centres.min[lane])) continue;
    auto& keys = order[axis];
    for (std::uint32_t i = 0; i < n; ++i) {
      // Floats in the order of unsigned integers; the item's place breaks ties.
      const auto bits = std::bit_cast<std::uint32_t>(copy[i].centre()[lane] + 0.0F);
      const std::uint32_t ordered = bits ^ (bits >> 31 != 0 ? 0xffffffffU : 0x80000000U);
      keys[i] = std::uint64_t{ordered} << 32 | i;
    }
    std::sort(keys.begin(), keys.begin() + n);
    std::array<float, smallGroup> rightArea;
    Box4 right;
    for (std::uint32_t i = n - 1; i > 0; --i) {
      const BuildItem& item = copy[keys[i] & 0xffU];
      right.extend(item.min, item.max);
      rightArea[i] = right.halfArea(unit);
    }
    Box4 left;
    for (std::uint32_t i = 1; i < n; ++i) {
      const BuildItem& item = copy[keys[i - 1] & 0xffU];
      left.extend(item.min, item.max);
      if (pieces(i, largest) + pieces(n - i, largest) > budget) continue;
      const float cost =
          left.halfArea(unit) * static_cast<float>(i) + rightArea[i] * static_cast<float>(n - i);
      if (cost < bestCost) {
        bestCost = cost;
        bestPosition = i;
        bestAxis = axis;
      }
    }
  }
  if (bestPosition == 0) return largest * (pieces(n, largest) / 2);  // all centres coincide
  for (std::uint32_t i = 0; i < n; ++i) items[i] = copy[order[bestAxis][i] & 0xffU];
  return bestPosition;
}

std::uint32_t partition(std::span<BuildItem> items, const Binning& binning, const Split& split) {
  const auto middle = std::partition(items.begin(), items.end(), [&](const BuildItem& item) {
    return static_cast<std::uint32_t>(binning.of(item.centre())[split.axis]) < split.bin;
  });
  return static_cast<std::uint32_t>(middle - items.begin());
}

/// Number of items on the left side.
std::uint32_t splitTrianglesOnce(std::span<BuildItem> items, std::uint32_t largest, std::uint32_t budget,
                                 float unit) {
  const auto n = static_cast<std::uint32_t>(items.size());
  if (n <= smallGroup) return sweepSplit(items, largest, budget, unit);
  const Binning binning(boxOfCentres(items));
  const Split split = binnedSplit(
      items, binning, unit, [](const BuildItem&) { return 1U; },
      [&](std::uint32_t left, std::uint32_t right) {
        return pieces(left, largest) + pieces(right, largest) <= budget;
      });
  if (split.axis < 0) return splitAtCount(items, largest * ((pieces(n, largest) + 1) / 2));
  return partition(items, binning, split);
}

}  // namespace

BuildGroups splitTriangles(std::span<BuildItem> items, std::uint32_t begin, std::uint32_t end, float unit,
                           const WorkMeter& meter) {
  std::uint64_t largest = 8;
  while (end - begin > 8 * largest) largest *= 8;
  const auto t = static_cast<std::uint32_t>(largest);
  BuildGroups groups;
  groups.group[groups.count++] = {begin, end};
  std::uint32_t used = pieces(end - begin, t);
  for (;;) {
    std::uint32_t i = 0;
    for (std::uint32_t k = 1; k < groups.count; ++k)
      if (groups.group[k].count() > groups.group[i].count()) i = k;
    const BuildGroup whole = groups.group[i];
    if (whole.count() <= t) return groups;
    meter.poll();
    const std::uint32_t budget = 8 - (used - pieces(whole.count(), t));
    const std::uint32_t left = splitTrianglesOnce(items.subspan(whole.begin, whole.count()), t, budget, unit);
    // Groups stay in the order of their items, so that a node's triangles are one run.
    for (std::uint32_t k = groups.count; k > i; --k) groups.group[k] = groups.group[k - 1];
    ++groups.count;
    groups.group[i] = {whole.begin, whole.begin + left};
    groups.group[i + 1] = {whole.begin + left, whole.end};
    used += pieces(left, t) + pieces(whole.count() - left, t) - pieces(whole.count(), t);
  }
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
