#include <fstream>
#include <string>
#include <thread>

#include <sys/utsname.h>

#include <fitup/base/version.h>

#include "results.h"

namespace fitup::bench {

Machine thisMachine() {
  Machine machine;
  machine.fitup = "Fitup " + std::string(version);
  machine.processors = std::thread::hardware_concurrency();
  machine.compiler =
#ifdef __clang__
      "clang " __VERSION__;
#else
      "g++ " __VERSION__;
#endif
  machine.flags = FITUP_BENCH_FLAGS;
  machine.cpu = "unknown processor";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (const auto colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos) {
      machine.cpu = line.substr(colon + 2);
      break;
    }
  if (utsname system{}; uname(&system) == 0)
    machine.system = std::string(system.sysname) + " " + system.release + " " + system.machine;
  return machine;
}

}  // namespace fitup::bench
