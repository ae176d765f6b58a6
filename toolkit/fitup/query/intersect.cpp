#include <fitup/query/intersect.h>

#include <algorithm>
#include <optional>

#include <fitup/base/error.h>
#include <fitup/hierarchy/scd_traversal.h>
#include <fitup/hierarchy/wide_traversal.h>
#include <fitup/query/detail/collect.h>
#include <fitup/query/pair_frame.h>

namespace fitup {

struct QueryContext::Scratch {
  ScdScratch scd;
  WideScratch wide;
  detail::AnswerScratch answer;
};

QueryContext::QueryContext() : scratch_(std::make_unique<Scratch>()) {}
QueryContext::~QueryContext() = default;
QueryContext::QueryContext(QueryContext&&) noexcept = default;
QueryContext& QueryContext::operator=(QueryContext&&) noexcept = default;

IntersectionReport intersect(const PosedModel& first, const PosedModel& second,
                             const IntersectionRequest& request, QueryContext& context) {
  QueryContext::Scratch& scratch = context.scratch();
  return detail::answerPair(first, second, request, scratch.answer,
                            [&](const TraversalTask& task, const CollisionModel& a, const CollisionModel& b) {
                              switch (request.hierarchy) {
                                case HierarchyKind::wide:
                                  return traverseWide(task, a.wide(), b.wide(), scratch.wide);
                                case HierarchyKind::scd:
                                  return traverseScd(task, a.scd(), b.scd(), scratch.scd);
                              }
                              throw NotBuiltError("unknown kind of hierarchy");
                            });
}

IntersectionReport intersect(const PosedModel& first, const PosedModel& second,
                             const IntersectionRequest& request) {
  QueryContext context;
  return intersect(first, second, request, context);
}

}  // namespace fitup
