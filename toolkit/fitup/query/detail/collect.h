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

/// Finds pairs for a task; `a` and `b` are the models in their roles.
using Traverse =
    std::function<void(const TraversalTask& task, const CollisionModel& a, const CollisionModel& b)>;

/// Of a query that begins now.
StopCheck stopCheckOf(const QueryLimits& limits);
ReportStatus statusOf(StopCheck::Reason reason);

/// What all ways to answer a pair share: placement before, limits around, order and names of the
/// arguments after the traversal. The answer takes the place of what is in `report`.
void answerPair(const PairRoles& roles, const PosedModel& first, const PosedModel& second,
                const IntersectionRequest& request, AnswerScratch& scratch, const Traverse& traverse,
                IntersectionReport& report);

}  // namespace fitup::detail
