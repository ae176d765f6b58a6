#include <fitup/scene/detail/instance_sweep.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace fitup {

InstanceSweep::InstanceSweep(std::span<const PlacedInstance> placed, const WorkMeter& meter) {
  sweepAll(placed, meter);
}

/// Returns true if it had to raise the bounds. It raises them to twice the need, so that this is rare.
bool InstanceSweep::widen(const PlacedInstance& instance) {
  if (instance.worldBox.empty() || (instance.growth <= largestGrowth_ && instance.reach <= largestReach_))
    return false;
  if (instance.growth > largestGrowth_) largestGrowth_ = 2 * instance.growth;
  if (instance.reach > largestReach_) largestReach_ = 2 * instance.reach;
  return true;
}

/// Two boxes, each grown by growth * reach with bounds for all instances, overlap wherever `mayMeet` grows
/// one by at most growth * (reach + reach). The factor covers rounding.
Box InstanceSweep::grownBox(const PlacedInstance& instance) const {
  Box box = instance.worldBox;
  if (box.empty()) return box;
  const double by = largestGrowth_ * largestReach_ * (1 + 0x1p-40);
  for (int i = 0; i < 3; ++i) {
    // The sums here and in `mayMeet` are each rounded, by less than 2^-52 of their result.
    const double rounding = 0x1p-50 * (std::max(std::abs(box.min[i]), std::abs(box.max[i])) + by);
    box.min[i] -= by + rounding;
    box.max[i] += by + rounding;
  }
  return box;
}

void InstanceSweep::sweepAll(std::span<const PlacedInstance> placed, const WorkMeter& meter) {
  for (const PlacedInstance& instance : placed) (void)widen(instance);
  std::vector<Box> boxes;
  boxes.reserve(placed.size());
  for (const PlacedInstance& instance : placed) boxes.push_back(grownBox(instance));
  sweep_ = SweepAndPrune();  // frees its memory before more is allocated
  sweep_ = SweepAndPrune(boxes, meter);
  isComplete_ = true;
}

void InstanceSweep::move(std::span<const std::uint32_t> positions, std::span<const PlacedInstance> placed,
                         const WorkMeter& meter) {
  bool anew = !isComplete_;
  for (const std::uint32_t p : positions) anew = widen(placed[p]) || anew;
  isComplete_ = false;
  if (anew) {
    sweepAll(placed, meter);
    return;
  }
  std::vector<SweepAndPrune::Moved> moved;
  moved.reserve(positions.size());
  for (const std::uint32_t p : positions) moved.push_back({p, grownBox(placed[p])});
  sweep_.move(moved, meter);
  isComplete_ = true;
}

}  // namespace fitup
