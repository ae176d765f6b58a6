#include "confinement.h"

#include <asm/sockios.h>
#include <fcntl.h>
#include <link.h>
#include <linux/fs.h>
#include <linux/landlock.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(FITUP_HAS_SECCOMP)
#include <seccomp.h>
#endif

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <set>
#include <system_error>

#include <fitup/base/error.h>

namespace fitup::importers {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error("cannot confine the importer: " + what + ": " + std::generic_category().message(error));
}

// ---- files: Landlock, see the kernel's documentation (userspace-api/landlock) ----

// The interface has grown, and the system's headers may be older than the kernel. Rights are listed by the
// version that introduced them.
constexpr std::uint64_t execute = 1U << 0, writeFile = 1U << 1, readFile = 1U << 2, readFolder = 1U << 3,
                        removeFolder = 1U << 4, removeFile = 1U << 5, makeFolder = 1U << 7,
                        makeFile = 1U << 8, ofVersion1 = (1U << 13) - 1, refer = 1U << 13,
                        truncateFile = 1U << 14, controlDevice = 1U << 15;
constexpr std::uint64_t bindTcp = 1U << 0, connectTcp = 1U << 1;
constexpr std::uint64_t abstractSockets = 1U << 0, signals = 1U << 1;

struct Ruleset {
  std::uint64_t files = 0, network = 0, scopes = 0;
};

int landlockVersion() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

std::uint64_t fileRightsOf(int version) {
  return ofVersion1 | (version >= 2 ? refer : 0) | (version >= 3 ? truncateFile : 0) |
         (version >= 5 ? controlDevice : 0);
}

/// An open descriptor, closed at the end of the scope.
struct Descriptor {
  int number;
  explicit Descriptor(int n) : number(n) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

/// Adds the folder of a loaded library, because an installation may be outside the system's folders.
int addLibraryFolder(dl_phdr_info* library, std::size_t, void* folders) {
  std::error_code error;
  const fs::path file = fs::canonical(library->dlpi_name, error);
  if (!error) static_cast<std::set<fs::path>*>(folders)->insert(file.parent_path());
  return 0;
}

/// Returns what libraries may want to read wherever the source lies.
std::set<fs::path> systemPlaces() {
  std::set<fs::path> places{"/usr",
                            "/lib",
                            "/lib64",
                            "/etc/ld.so.cache",
                            "/etc/fonts",
                            "/etc/localtime",
                            "/dev/null",
                            "/dev/zero",
                            "/dev/urandom",
                            "/proc/self",
                            "/proc/cpuinfo",
                            "/proc/meminfo",
                            "/proc/filesystems",
                            "/proc/sys/vm",
                            "/proc/stat",
                            "/sys/devices/system",
                            "/sys/fs/cgroup",
                            "/sys/kernel/mm/transparent_hugepage"};
  ::dl_iterate_phdr(addLibraryFolder, &places);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) places.insert(program.parent_path());
  for (const char* variable : {"CASROOT", "CSF_OCCTResourcePath"})
    if (const char* folder = std::getenv(variable); folder != nullptr && *folder == '/')
      places.insert(folder);
  return places;
}

/// A place that does not exist needs no rule.
void allow(int ruleset, const fs::path& place, std::uint64_t rights) {
  const Descriptor opened(::open(place.c_str(), O_PATH | O_CLOEXEC));
  if (opened.number < 0) return;
  struct stat status {};
  if (::fstat(opened.number, &status) != 0) fail(place.string(), errno);
  if (!S_ISDIR(status.st_mode)) rights &= execute | writeFile | readFile | truncateFile | controlDevice;
  struct landlock_path_beneath_attr rule {};
  rule.allowed_access = rights;
  rule.parent_fd = opened.number;
  if (::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
    fail("Landlock: " + place.string(), errno);
}

/// Returns the version in force; 0 if the kernel has no Landlock.
int confineFiles(const Allowed& allowed) {
  const int version = landlockVersion();
  if (version == 0) return 0;
  Ruleset handled;
  handled.files = fileRightsOf(version);
  if (version >= 4) handled.network = bindTcp | connectTcp;
  if (version >= 6) handled.scopes = abstractSockets | signals;
  // Kernels accept longer structures whose additional members are 0.
  const Descriptor ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0)));
  if (ruleset.number < 0) fail("Landlock", errno);
  const std::uint64_t reading = readFile | readFolder;
  const std::uint64_t writing = reading | writeFile | removeFile | removeFolder | makeFile | makeFolder |
                                (handled.files & (refer | truncateFile));
  for (const fs::path& place : systemPlaces()) allow(ruleset.number, place, reading);
  allow(ruleset.number, "/dev/null", reading | writeFile);
  for (const fs::path& place : allowed.toRead) allow(ruleset.number, place, reading);
  for (const fs::path& place : allowed.toWrite) allow(ruleset.number, place, writing);
  for (const fs::path& place : allowed.toTidy) allow(ruleset.number, place, removeFolder);
  if (::syscall(SYS_landlock_restrict_self, ruleset.number, 0) != 0) fail("Landlock", errno);
  return version;
}

// ---- system calls: seccomp ----

#if defined(FITUP_HAS_SECCOMP)

/// System calls that reading and writing a file never needs. A library that makes one gets "not permitted".
/// They are listed by name, because not every architecture has them all.
constexpr std::array forbidden{
    // the network
    "socket", "socketcall", "socketpair", "bind", "connect", "listen", "accept", "accept4", "sendto",
    "sendmsg", "sendmmsg", "recvmmsg",
    // other programs, other processes
    "execve", "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_open",
    "pidfd_getfd", "pidfd_send_signal", "process_madvise", "kill", "tkill", "rt_sigqueueinfo",
    "rt_tgsigqueueinfo", "setpgid", "setsid", "kcmp", "setpriority", "sched_setscheduler", "sched_setparam",
    "sched_setattr", "ioprio_set",
    // memory and messages shared with other processes
    "ipc", "shmget", "shmat", "shmctl", "semget", "semop", "semtimedop", "semctl", "msgget", "msgsnd",
    "msgrcv", "msgctl", "mq_open", "mq_unlink",
    // bypasses: work in kernel threads, files without checks of names, page faults served in user space
    "io_uring_setup", "io_uring_enter", "io_uring_register", "open_by_handle_at", "name_to_handle_at",
    "userfaultfd", "memfd_create", "memfd_secret", "bpf", "perf_event_open", "personality",
    // changes of files other than contents: rights, times, owners, attributes, links
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchown", "fchownat", "setxattr",
    "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr", "utime", "utimes", "utimensat",
    "futimesat", "symlink", "symlinkat", "mknod", "mknodat",
    // Landlock knows these only from version 3 on
    "truncate", "truncate64", "creat",
    // the system itself
    "mount", "umount", "umount2", "mount_setattr", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount",
    "fspick", "pivot_root", "chroot", "setns", "unshare", "swapon", "swapoff", "reboot", "kexec_load",
    "kexec_file_load", "init_module", "finit_module", "delete_module", "acct", "quotactl", "quotactl_fd",
    "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname", "iopl",
    "ioperm", "modify_ldt", "nfsservctl", "vhangup", "syslog", "fanotify_init", "keyctl", "add_key",
    "request_key", "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups",
    "setfsuid", "setfsgid", "capset", "lookup_dcookie", "mbind", "set_mempolicy", "migrate_pages",
    "move_pages"};

bool kernelHasSeccomp() { return ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0; }

/// A filter under construction.
class Filter {
 public:
  Filter() : context_(::seccomp_init(SCMP_ACT_ALLOW)) {
    if (context_ == nullptr) fail("seccomp", ENOMEM);
    // Calls of another architecture (32 bits, x32) end the whole process, not one of its threads.
    ::seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  }
  ~Filter() { ::seccomp_release(context_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  void forbid(const char* name, int error, std::initializer_list<scmp_arg_cmp> where = {}) {
    const int number = ::seccomp_syscall_resolve_name(name);
    if (number != __NR_SCMP_ERROR)
      forbid(number, error, where);  // otherwise the library does not know it yet
  }
  void forbid(int number, int error, std::initializer_list<scmp_arg_cmp> where = {}) {
    const int result = ::seccomp_rule_add_array(context_, SCMP_ACT_ERRNO(static_cast<std::uint32_t>(error)),
                                                number, static_cast<unsigned>(where.size()), where.begin());
    if (result != 0 && result != -EDOM) fail("seccomp: call " + std::to_string(number), -result);
  }
  void load() {
    if (const int result = ::seccomp_load(context_); result != 0) fail("seccomp", -result);
  }

 private:
  scmp_filter_ctx context_;
};

bool confineSystemCalls() {
  if (!kernelHasSeccomp()) return false;
  Filter filter;
  for (const char* name : forbidden) filter.forbid(name, EPERM);
  // Threads are allowed, processes are not. The flags of clone3 are in memory, where a filter cannot see
  // them. So clone3 is reported as missing, and the C library uses clone.
  filter.forbid("clone", EPERM, {{0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0}});
  filter.forbid("clone3", ENOSYS);
  // A program that aborts sends a signal to itself.
  filter.forbid("tgkill", EPERM, {{0, SCMP_CMP_NE, static_cast<scmp_datum_t>(::getpid()), 0}});
  // Calls newer than this list, by the numbers that all architectures share: setxattrat, file_setattr ...
  constexpr int firstUnknown = 463, lastUnknown = 511;
  for (int number = firstUnknown; number <= lastUnknown; ++number) filter.forbid(number, ENOSYS);
  // Files are created anew, never truncated; the flags of openat2 are in memory.
  filter.forbid("open", EPERM, {{1, SCMP_CMP_MASKED_EQ, O_TRUNC, O_TRUNC}});
  filter.forbid("openat", EPERM, {{2, SCMP_CMP_MASKED_EQ, O_TRUNC, O_TRUNC}});
  filter.forbid("openat2", ENOSYS);
  // Signals through files that become ready, leases, a life after the parent's.
  for (const scmp_datum_t command :
       {scmp_datum_t{F_SETOWN}, scmp_datum_t{F_SETSIG}, scmp_datum_t{F_SETOWN_EX}, scmp_datum_t{F_SETLEASE}})
    filter.forbid("fcntl", EPERM, {{1, SCMP_CMP_MASKED_EQ, 0xffffffff, command}});
  filter.forbid("prctl", EPERM, {{0, SCMP_CMP_MASKED_EQ, 0xffffffff, PR_SET_PDEATHSIG}});
  filter.forbid("sched_setaffinity", EPERM, {{0, SCMP_CMP_NE, 0, 0}});
  // It may see its own limits.
  filter.forbid("prlimit64", EPERM, {{0, SCMP_CMP_NE, 0, 0}});
  // Input into the terminal that started it, owners of signals, attributes of files.
  for (const scmp_datum_t request :
       {scmp_datum_t{TIOCSTI}, scmp_datum_t{TIOCLINUX}, scmp_datum_t{FIOSETOWN}, scmp_datum_t{SIOCSPGRP},
        scmp_datum_t{FS_IOC_SETFLAGS}, scmp_datum_t{FS_IOC_FSSETXATTR}})
    filter.forbid("ioctl", EPERM, {{1, SCMP_CMP_MASKED_EQ, 0xffffffff, request}});
  filter.load();
  return true;
}

#else

bool confineSystemCalls() { return false; }

#endif

bool isSanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}

}  // namespace

Confinement confine(const Allowed& allowed) {
  Confinement inForce;
  if (isSanitized()) return inForce;
  for (const auto resource : {RLIMIT_CORE, RLIMIT_MEMLOCK, RLIMIT_MSGQUEUE}) {
    const rlimit none{0, 0};
    if (::setrlimit(resource, &none) != 0) fail("limits", errno);
  }
  inForce.limits = true;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("privileges", errno);
  inForce.privileges = true;
  inForce.files = confineFiles(allowed);
  inForce.systemCalls = confineSystemCalls();
  return inForce;
}

std::vector<std::string> Confinement::lines() const {
  if (!limits) return {"none: this is a build with sanitizers"};
  return {"privileges  cannot be gained",
          systemCalls ? "calls       seccomp: no network, no other programs or processes"
                      : "calls       not confined: seccomp is missing in this build or kernel",
          files > 0 ? "files       Landlock " + std::to_string(files) +
                          ": the input's folder, a private temporary folder, the system's libraries"
                    : "files       not confined: this kernel has no Landlock",
          "limits      no core file, no locked memory (memory and file size are limited for each import)"};
}

}  // namespace fitup::importers
