// Does not include <fcntl.h>, <stdio.h> and <netdb.h>. They declare the functions defined here with
// attributes, and under other names if files may be large.
#include "gate.h"

#include <dlfcn.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <utility>

namespace fitup::importers {
namespace {

std::atomic<Gatekeeper*> keeper{nullptr};
thread_local bool deciding = false;

// As on all Linux architectures that this is built for.
constexpr int accessMode = 03, create = 0100, temporaryFile = 020000000;

/// Returns the C library's function of a name that this program defines too.
template <typename Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// Returns true if there is no keeper or if the keeper allows it.
template <typename Decide>
bool hasLeave(Decide decide) {
  Gatekeeper* const asked = keeper.load();
  if (asked == nullptr || deciding) return true;
  deciding = true;
  const int before = errno;
  bool leave = false;
  try {
    leave = decide(*asked);
  } catch (...) {  // the caller is C code
  }
  deciding = false;
  errno = leave ? before : EACCES;
  return leave;
}

bool mayOpen(const char* file, bool writes) {
  return hasLeave([&](Gatekeeper& asked) {
    if (file == nullptr) return true;
    if (!writes) return asked.mayRead(file);
    asked.refused("writing the file " + std::string(file));
    return false;
  });
}

bool mayDo(const std::string& what) {
  return hasLeave([&](Gatekeeper& asked) {
    asked.refused(what);
    return false;
  });
}

bool writesBy(int flags) { return (flags & accessMode) != 0 || (flags & (create | temporaryFile)) != 0; }
bool writesBy(const char* mode) { return std::strpbrk(mode, "wa+") != nullptr; }

}  // namespace

Gate::Gate(Gatekeeper& decides) noexcept { keeper = &decides; }
Gate::~Gate() { keeper = nullptr; }

Gate::Leave::Leave() noexcept : before_(std::exchange(deciding, true)) {}
Gate::Leave::~Leave() { deciding = before_; }

}  // namespace fitup::importers

using fitup::importers::mayDo;
using fitup::importers::mayOpen;
using fitup::importers::original;
using fitup::importers::writesBy;

struct addrinfo;
struct hostent;
using File = struct _IO_FILE;

// Visible to all libraries of the process, whatever the project hides: hidden functions would not replace
// any.
#pragma GCC visibility push(default)
extern "C" {

void* dlopen(const char* library, int mode) {
  static auto* const real = original<void*(const char*, int)>("dlopen");
  // Null stands for the program itself.
  const bool leave =
      library == nullptr || fitup::importers::hasLeave([&](auto& asked) { return asked.mayLoad(library); });
  return real(leave ? library : "/dev/null/refused", mode);  // it sets a message for dlerror
}

// NOLINTBEGIN(cert-dcl50-cpp): variadic as in C.
#define FITUP_GATE_OPEN(name)                                                                       \
  int name(const char* file, int flags, ...) {                                                      \
    static auto* const real = original<int(const char*, int, ...)>(#name);                          \
    va_list rest;                                                                                   \
    va_start(rest, flags);                                                                          \
    const bool makes = (flags & (fitup::importers::create | fitup::importers::temporaryFile)) != 0; \
    const unsigned int mode = makes ? va_arg(rest, unsigned int) : 0;                               \
    va_end(rest);                                                                                   \
    return mayOpen(file, writesBy(flags)) ? real(file, flags, mode) : -1;                           \
  }
FITUP_GATE_OPEN(open)
FITUP_GATE_OPEN(open64)
FITUP_GATE_OPEN(__open_2)
FITUP_GATE_OPEN(__open64_2)
#undef FITUP_GATE_OPEN
// NOLINTEND(cert-dcl50-cpp)

File* fopen(const char* file, const char* mode) {
  static auto* const real = original<File*(const char*, const char*)>("fopen");
  return mayOpen(file, writesBy(mode)) ? real(file, mode) : nullptr;
}

File* fopen64(const char* file, const char* mode) {
  static auto* const real = original<File*(const char*, const char*)>("fopen64");
  return mayOpen(file, writesBy(mode)) ? real(file, mode) : nullptr;
}

int mkdir(const char* folder, unsigned int mode) {
  static auto* const real = original<int(const char*, unsigned int)>("mkdir");
  return mayDo("making the folder " + std::string(folder)) ? real(folder, mode) : -1;
}

int socket(int domain, int type, int protocol) {
  static auto* const real = original<int(int, int, int)>("socket");
  return mayDo("making a socket") ? real(domain, type, protocol) : -1;
}

int getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** result) {
  static auto* const real =
      original<int(const char*, const char*, const addrinfo*, addrinfo**)>("getaddrinfo");
  constexpr int systemError = -11;  // EAI_SYSTEM
  return mayDo("looking up the host " + std::string(host != nullptr ? host : ""))
             ? real(host, service, hints, result)
             : systemError;
}

hostent* gethostbyname(const char* host) {
  static auto* const real = original<hostent*(const char*)>("gethostbyname");
  return mayDo("looking up the host " + std::string(host)) ? real(host) : nullptr;
}

}  // extern "C"
#pragma GCC visibility pop
