#include <fitup_field/detail/box_cuts.h>

#include <algorithm>
#include <functional>
#include <limits>

namespace fitup::detail {
namespace {

double length(const std::array<float, 6>& box, std::size_t axis) { return double(box[axis]) - box[axis + 3]; }

}  // namespace

double BoxCutter::meanSide(const Sides& box) noexcept {
  return (length(box, 0) + length(box, 1) + length(box, 2)) / 3;
}

double BoxCutter::cost(const Sides& box, double partner) noexcept {
  return (length(box, 0) + partner) * (length(box, 1) + partner) * (length(box, 2) + partner);
}

BoxCutter::Cut BoxCutter::bestCut(Sides box, const Sides& tight, double partner) noexcept {
  Cut best{0, std::numeric_limits<double>::infinity()};
  for (std::size_t side = 0; side < 6; ++side) {
    const float before = box[side];
    box[side] = tight[side];
    if (const double c = cost(box, partner); c < best.cost) best = {static_cast<int>(side), c};
    box[side] = before;
  }
  return best;
}

int BoxCutter::firstSide(std::uint32_t node, Sides box, const Sides& tight, double partner) const noexcept {
  if (shape_[node].isLeaf()) return bestCut(box, tight, partner).side;
  const std::uint32_t child = shape_[node].firstChild;
  const Sides first = sidesOf(tight_[child]), second = sidesOf(tight_[child + 1]);
  const double childPartner = meanSide(tight);
  Cut best{0, std::numeric_limits<double>::infinity()};
  for (std::size_t side = 0; side < 6; ++side) {
    const float before = box[side];
    box[side] = tight[side];
    const double c =
        cost(box, partner) + bestCut(box, first, childPartner).cost + bestCut(box, second, childPartner).cost;
    if (c < best.cost) best = {static_cast<int>(side), c};
    box[side] = before;
  }
  return best.side;
}

BoxCuts BoxCutter::cut(std::uint32_t node, Sides& box, double partner, double least) const noexcept {
  const Sides tight = sidesOf(tight_[node]);
  BoxCuts cuts;
  Cut next{firstSide(node, box, tight, partner), 0};
  double gain = 0;
  do {
    const auto side = static_cast<std::size_t>(next.side), at = static_cast<std::size_t>(cuts.count);
    cuts.side[at] = next.side;
    cuts.gain[at] = gain;
    ++cuts.count;
    box[side] = tight[side];
    // A side that is cut already gains nothing, so there are at most six cuts.
    next = bestCut(box, tight, partner);
    gain = cost(box, partner) - next.cost;
  } while (gain > least);
  return cuts;
}

/// Returns a gain that about `spare` spare cuts exceed. A cut that is refused leaves more to gain below, so
/// the limit rises from pass to pass; in practice four are enough.
double BoxCutter::leastGain(std::size_t spare) const {
  constexpr int mostPasses = 8;
  double least = 0;
  std::vector<double> gains;
  for (int pass = 0; pass < mostPasses; ++pass) {
    gains.clear();
    forEachParent(least, [&](std::uint32_t, const std::array<BoxCuts, 2>& cuts) {
      for (const BoxCuts& c : cuts) gains.insert(gains.end(), c.gain.begin() + 1, c.gain.begin() + c.count);
    });
    if (gains.size() <= spare) break;
    const auto limit = gains.begin() + static_cast<std::ptrdiff_t>(spare);
    auto greater = polled(meter_, std::greater<>{});
    std::nth_element(gains.begin(), limit, gains.end(), std::ref(greater));
    least = *limit;
  }
  return least;
}

}  // namespace fitup::detail
