#include <viewer/gui/process_memory.h>

#include <fstream>
#include <limits>
#include <string>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace fitup::viewer {

ProcessMemory processMemory() {
  ProcessMemory memory;
  std::ifstream file("/proc/self/status");
  // Lines such as "VmRSS:   1234 kB".
  std::string name;
  std::size_t kilobytes = 0;
  while (file >> name) {
    if (name == "VmRSS:" && file >> kilobytes) memory.resident = 1024 * kilobytes;
    if (name == "RssFile:" && file >> kilobytes) memory.fromFiles = 1024 * kilobytes;
    if (name == "VmHWM:" && file >> kilobytes) memory.peak = 1024 * kilobytes;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return memory;
}

void returnFreedMemory() {
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
}

}  // namespace fitup::viewer
