#pragma once

#include <memory>

#include <fitup/query/posed_model.h>
#include <fitup/query/report.h>
#include <fitup/query/request.h>

namespace FITUP_EXPORT fitup {

/// Scratch memory of queries, kept between calls so that they allocate nothing. One context a thread; what it
/// was used for before changes no report, but for requests with `Coherence::on`: they start from the last
/// witness, so they may tell another first pair. One that was moved from is as a new one.
class QueryContext {
 public:
  QueryContext();
  ~QueryContext();
  QueryContext(QueryContext&&) noexcept;
  QueryContext& operator=(QueryContext&&) noexcept;

  struct Scratch;
  [[nodiscard]] Scratch& scratch() {
    if (!scratch_) renew();
    return *scratch_;
  }

 private:
  void renew();

  std::unique_ptr<Scratch> scratch_;
};

/// Which surfaces and triangles of two posed models intersect. Exact for the placed coordinates of the pair's
/// `PairFrame`; sorted; swapping the models gives the swapped report (but for a truncated query of a model
/// with itself at one place, where the roles cannot be distinguished).
///
/// Thread-safe for distinct contexts. Throws PlacementError and RangeError as `PairFrame::of`.
IntersectionReport intersect(const PosedModel& first, const PosedModel& second,
                             const IntersectionRequest& request, QueryContext& context);
/// The answer in place of what is in `report`, in the memory that it has: loops that ask again and again
/// allocate nothing. After an exception `report` is any report.
void intersect(const PosedModel& first, const PosedModel& second, const IntersectionRequest& request,
               QueryContext& context, IntersectionReport& report);
/// With a context of its own, for single questions.
IntersectionReport intersect(const PosedModel& first, const PosedModel& second,
                             const IntersectionRequest& request = {});

}  // namespace fitup
