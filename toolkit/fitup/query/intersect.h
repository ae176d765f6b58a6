#pragma once

#include <memory>

#include <fitup/query/posed_model.h>
#include <fitup/query/report.h>
#include <fitup/query/request.h>

namespace FITUP_EXPORT fitup {

/// Scratch memory that queries reuse, so that they allocate nothing. A context belongs to one call at a time,
/// so each thread needs its own. Earlier queries do not change a report, except for requests with
/// `Coherence::on`: these start from the last witness and may report a different first pair. A moved-from
/// context is like a new one.
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

/// Reports which surfaces and triangles of two posed models intersect. The answer is exact for the placed
/// coordinates of the pair's `PairFrame` and sorted by ids. Exchanging the models exchanges the report,
/// except for a truncated query of a model with itself at the same placement, where the roles cannot be
/// distinguished.
///
/// Thread-safe for distinct contexts. Throws PlacementError and RangeError as `PairFrame::of`, NotBuiltError
/// for a hierarchy that was not built, and InputError for a null model.
IntersectionReport intersect(const PosedModel& first, const PosedModel& second,
                             const IntersectionRequest& request, QueryContext& context);
/// Same as above, but replaces the contents of `report` and reuses its memory, so that repeated queries
/// allocate nothing. After an exception the contents of `report` are unspecified.
void intersect(const PosedModel& first, const PosedModel& second, const IntersectionRequest& request,
               QueryContext& context, IntersectionReport& report);
/// Same as above with a context of its own, for single queries.
IntersectionReport intersect(const PosedModel& first, const PosedModel& second,
                             const IntersectionRequest& request = {});

}  // namespace fitup
