// Functions that wide_traversal_kernel.cpp defines for each instruction set (kernel_targets.h). Included once
// for each, so there is no include guard of the usual kind.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fitup {
namespace HWY_NAMESPACE {

/// Tests the pairs of a batch at another placement.
detail::WideDecided decideBatch(const detail::TriangleBatch& batch, const Transform& aFromB,
                                float leastExtent);

/// Continues from the pairs on the stack to the end or, with `order.spreadUntil`, breadth first until that
/// many pairs wait.
void traverse(const TraversalTask& task, const WideBvh& a, const WideBvh& b, const detail::WideQuery& query,
              WideScratch::Data& scratch, const detail::WideOrder& order);

}  // namespace HWY_NAMESPACE
}  // namespace fitup
HWY_AFTER_NAMESPACE();
