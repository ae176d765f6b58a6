#undef HWY_COMPILE_ONLY_STATIC  // tests/fuzz/run.sh defines it
#define HWY_COMPILE_ONLY_SCALAR
#define FITUP_LANES plainLanes
#include <fitup/hierarchy/detail/wide_scalar.h>
#include <fitup/hierarchy/detail/wide_traversal-inl.h>

namespace fitup::detail {

void traverseWideScalar(const TraversalTask& task, const WideBvh& a, const WideBvh& b, const WideQuery& query,
                        WideScratch::Data& scratch, const WideOrder& order) {
  plainLanes::traverse(task, a, b, query, scratch, order);
}

WideDecided decideBatchScalar(const TriangleBatch& batch, const Transform& aFromB, float leastExtent) {
  return plainLanes::decideBatch(batch, aFromB, leastExtent);
}

}  // namespace fitup::detail
