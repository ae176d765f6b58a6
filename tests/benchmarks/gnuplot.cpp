#include "gnuplot.h"

#include <cerrno>

#include <spawn.h>
#include <sys/wait.h>

extern char** environ;

namespace fitup::bench {

Gnuplot runGnuplot(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "gnuplot");
  std::vector<char*> argv;
  for (std::string& a : arguments) argv.push_back(a.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (const int error = posix_spawnp(&child, "gnuplot", nullptr, nullptr, argv.data(), environ); error != 0)
    return error == ENOENT ? Gnuplot::notThere : Gnuplot::badly;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? Gnuplot::well : Gnuplot::badly;
}

}  // namespace fitup::bench
