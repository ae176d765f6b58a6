#include "console.h"

#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdint>

namespace fitup::cli {
namespace {

using namespace std::chrono_literals;

/// Lock-free, so a signal handler may touch it.
std::atomic<int> interrupts{0};
static_assert(std::atomic<int>::is_always_lock_free);

/// The stream itself only remembers that something failed, not why.
std::atomic<int> firstOutputError{0};

void keepOutputError(int error) {
  int none = 0;
  firstOutputError.compare_exchange_strong(none, error != 0 ? error : EIO);
}

/// What is being done, for errors that do not know it.
std::mutex phaseMutex;
std::string phaseNow;

void keepPhase(std::string_view phase) {
  const std::lock_guard lock(phaseMutex);
  if (phaseNow != phase) phaseNow = phase;
}

struct Character {
  std::uint32_t code;
  std::size_t length;  ///< in bytes; 0 where these are not UTF-8
};

/// The first one. Precondition: the text is not empty.
Character nextCharacter(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  const std::size_t length = byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
  if (length == 0 || length > text.size()) return {byte, 0};
  std::uint32_t code = length == 1 ? byte : byte & (0x7fU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    const auto next = static_cast<unsigned char>(text[k]);
    if ((next & 0xc0U) != 0x80) return {byte, 0};
    code = code << 6 | (next & 0x3fU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool isSurrogate = code >= 0xd800 && code < 0xe000;
  if (code < least[length] || isSurrogate || code > 0x10ffff) return {byte, 0};
  return {code, length};
}

void onInterrupt(int) {
  if (++interrupts > 1) std::_Exit(exitError);
}

}  // namespace

void writeText(std::FILE* stream, fmt::string_view format, fmt::format_args values) {
  if (stream == stdout && firstOutputError != 0) return;  // an answer with a gap in it would be worse
  const std::string text = fmt::vformat(format, values);
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream) < text.size() && stream == stdout)
    keepOutputError(errno);
}

void sayLines(std::string_view lines) { writeText(stdout, "{}", fmt::make_format_args(lines)); }

std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto [code, length] = nextCharacter(text.substr(i));
    if (length == 0) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i++]));
      continue;
    }
    const bool turnsLines = code == 0x61c || code == 0x200e || code == 0x200f ||
                            (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    if (code < 0x20 || code == 0x7f)
      result += code == '\n' ? "\\n" : code == '\t' ? "\\t" : fmt::format("\\x{:02x}", code);
    else if ((code >= 0x80 && code < 0xa0) || turnsLines)
      result += fmt::format("\\u{:04x}", code);
    else
      result += text.substr(i, length);
    i += length;
  }
  return result;
}

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
  // A signal handler may not touch a stop source, so a thread looks at the flag.
  interruptWatch_ = std::jthread([this](const std::stop_token& done) {
    std::mutex mutex;
    std::condition_variable_any wake;  // by the end of the command: it does not wait for the next look
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
