#include <fitup_field/detail/axis_split.h>

#include <algorithm>
#include <functional>

namespace fitup::detail {
namespace {

using Items = std::span<BuildItem>;

auto byCentre(int axis) {
  return [axis](const BuildItem& p, const BuildItem& q) {
    const float a = p.min[axis] + p.max[axis], b = q.min[axis] + q.max[axis];
    return a != b ? a < b : p.id() < q.id();
  };
}

std::size_t halved(Items items, int axis, const WorkMeter& meter) {
  const std::size_t middle = items.size() / 2;
  auto less = polled(meter, byCentre(axis));
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(middle), items.end(),
                   std::ref(less));
  return middle;
}

/// Splits so that the larger group is at most twice the smaller, and their projections on the axis overlap
/// least.
std::size_t halfBalanced(Items items, int axis, const WorkMeter& meter) {
  const std::size_t n = items.size(), least = std::max<std::size_t>(1, (n + 2) / 3);
  if (n < 3) return n / 2;
  auto less = polled(meter, byCentre(axis));
  std::sort(items.begin(), items.end(), std::ref(less));
  std::vector<float> lowFrom(n);
  float low = items[n - 1].min[axis];
  polledLoop(n, meter, [&](std::size_t k) {
    const std::size_t i = n - 1 - k;
    lowFrom[i] = low = std::min(low, items[i].min[axis]);
  });
  float high = items[0].max[axis];
  for (std::size_t i = 0; i < least - 1; ++i) high = std::max(high, items[i].max[axis]);
  std::size_t best = n / 2;
  float bestOverlap = 0;
  polledLoop(n + 1 - 2 * least, meter, [&](std::size_t k) {
    const std::size_t i = least + k;
    high = std::max(high, items[i - 1].max[axis]);
    const float overlap = high - lowFrom[i];
    if (i == least || overlap < bestOverlap) {
      best = i;
      bestOverlap = overlap;
    }
  });
  return best;
}

std::size_t splitPosition(Items items, AabbSplit split, std::uint32_t depth, const WorkMeter& meter) {
  constexpr std::uint32_t deepestByMiddle = 64;
  Box4 box;
  polledLoop(items.size(), meter, [&](std::size_t i) { box.extend(items[i].min, items[i].max); });
  const int axis = box.longestAxis();
  switch (split) {
    case AabbSplit::balanced:
      return halved(items, axis, meter);
    case AabbSplit::halfBalanced:
      return halfBalanced(items, axis, meter);
    case AabbSplit::middle:
      break;
  }
  if (depth < deepestByMiddle) {
    const float middle = box.min[axis] + box.max[axis];
    auto isBelow =
        polled(meter, [&](const BuildItem& item) { return item.min[axis] + item.max[axis] <= middle; });
    const auto end = std::partition(items.begin(), items.end(), std::ref(isBelow));
    const auto position = static_cast<std::size_t>(end - items.begin());
    if (position != 0 && position != items.size()) return position;
  }
  return items.size() / 2;
}

}  // namespace

std::vector<BinaryNode> buildByAxisSplit(std::span<BuildItem> items, AabbSplit split,
                                         const WorkMeter& meter) {
  return buildBinary(static_cast<std::uint32_t>(items.size()), meter,
                     [&](std::uint32_t, std::uint32_t depth, std::uint32_t begin, std::uint32_t end) {
                       if (end - begin < 2) return begin;
                       return begin + static_cast<std::uint32_t>(splitPosition(
                                          items.subspan(begin, end - begin), split, depth, meter));
                     });
}

std::vector<Box4> boxesOf(std::span<const BinaryNode> nodes, std::span<const BuildItem> items,
                          const WorkMeter& meter) {
  std::vector<Box4> boxes(nodes.size());
  polledLoop(nodes.size(), meter, [&](std::size_t position) {
    const std::size_t i = nodes.size() - 1 - position;
    const BinaryNode& node = nodes[i];
    if (node.isLeaf()) {
      for (std::uint32_t k = node.begin; k < node.end; ++k) boxes[i].extend(items[k].min, items[k].max);
    } else {
      boxes[i] = boxes[node.firstChild];
      boxes[i].extend(boxes[node.firstChild + 1]);
    }
  });
  return boxes;
}

CentredInterval CentredInterval::of(float low, float high) noexcept {
  CentredInterval r{};
  r.centre = static_cast<float>(0.5 * (double(low) + high));
  const double half = std::max(double(high) - r.centre, r.centre - double(low));
  // The difference of two floats may round in double precision.
  r.half = half == 0 ? 0 : floatAbove(half * (1 + 0x1p-51));
  return r;
}

}  // namespace fitup::detail
