#include <fitup/io/importer_process.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <optional>
#include <string_view>
#include <system_error>

#include <fitup/base/error.h>

namespace fitup {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds pollInterval{100};  // bounds the delay of a cancel
constexpr std::chrono::milliseconds watchInterval{500};
constexpr std::size_t keptErrorText = 2000;
constexpr std::size_t longestLine = 16384;

[[noreturn]] void failSystem(const std::string& what, int error) {
  throw ImportError("cannot start the importer: " + what + ": " + std::generic_category().message(error));
}

class Pipe {
 public:
  enum class Kind { pipe, socket };
  /// A write to the socket of a program that has ended fails, whereas one to its pipe ends this program.
  explicit Pipe(Kind kind = Kind::pipe) {
    const int failed = kind == Kind::pipe
                           ? ::pipe2(ends_.data(), O_CLOEXEC)
                           : ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data());
    if (failed != 0) failSystem("pipe", errno);
  }
  ~Pipe() {
    closeRead();
    closeWrite();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int readEnd() const noexcept { return ends_[0]; }
  [[nodiscard]] int writeEnd() const noexcept { return ends_[1]; }
  void closeRead() noexcept { close(ends_[0]); }
  void closeWrite() noexcept { close(ends_[1]); }

 private:
  static void close(int& end) noexcept {
    if (end >= 0) ::close(end);
    end = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

/// Lowers a limit to a value, unless it is lower already. Async-signal-safe.
void lowerLimit(decltype(RLIMIT_AS) resource, rlim_t value) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, value);  // RLIM_INFINITY is the largest number
  limit.rlim_max = limit.rlim_cur;
  ::setrlimit(resource, &limit);
}

/// Marks the caller's descriptors close-on-exec, because other libraries of a host do not mark all of theirs.
/// Async-signal-safe.
void keepDescriptorsFromProgram() {
  constexpr unsigned first = 3, markOnly = 1U << 2;  // CLOSE_RANGE_CLOEXEC
#if defined(SYS_close_range)
  if (::syscall(SYS_close_range, first, ~0U, markOnly) == 0) return;
#endif
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t end = std::min<rlim_t>(limit.rlim_cur, 1U << 16);
  for (rlim_t descriptor = first; descriptor < end; ++descriptor)
    ::fcntl(static_cast<int>(descriptor), F_SETFD, FD_CLOEXEC);
}

/// Runs in the child between fork and exec, where only async-signal-safe calls are allowed.
[[noreturn]] void becomeImporter(const char* program, char* const* arguments, char* const* environment,
                                 int input, const Pipe& output, const Pipe& errors, const Pipe& failure,
                                 [[maybe_unused]] std::size_t memoryLimit, pid_t parent) {
  ::setpgid(0, 0);
  // Without the parent, nobody would wait for it. The signal comes when the thread ends that started it, so
  // one that serves several threads ends when its input does.
  if (input < 0) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal : {SIGPIPE, SIGINT, SIGTERM, SIGCHLD}) ::signal(signal, SIG_DFL);

  lowerLimit(RLIMIT_CORE, 0);
  keepDescriptorsFromProgram();
#if !defined(__SANITIZE_ADDRESS__)  // its shadow memory alone exceeds any useful limit
  if (memoryLimit != 0) {
    lowerLimit(RLIMIT_AS, memoryLimit);
    lowerLimit(RLIMIT_FSIZE, memoryLimit);
  }
#endif
  const int read = input >= 0 ? input : ::open("/dev/null", O_RDONLY);
  if (read < 0 || ::dup2(read, 0) < 0 || ::dup2(output.writeEnd(), 1) < 0 || ::dup2(errors.writeEnd(), 2) < 0)
    ::_exit(127);
  ::execve(program, arguments, environment);
  const int error = errno;
  (void)!::write(failure.writeEnd(), &error, sizeof error);
  ::_exit(127);
}

/// The environment of this program. Unless it says otherwise, Open CASCADE is set to use TBB's allocator,
/// which saves about a seventh of the import of a large assembly. Open CASCADE reads this setting before an
/// importer's `main`.
std::vector<std::string> importerEnvironment() {
  constexpr std::string_view allocator = "MMGT_OPT=";
  std::vector<std::string> variables;
  for (char* const* variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  if (std::none_of(variables.begin(), variables.end(),
                   [&](const std::string& variable) { return variable.starts_with(allocator); }))
    variables.push_back(std::string(allocator) + '2');
  return variables;
}

/// Pointers into `texts`, as `execve` takes them.
std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// A started importer; ends and reaps it in every case.
class Child {
 public:
  explicit Child(const ImporterCommand& command, bool hasInput = false) {
    if (hasInput) input_.emplace(Pipe::Kind::socket);
    const std::string program = command.program.string();
    std::vector<std::string> texts{program};
    texts.insert(texts.end(), command.arguments.begin(), command.arguments.end());
    std::vector<std::string> variables = importerEnvironment();
    const std::vector<char*> arguments = pointersTo(texts), environment = pointersTo(variables);

    Pipe failure;
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) failSystem("fork", errno);
    if (pid_ == 0)
      becomeImporter(program.c_str(), arguments.data(), environment.data(), input_ ? input_->readEnd() : -1,
                     output_, errors_, failure, command.memoryLimit, parent);
    ::setpgid(pid_, pid_);  // in both processes, because either may come first
    if (input_) input_->closeRead();
    output_.closeWrite();
    errors_.closeWrite();
    failure.closeWrite();
    int error = 0;
    ssize_t got = 0;
    do got = ::read(failure.readEnd(), &error, sizeof error);
    while (got < 0 && errno == EINTR);
    if (got == sizeof error) {
      finish();
      failSystem(program, error);
    }
  }
  ~Child() { finish(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] int output() const noexcept { return output_.readEnd(); }
  [[nodiscard]] int errors() const noexcept { return errors_.readEnd(); }
  /// Writes what there is room for. Precondition: it has an input. Returns how much was written, 0 also if
  /// the process has ended.
  [[nodiscard]] std::size_t write(std::string_view bytes) const noexcept {
    const ssize_t sent = ::send(input_->writeEnd(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent > 0 ? static_cast<std::size_t>(sent) : 0;
  }
  /// Waits until there is something to read, or room to write if `toWrite`.
  void waitFor(std::chrono::milliseconds time, bool toWrite) const noexcept {
    std::array<pollfd, 3> streams{{{output(), POLLIN, 0}, {errors(), POLLIN, 0}, {-1, POLLOUT, 0}}};
    if (toWrite) streams[2].fd = input_->writeEnd();
    ::poll(streams.data(), streams.size(), static_cast<int>(time.count()));
  }

  /// True if the process has ended (it may not be reaped yet).
  [[nodiscard]] bool hasEnded() const noexcept {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
      return errno == ECHILD;
    return info.si_pid == pid_;
  }
  /// Ends the whole group and reaps the process. Returns its wait status, or nothing if another thread reaped
  /// it.
  std::optional<int> finish() noexcept {
    if (pid_ <= 0) return status_;
    // The process is not reaped yet, so its group number cannot belong to another one.
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    int status = 0;
    pid_t waited = 0;
    do waited = ::waitpid(pid_, &status, 0);
    while (waited < 0 && errno == EINTR);
    if (waited == pid_) status_ = status;
    pid_ = -1;
    return status_;
  }

 private:
  std::optional<Pipe> input_;
  Pipe output_, errors_;
  pid_t pid_ = -1;
  std::optional<int> status_;
};

/// The importer's messages so far.
struct Conversation {
  std::string phase = "starting";
  std::string pending;  ///< an incomplete line
  std::optional<std::string> error;
  bool done = false;
  bool spoke = false;     ///< a line of the protocol was received
  std::string errorText;  ///< end of standard error

  /// Processes output; returns true if a line reported progress.
  bool hear(std::string_view bytes, const Progress& progress) {
    bool moved = false;
    for (char c : bytes) {
      if (c != '\n') {
        if (pending.size() < longestLine) pending += c;
        continue;
      }
      moved |= hearLine(pending, progress);
      pending.clear();
    }
    return moved;
  }
  void hearErrors(std::string_view bytes) {
    errorText += bytes;
    if (errorText.size() > 2 * keptErrorText) errorText.erase(0, errorText.size() - keptErrorText);
  }
  /// ": " and the last lines of standard error; or empty.
  [[nodiscard]] std::string lastWords() const {
    std::string_view text = errorText;
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    if (text.size() > keptErrorText) text.remove_prefix(text.size() - keptErrorText);
    std::size_t from = text.size();
    for (int lines = 0; lines < 5 && from != std::string_view::npos && from > 0; ++lines)
      from = text.rfind('\n', from - 1);
    if (from != std::string_view::npos && from < text.size())
      text.remove_prefix(text[from] == '\n' ? from + 1 : from);
    return text.empty() ? "" : ": " + std::string(text);
  }

 private:
  bool hearLine(std::string_view line, const Progress& progress) {
    constexpr std::string_view progressWord = "progress ", errorWord = "error ";
    if (line == "done") {
      spoke = done = true;
    } else if (line.starts_with(errorWord)) {
      spoke = true;
      error = std::string(line.substr(errorWord.size()));
    } else if (line.starts_with(progressWord)) {
      line.remove_prefix(progressWord.size());
      double fraction = -1;
      const auto parsed = std::from_chars(line.data(), line.data() + line.size(), fraction);
      if (parsed.ec != std::errc()) return false;
      line.remove_prefix(static_cast<std::size_t>(parsed.ptr - line.data()));
      if (line.starts_with(' ')) line.remove_prefix(1);
      spoke = true;
      phase = std::string(line);
      progress.report(phase, std::clamp(fraction, -1.0, 1.0));
      return true;
    }
    return false;
  }
};

/// Reads once; returns false at the end of the stream.
template <typename Hear>
bool readSome(int descriptor, Hear hear) {
  std::array<char, 8192> buffer{};
  const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  if (got == 0) return false;
  hear(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
  return true;
}

std::string sizeText(std::size_t bytes) {
  const std::size_t mebi = bytes >> 20;
  return mebi >= 1024 && mebi % 1024 == 0 ? std::to_string(mebi >> 10) + " GiB"
                                          : std::to_string(mebi) + " MiB";
}

std::string durationText(std::chrono::milliseconds duration) {
  return duration.count() % 1000 == 0 ? std::to_string(duration.count() / 1000) + " s"
                                      : std::to_string(duration.count()) + " ms";
}

/// Throws unless the importer ended successfully.
void judge(const ImporterCommand& command, const Conversation& said, std::optional<int> status) {
  const bool exited = status && WIFEXITED(*status);
  // If the program wrote no line of the protocol, this exit code may mean anything: it may not be an
  // importer.
  const bool noMemory =
      (exited && said.spoke && WEXITSTATUS(*status) == importer_protocol::outOfMemoryExitCode) ||
      (!said.done && said.errorText.find("bad_alloc") != std::string::npos);
  if (noMemory)
    throw ImportError("importer used more than " + sizeText(command.memoryLimit) + " of memory while " +
                      said.phase);
  if (status && WIFSIGNALED(*status))
    throw ImportError("importer crashed (signal " + std::to_string(WTERMSIG(*status)) + ") while " +
                      said.phase + said.lastWords());
  if (said.error) throw ImportError("refused: " + *said.error);
  if (said.done && (!status || (exited && WEXITSTATUS(*status) == 0))) return;
  throw ImportError(
      "importer ended (exit code " + (exited ? std::to_string(WEXITSTATUS(*status)) : "unknown") +
      (said.spoke ? ") without a result while " + said.phase : ") before it reported anything") +
      said.lastWords());
}

/// What an importer says, as it comes.
class Listener {
 public:
  explicit Listener(const Child& child)
      : streams_{{{child.output(), POLLIN, 0}, {child.errors(), POLLIN, 0}}} {}

  /// Reads what there is, after waiting for something to come. Returns false if nothing came.
  bool listen(std::chrono::milliseconds wait, Conversation& said, const Progress& progress) {
    if (::poll(streams_.data(), streams_.size(), static_cast<int>(wait.count())) <= 0) return false;
    // Poll skips a negative descriptor: the stream has ended.
    if (streams_[0].revents != 0 && !readSome(streams_[0].fd, [&](std::string_view bytes) {
          if (said.hear(bytes, progress)) lastProgress_ = Clock::now();
        }))
      streams_[0].fd = -1;
    if (streams_[1].revents != 0 &&
        !readSome(streams_[1].fd, [&](std::string_view bytes) { said.hearErrors(bytes); }))
      streams_[1].fd = -1;
    return true;
  }
  /// Reads the rest, after the whole group of processes has ended, so that nobody writes any more.
  void finish(Conversation& said, const Progress& progress) {
    for (int i = 0; i < 1000 && isOpen(); ++i)
      if (!listen(std::chrono::milliseconds(0), said, progress)) break;
  }
  [[nodiscard]] bool isOpen() const noexcept { return streams_[0].fd >= 0 || streams_[1].fd >= 0; }
  void restart() noexcept { lastProgress_ = Clock::now(); }
  /// Throws if nothing has moved for too long.
  void requireProgress(const ImporterCommand& command, const Conversation& said) const {
    if (command.noProgressLimit.count() > 0 && Clock::now() - lastProgress_ > command.noProgressLimit)
      throw ImportError("no progress for " + durationText(command.noProgressLimit) + " while " + said.phase +
                        said.lastWords());
  }

 private:
  std::array<pollfd, 2> streams_;
  Clock::time_point lastProgress_ = Clock::now();
};

}  // namespace

void runImporter(const ImporterCommand& command, const Progress& progress) {
  if (progress.cancelled()) throw CancelledError();
  Child child(command);
  Listener listener(child);
  Conversation said;
  auto nextWatch = Clock::now();
  while (!child.hasEnded()) {
    if (listener.isOpen())
      listener.listen(pollInterval, said, progress);
    else
      ::usleep(10'000);
    if (progress.cancelled()) throw CancelledError();
    if (const auto now = Clock::now(); command.watch && now >= nextWatch) {
      command.watch();
      // A slow watch is called less often.
      constexpr int pause = 10;
      nextWatch = Clock::now() + std::max<Clock::duration>(watchInterval, pause * (Clock::now() - now));
    }
    listener.requireProgress(command, said);
  }
  const std::optional<int> status = child.finish();
  listener.finish(said, progress);
  judge(command, said, status);
}

struct RunningImporter::State {
  ImporterCommand command;
  Child child;
  Listener listener;
  bool isRunning = true;

  explicit State(ImporterCommand by) : command(std::move(by)), child(command, true), listener(child) {}

  /// Ends the process; the message of the error says why it had to.
  void finish(Conversation& said, const Progress& progress) {
    isRunning = false;
    const std::optional<int> status = child.finish();
    listener.finish(said, progress);
    judge(command, said, status);
    throw ImportError("importer ended before it answered" + said.lastWords());
  }
};

RunningImporter::RunningImporter(ImporterCommand command)
    : state_(std::make_unique<State>(std::move(command))) {}
RunningImporter::~RunningImporter() = default;

bool RunningImporter::isRunning() const noexcept { return state_->isRunning && !state_->child.hasEnded(); }

void RunningImporter::ask(std::string_view request, const Progress& progress) {
  State& state = *state_;
  Conversation said;
  state.listener.restart();
  try {
    if (!state.isRunning) throw ImportError("the importer has ended");
    while (!said.done && !said.error) {
      if (progress.cancelled()) throw CancelledError();
      if (state.child.hasEnded()) state.finish(said, progress);
      request.remove_prefix(request.empty() ? 0 : state.child.write(request));
      state.child.waitFor(pollInterval, !request.empty());
      state.listener.listen(std::chrono::milliseconds(0), said, progress);
      if (!state.listener.isOpen()) state.finish(said, progress);
      state.listener.requireProgress(state.command, said);
    }
  } catch (...) {
    // It may still work on this request, and would take the next one for a part of it.
    state.isRunning = false;
    state.child.finish();
    throw;
  }
  if (said.error) throw ImportError("refused: " + *said.error);
}

}  // namespace fitup
