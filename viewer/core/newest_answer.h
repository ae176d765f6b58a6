#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include <fitup/base/progress.h>

namespace fitup::viewer {

/// Answers questions on a thread of its own, the newest first: a question that was not begun when the next
/// one comes is forgotten, one that was begun is answered. All members may be called from any thread.
template <typename Question, typename Answer>
class NewestAnswer {
 public:
  /// Runs on the thread; what it keeps between questions is its own. Cancelled, it returns anything soon.
  using Work = std::function<Answer(const Question&, const Progress&)>;
  /// Called from the thread. `error` says why there is no answer, or is empty.
  using Deliver = std::function<void(std::uint64_t ticket, Answer answer, const std::string& error)>;

  NewestAnswer(Work work, Deliver deliver)
      : work_(std::move(work)),
        deliver_(std::move(deliver)),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}
  /// Cancels what runs and waits for it.
  ~NewestAnswer() {
    thread_.request_stop();
    cancel();
  }
  NewestAnswer(const NewestAnswer&) = delete;
  NewestAnswer& operator=(const NewestAnswer&) = delete;

  /// Returns the question's ticket; tickets grow.
  std::uint64_t ask(Question question) {
    std::unique_lock lock(mutex_);
    waiting_ = std::move(question);
    const std::uint64_t ticket = ++tickets_;
    lock.unlock();
    changed_.notify_one();
    return ticket;
  }
  /// What runs may end early: nobody wants its answer any more.
  void cancel() {
    const std::lock_guard lock(mutex_);
    cancel_.request_stop();
  }

 private:
  void run(const std::stop_token& stop) {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [&] { return waiting_.has_value(); });
      if (stop.stop_requested()) return;
      const Question question = std::move(*waiting_);
      waiting_.reset();
      const std::uint64_t ticket = tickets_;
      cancel_ = std::stop_source();
      const Progress progress(cancel_.get_token());
      lock.unlock();
      Answer answer{};
      std::string error;
      try {
        answer = work_(question, progress);
      } catch (const std::exception& problem) {
        error = problem.what();
      }
      deliver_(ticket, std::move(answer), error);
    }
  }

  Work work_;
  Deliver deliver_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<Question> waiting_;
  std::uint64_t tickets_ = 0;
  std::stop_source cancel_;
  std::jthread thread_;
};

}  // namespace fitup::viewer
