// Functions that wide_distance_kernel.cpp defines for each instruction set (kernel_targets.h). Included once
// for each, so there is no include guard of the usual kind.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fitup {
namespace HWY_NAMESPACE {

/// Runs a phase of a distance query.
detail::DistanceProgress nearest(const detail::WideDistanceRun& run);

}  // namespace HWY_NAMESPACE
}  // namespace fitup
HWY_AFTER_NAMESPACE();
