#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace fitup::viewer {

/// A phase of a job: the beginning of the name that its progress reports, and its share of the job's time, as
/// a guess. The shares of a job need not add up to 1.
struct JobPhase {
  std::string name;
  double share = 1;
};

/// Turns the progress of a job's phases, each of which goes from 0 to 1, into that of the whole job, which
/// never goes back. Thread-safe.
class OverallProgress {
 public:
  /// `phases` in their order. A job that works on several files goes through the first `perFile` of them for
  /// each of `files`; the next file begins with the first phase.
  explicit OverallProgress(std::vector<JobPhase> phases = {}, std::size_t perFile = 0, std::size_t files = 1);

  /// Takes a report of `Progress` and returns the share of the whole job that is done, in 0 ... 1. Negative
  /// as long as nothing is known. A phase that is not listed changes nothing; of a job without a list, the
  /// first phase counts as the whole job.
  double add(std::string_view phase, double fraction);

 private:
  /// The share of the job before a phase of a file.
  [[nodiscard]] double before(std::size_t file, std::size_t phase) const;

  std::mutex mutex_;
  std::vector<JobPhase> phases_;
  std::size_t perFile_, files_;
  double whole_ = 0;
  std::size_t file_ = 0, phase_ = 0;  ///< the present ones
  double done_ = -1;
};

}  // namespace fitup::viewer
