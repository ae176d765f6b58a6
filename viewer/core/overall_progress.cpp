#include <viewer/core/overall_progress.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace fitup::viewer {

OverallProgress::OverallProgress(std::vector<JobPhase> phases, std::size_t perFile, std::size_t files)
    : phases_(std::move(phases)), perFile_(perFile), files_(std::max<std::size_t>(files, 1)) {
  assert(perFile_ <= phases_.size());
  whole_ = before(files_ - 1, phases_.size());
}

double OverallProgress::before(std::size_t file, std::size_t phase) const {
  double perFile = 0, result = 0;
  for (std::size_t i = 0; i < perFile_; ++i) perFile += phases_[i].share;
  for (std::size_t i = 0; i < phase; ++i) result += phases_[i].share;
  // Phases that follow the files come after all of them.
  const std::size_t filesBefore = phase >= perFile_ && perFile_ > 0 ? files_ - 1 : file;
  return result + static_cast<double>(filesBefore) * perFile;
}

double OverallProgress::add(std::string_view phase, double fraction) {
  const std::lock_guard lock(mutex_);
  if (phases_.empty()) phases_ = {{std::string(phase), whole_ = 1}};
  const auto found =
      std::ranges::find_if(phases_, [&](const JobPhase& listed) { return phase.starts_with(listed.name); });
  if (found == phases_.end()) return done_;
  const auto at = static_cast<std::size_t>(found - phases_.begin());
  if (at == 0 && phase_ > 0 && perFile_ > 0 && file_ + 1 < files_) ++file_;
  phase_ = at;
  const double within = std::clamp(fraction, 0.0, 1.0) * phases_[at].share;
  done_ = std::max(done_, std::min(1.0, (before(file_, at) + within) / whole_));
  return done_;
}

}  // namespace fitup::viewer
