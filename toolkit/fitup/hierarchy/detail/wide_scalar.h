#pragma once

#include <fitup/hierarchy/detail/wide_task.h>

namespace fitup::detail {

/// The traversal in plain code, one lane after the other: the twin that the vector forms are tested against.
void traverseWideScalar(const TraversalTask& task, const WideBvh& a, const WideBvh& b, const WideQuery& query,
                        WideScratch::Data& scratch, const WideOrder& order);

}  // namespace fitup::detail
