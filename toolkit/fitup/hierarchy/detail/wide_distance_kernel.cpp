#define FITUP_WITHOUT_AVX3_DL
#include <fitup/hierarchy/detail/kernel_targets.h>
#if FITUP_KERNEL != FITUP_KERNEL_BASELINE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/hierarchy/detail/wide_distance_kernel.cpp"
#include <hwy/foreach_target.h>
#endif
#include <hwy/highway.h>

#if HWY_TARGET == FITUP_KERNEL_TARGET
// Without vectors the scalar code does the work.
#define FITUP_IS_PLAIN (HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128)
#if FITUP_IS_PLAIN
#include <fitup/hierarchy/detail/wide_distance_task.h>
#else
#define FITUP_LANES HWY_NAMESPACE
#include <fitup/hierarchy/detail/wide_distance-inl.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace fitup {
namespace HWY_NAMESPACE {

detail::DistanceProgress nearest(const detail::WideDistanceRun& run) {
#if FITUP_IS_PLAIN
  return detail::nearestWideScalar(run);
#else
  return detail::HWY_NAMESPACE::nearest(run);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace fitup
HWY_AFTER_NAMESPACE();
#endif
