#pragma once

#include <functional>
#include <vector>

#include <fitup/hierarchy/traversal.h>
#include <fitup/query/detail/pair_preparation.h>
#include <fitup/query/detail/pair_sorter.h>
#include <fitup/query/posed_model.h>
#include <fitup/query/report.h>
#include <fitup/query/request.h>

namespace fitup::detail {

/// Finds pairs for a task. `a` and `b` are the models in their roles.
using Traverse =
    std::function<void(const TraversalTask& task, const CollisionModel& a, const CollisionModel& b)>;

/// Returns the stop check of a query that starts now.
StopCheck stopCheckOf(const QueryLimits& limits);
ReportStatus statusOf(StopCheck::Reason reason);

/// Does the work that all methods share for a pair: the placement before the traversal, the limits around it,
/// and the order and the argument names after it. The answer replaces the contents of `report`.
void answerPair(const PairRoles& roles, const PosedModel& first, const PosedModel& second,
                const IntersectionRequest& request, AnswerScratch& scratch, const Traverse& traverse,
                IntersectionReport& report);

}  // namespace fitup::detail
