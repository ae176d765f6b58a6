#include <fitup/motion/detail/pausable_work.h>

#include <utility>

namespace fitup::detail {

PausableWork::~PausableWork() {
  if (!thread_.joinable()) return;
  ends_ = true;
  toWork_.release();
  thread_.join();
}

bool PausableWork::run(const Work& work, const MustPause& mustPause) {
  mustPause_ = mustPause ? &mustPause : nullptr;
  if (!isPaused_) {
    if (!mustPause) {
      work();
      return true;
    }
    work_ = work;
    if (!thread_.joinable()) thread_ = std::thread([this] { runWorks(); });
  }
  toWork_.release();
  toCaller_.acquire();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return !isPaused_;
}

void PausableWork::check() {
  if (mustPause_ == nullptr || !(*mustPause_)()) return;
  isPaused_ = true;
  toCaller_.release();
  toWork_.acquire();
  isPaused_ = false;
  if (ends_) throw Ended{};
}

void PausableWork::runWorks() {
  while (true) {
    toWork_.acquire();
    if (ends_) return;
    try {
      work_();
    } catch (const Ended&) {
      return;
    } catch (...) {
      error_ = std::current_exception();
    }
    toCaller_.release();
  }
}

}  // namespace fitup::detail
