// A library that writes a file when it is loaded, as hostile scenes try to have it loaded.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

namespace {

// Not by open, which an importer may have replaced.
[[maybe_unused]] const long marked = [] {
  const char* const place = std::getenv("FITUP_TEST_CANARY");
  return place == nullptr ? 0 : ::syscall(SYS_openat, AT_FDCWD, place, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
}();

}  // namespace
