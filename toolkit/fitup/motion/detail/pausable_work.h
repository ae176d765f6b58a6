#pragma once

#include <exception>
#include <functional>
#include <semaphore>
#include <thread>

namespace fitup::detail {

/// Work that can be paused wherever it checks, and goes on from there later, so that nothing it calls has to
/// know how to be interrupted and taken up again. What it computes does not depend on where it was paused.
///
/// Work that may be paused runs on a thread of this object, while the caller waits: never at the same time.
/// Other work runs on the calling thread. Apart from that, not thread-safe.
class PausableWork {
 public:
  using Work = std::function<void()>;
  using MustPause = std::function<bool()>;

  PausableWork() = default;
  /// Ends work that is paused, by an exception at its check.
  ~PausableWork();
  PausableWork(const PausableWork&) = delete;
  PausableWork& operator=(const PausableWork&) = delete;

  /// Goes on with the work that is paused or, if there is none, begins `work`. Returns true at its end, false
  /// where it was paused because `mustPause`, which may be null, returned true. Throws what the work throws,
  /// which then has ended.
  bool run(const Work& work, const MustPause& mustPause);
  /// To be called by the work, often: pauses it if it must.
  void check();

 private:
  struct Ended {};

  void runWorks();

  const MustPause* mustPause_ = nullptr;  ///< of the present call
  Work work_;
  bool isPaused_ = false, ends_ = false;
  std::exception_ptr error_;
  std::binary_semaphore toWork_{0}, toCaller_{0};
  std::thread thread_;  ///< from the first work that may be paused on
};

}  // namespace fitup::detail
