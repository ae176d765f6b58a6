#include <fitup/base/work_meter.h>

#include <algorithm>

#include <fitup/base/error.h>

namespace fitup {

WorkMeter::WorkMeter(const Progress& progress, std::string phase, std::uint64_t units)
    : progress_(&progress), phase_(std::move(phase)), units_(std::max<std::uint64_t>(units, 1)) {}

void WorkMeter::poll() const {
  if (progress_ != nullptr && progress_->cancelled()) throw CancelledError();
}

void WorkMeter::advance(std::uint64_t units) const {
  poll();
  if (units_ == 0) return;
  const std::uint64_t before = done_.fetch_add(units, std::memory_order_relaxed);
  // In double precision: the product of units and steps may exceed 64 bits.
  const double fraction = static_cast<double>(before + units) / static_cast<double>(units_);
  if (fraction >= 1) return;  // `finish` reports it
  const auto step = static_cast<std::uint64_t>(fraction * static_cast<double>(steps));
  std::uint64_t reported = reported_.load(std::memory_order_relaxed);
  while (step > reported)
    if (reported_.compare_exchange_weak(reported, step)) return progress_->report(phase_, fraction);
}

void WorkMeter::finish() const {
  if (units_ == 0) return;
  reported_ = steps;
  progress_->report(phase_, 1);
}

}  // namespace fitup
