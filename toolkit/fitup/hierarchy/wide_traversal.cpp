#include <fitup/hierarchy/wide_traversal.h>

// Compiled once for each instruction set; the best one that the processor has is chosen at the first call.
// SSSE3 and the later AVX-512 extensions add nothing that this code uses.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/hierarchy/wide_traversal.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#define FITUP_LANES HWY_NAMESPACE
#include <fitup/hierarchy/detail/wide_traversal-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup {
namespace HWY_NAMESPACE {

void traverse(const TraversalTask& task, const WideBvh& a, const WideBvh& b, const detail::WideQuery& query,
              WideScratch::Data& scratch) {
  detail::HWY_NAMESPACE::traverse(task, a, b, query, scratch);
}

}  // namespace HWY_NAMESPACE
}  // namespace fitup
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <fitup/hierarchy/detail/wide_scalar.h>

namespace fitup {

HWY_EXPORT(traverse);

WideScratch::WideScratch() : data_(std::make_unique<Data>()) {}
WideScratch::~WideScratch() = default;
WideScratch::WideScratch(WideScratch&&) noexcept = default;
WideScratch& WideScratch::operator=(WideScratch&&) noexcept = default;

void traverseWide(const TraversalTask& task, const WideBvh& a, const WideBvh& b, WideScratch& scratch) {
  const detail::WideQuery query = detail::prepareWideQuery(task);
  if (task.vectorUse == VectorUse::scalar)
    detail::traverseWideScalar(task, a, b, query, scratch.data());
  else
    HWY_DYNAMIC_DISPATCH(traverse)(task, a, b, query, scratch.data());
}

}  // namespace fitup
#endif
