// An importer that reads nothing: it does what the first line of its input says, which an attacker would
// want, and reports the result as its error: "done" or the system's reason. For tests of the confinement.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>

#include <fitup/base/error.h>

#include "importer_main.h"

using namespace fitup;

namespace {

std::string reason() { return std::generic_category().message(errno); }
std::string outcome(bool done) { return done ? "done" : reason(); }

std::string connectTo(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  if (socket < 0) return reason();
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return outcome(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
}

std::string forkOne() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return outcome(child > 0);
}

/// Makes the same call by the numbers of another architecture, which no filter for this one knows.
std::string callOfX32() {
#if defined(__x86_64__)
  constexpr long x32 = 0x40000000;
  return outcome(::syscall(x32 + SYS_getpid) > 0);
#else
  return "not of this architecture";
#endif
}

std::string run(const char* program) {
  char* const none[] = {nullptr};
  ::execve(program, none, none);
  return reason();
}

std::string open(const std::string& file, int flags) {
  const int opened = ::open(file.c_str(), flags | O_CLOEXEC, 0600);
  if (opened >= 0) ::close(opened);
  return outcome(opened >= 0);
}

std::string changeRights(const std::string& file) {
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  return outcome(opened >= 0 && ::fchmod(opened, 0777) == 0);
}

std::string moveToOneCore(pid_t process) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(0, &cores);
  return outcome(::sched_setaffinity(process, sizeof cores, &cores) == 0);
}

std::string attempt(const std::string& what, const std::string& argument, const importers::Arguments& own) {
  if (what == "connect") return connectTo(std::stoi(argument));
  if (what == "socket") return outcome(::socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
  if (what == "run") return run(argument.c_str());
  if (what == "fork") return forkOne();
  if (what == "signal") return outcome(::kill(::getppid(), 0) == 0);
  if (what == "io_uring") {
    char parameters[512] = {};
    return outcome(::syscall(SYS_io_uring_setup, 4, parameters) >= 0);
  }
  if (what == "read") return open(argument, O_RDONLY);
  if (what == "write") return open(argument, O_WRONLY | O_CREAT);
  if (what == "truncate") return outcome(::truncate(argument.c_str(), 0) == 0);
  if (what == "remove") return outcome(::unlink(argument.c_str()) == 0);
  if (what == "chmod") return outcome(::chmod(argument.c_str(), 0777) == 0);
  if (what == "fchmod") return changeRights(argument);
  if (what == "empty") return open(argument, O_RDONLY | O_TRUNC);
  if (what == "signal when ready") return outcome(::fcntl(0, F_SETOWN, ::getppid()) == 0);
  if (what == "affinity") return moveToOneCore(::getppid());
  if (what == "write beside the result")
    return open((own.output.parent_path() / "x").string(), O_WRONLY | O_CREAT);
  if (what == "call of x32") return callOfX32();
  if (what == "thread") {
    std::string said;
    std::thread([&] { said = "done"; }).join();
    return said;
  }
  return "the probe does not know '" + what + "'";
}

}  // namespace

int main(int argc, char** argv) {
  return importers::runMain(argc, argv, "Tries what importers must not do.",
                            {{"linear", "", ""}, {"angular", "", ""}},
                            [](importers::Arguments& arguments, importers::ProgressLines&) -> Model {
                              std::ifstream file(arguments.source.bytes());
                              std::string what, argument;
                              std::getline(std::getline(file, what), argument);
                              throw InputError(attempt(what, argument, arguments));
                            });
}
