#include "console.h"

#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csignal>

namespace fitup::cli {
namespace {

using namespace std::chrono_literals;

/// Lock-free, so that a signal handler may access it.
std::atomic<int> interrupts{0};
static_assert(std::atomic<int>::is_always_lock_free);

/// The stream itself records only that something failed, not why.
std::atomic<int> firstOutputError{0};

void keepOutputError(int error) {
  int none = 0;
  firstOutputError.compare_exchange_strong(none, error != 0 ? error : EIO);
}

/// The current phase, for errors that do not know it.
std::mutex phaseMutex;
std::string phaseNow;

void keepPhase(std::string_view phase) {
  const std::lock_guard lock(phaseMutex);
  if (phaseNow != phase) phaseNow = phase;
}

void onInterrupt(int) {
  if (++interrupts > 1) std::_Exit(exitError);
}

}  // namespace

void writeText(std::FILE* stream, fmt::string_view format, fmt::format_args values) {
  if (stream == stdout && firstOutputError != 0) return;  // an answer with a gap would be worse
  const std::string text = fmt::vformat(format, values);
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream) < text.size() && stream == stdout)
    keepOutputError(errno);
}

void sayLines(std::string_view lines) { writeText(stdout, "{}", fmt::make_format_args(lines)); }

int flushOutput() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) keepOutputError(errno);
  return firstOutputError;
}

std::string lastPhase() {
  const std::lock_guard lock(phaseMutex);
  return phaseNow;
}

Console::Console(bool quiet)
    : progress_(stop_.get_token(),
                [this](std::string_view phase, double fraction) { show(phase, fraction); }),
      begin_(std::chrono::steady_clock::now()),
      lastShown_(begin_),
      terminal_(isatty(STDERR_FILENO) != 0),
      quiet_(quiet) {
  std::signal(SIGINT, onInterrupt);
  std::signal(SIGTERM, onInterrupt);
  // A signal handler must not access a stop source, so a thread polls the flag.
  interruptWatch_ = std::jthread([this](const std::stop_token& done) {
    std::mutex mutex;
    std::condition_variable_any wake;  // wakes at the end of the command, without waiting for the next poll
    std::unique_lock lock(mutex);
    while (!done.stop_requested()) {
      if (interrupts > 0) {
        stop_.request_stop();
        return;
      }
      wake.wait_for(lock, done, 50ms, [] { return false; });
    }
  });
}

Console::~Console() { clear(); }

void Console::clear() {
  const std::lock_guard lock(mutex_);
  if (lineOpen_) sayTo(stderr, "\r\033[K");
  lineOpen_ = false;
}

void Console::show(std::string_view phase, double fraction) {
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  keepPhase(phase);
  if (quiet_ || now - begin_ < 1s || now - lastShown_ < (terminal_ ? 100ms : 5000ms)) return;
  lastShown_ = now;
  const std::string text =
      fraction >= 0 ? fmt::format("{} {:3.0f} %", phase, 100 * fraction) : fmt::format("{} ...", phase);
  if (terminal_)
    sayTo(stderr, "\r\033[K{}", text);
  else
    sayTo(stderr, "{}\n", text);
  std::fflush(stderr);
  lineOpen_ = terminal_;
}

}  // namespace fitup::cli
