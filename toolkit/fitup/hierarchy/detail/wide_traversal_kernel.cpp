#include <fitup/hierarchy/detail/kernel_targets.h>
#if FITUP_KERNEL != FITUP_KERNEL_BASELINE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/hierarchy/detail/wide_traversal_kernel.cpp"
#include <hwy/foreach_target.h>
#endif
#include <hwy/highway.h>

#if HWY_TARGET == FITUP_KERNEL_TARGET
// Without vectors the scalar code does the work.
#define FITUP_IS_PLAIN (HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128)
#if FITUP_IS_PLAIN
#include <fitup/hierarchy/detail/wide_scalar.h>
#else
#define FITUP_LANES HWY_NAMESPACE
#include <fitup/hierarchy/detail/wide_traversal-inl.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace fitup {
namespace HWY_NAMESPACE {

detail::WideDecided decideBatch(const detail::TriangleBatch& batch, const Transform& aFromB,
                                float leastExtent) {
#if FITUP_IS_PLAIN
  return detail::decideBatchScalar(batch, aFromB, leastExtent);
#else
  return detail::HWY_NAMESPACE::decideBatch(batch, aFromB, leastExtent);
#endif
}

void traverse(const TraversalTask& task, const WideBvh& a, const WideBvh& b, const detail::WideQuery& query,
              WideScratch::Data& scratch, const detail::WideOrder& order) {
#if FITUP_IS_PLAIN
  detail::traverseWideScalar(task, a, b, query, scratch, order);
#else
  detail::HWY_NAMESPACE::traverse(task, a, b, query, scratch, order);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace fitup
HWY_AFTER_NAMESPACE();
#endif
