#pragma once

#include <fitup/hierarchy/detail/wide_task.h>

namespace fitup::detail {

/// The traversal in plain code, one lane after the other. The vector forms are tested against it.
void traverseWideScalar(const TraversalTask& task, const WideBvh& a, const WideBvh& b, const WideQuery& query,
                        WideScratch::Data& scratch, const WideOrder& order);

/// Same for the pairs of a batch at another placement.
WideDecided decideBatchScalar(const TriangleBatch& batch, const Transform& aFromB, float leastExtent);

}  // namespace fitup::detail
