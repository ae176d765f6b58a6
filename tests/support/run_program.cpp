#include "run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <system_error>

extern char** environ;

namespace fitup::test {
namespace {

using Clock = std::chrono::steady_clock;

void require(bool ok, const std::string& what, int error) {
  if (!ok) throw std::runtime_error(what + ": " + std::generic_category().message(error));
}

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() { require(::pipe2(ends.data(), O_CLOEXEC) == 0, "pipe", errno); }
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void closeEnd(std::size_t i) {
    if (ends[i] >= 0) ::close(ends[i]);
    ends[i] = -1;
  }
};

/// Returns the variables of this program that are not overridden, and the new ones.
std::vector<std::string> mergedEnvironment(const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> result;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string_view name = text.substr(0, text.find('='));
    if (std::none_of(added.begin(), added.end(), [&](const auto& a) { return a.first == name; }))
      result.emplace_back(text);
  }
  for (const auto& [name, value] : added) result.push_back(name + "=" + value);
  return result;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

pid_t start(const std::filesystem::path& program, const std::vector<std::string>& arguments,
            const RunOptions& options, Pipe& out, Pipe& err) {
  std::vector<std::string> argumentTexts{program.string()};
  argumentTexts.insert(argumentTexts.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = mergedEnvironment(options.environment);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (options.output.empty())
    ::posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  else
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, options.output.c_str(), O_WRONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  if (!options.folder.empty()) ::posix_spawn_file_actions_addchdir_np(&actions, options.folder.c_str());
  pid_t child = 0;
  const int error = ::posix_spawn(&child, program.c_str(), &actions, nullptr,
                                  pointersTo(argumentTexts).data(), pointersTo(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  require(error == 0, "cannot start " + program.string(), error);
  return child;
}

}  // namespace

std::string ProgramResult::text() const {
  return "exit code " + std::to_string(exitCode) + (timedOut ? " (ran out of time)" : "") + "\noutput:\n" +
         out + "\nerrors:\n" + err;
}

ProgramResult runProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                         const RunOptions& options) {
  Pipe out, err;
  if (options.unread) {
    out.closeEnd(0);
    err.closeEnd(0);
  }
  const pid_t child = start(program, arguments, options, out, err);
  out.closeEnd(1);
  err.closeEnd(1);

  ProgramResult result;
  const Clock::time_point begin = Clock::now();
  std::optional<Clock::time_point> interrupted;
  std::array<pollfd, 2> streams{{{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
  std::array<std::string*, 2> texts{&result.out, &result.err};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    const auto passed = Clock::now() - begin;
    if (options.interruptAfter && !interrupted && passed >= *options.interruptAfter) {
      ::kill(child, options.interruptBy);
      interrupted = Clock::now();
    }
    if (!result.timedOut && passed >= options.limit) {
      ::kill(child, SIGKILL);
      result.timedOut = true;
    }
    if (::poll(streams.data(), streams.size(), 10) <= 0) continue;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (streams[i].fd < 0 || streams[i].revents == 0) continue;
      std::array<char, 65536> buffer;
      const ssize_t size = ::read(streams[i].fd, buffer.data(), buffer.size());
      if (size > 0)
        texts[i]->append(buffer.data(), static_cast<std::size_t>(size));
      else if (size == 0 || errno != EINTR)
        streams[i].fd = -1;  // poll ignores it
    }
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (interrupted)
    result.afterInterrupt =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - *interrupted);
  result.exitCode = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

}  // namespace fitup::test
