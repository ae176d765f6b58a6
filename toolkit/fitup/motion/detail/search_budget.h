#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include <fitup/base/progress.h>
#include <fitup/query/report.h>
#include <fitup/query/request.h>

namespace fitup::detail {

/// What a search along a motion may spend. The time runs from when it is made.
class SearchBudget {
 public:
  /// Without a stop token of its own, the search ends when `progress` is cancelled. Keeps a reference to it.
  SearchBudget(QueryLimits limits, std::size_t mostQueries, const Progress& progress)
      : limits_(std::move(limits)), mostQueries_(mostQueries), progress_(progress) {
    if (!limits_.cancel.stop_possible()) limits_.cancel = progress.stopToken();
    limits_.maxPairs.reset();
  }

  /// The limits of the next query.
  [[nodiscard]] QueryLimits remaining() const {
    QueryLimits limits = limits_;
    if (limits.timeBudget)
      limits.timeBudget = std::max(std::chrono::nanoseconds{0}, *limits_.timeBudget - elapsed());
    return limits;
  }
  /// Complete unless the search has to end after this number of queries.
  [[nodiscard]] ReportStatus statusAfter(std::size_t queries) const {
    if (limits_.cancel.stop_requested() || progress_.cancelled()) return ReportStatus::cancelled;
    const bool isSpent = queries >= mostQueries_ || (limits_.timeBudget && elapsed() >= *limits_.timeBudget);
    return isSpent ? ReportStatus::truncated : ReportStatus::complete;
  }
  [[nodiscard]] double milliseconds() const {
    return std::chrono::duration<double, std::milli>(elapsed()).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] Clock::duration elapsed() const { return Clock::now() - begin_; }

  QueryLimits limits_;
  std::size_t mostQueries_;
  const Progress& progress_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace fitup::detail
