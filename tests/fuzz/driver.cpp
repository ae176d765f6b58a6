// Runs a target without libFuzzer, so that every compiler can be used: on each file as it is, then on seeded
// mutations of the files.
//
//     fitup-fuzz-TARGET [--mutations N] [--seed S] FILE|FOLDER...
//
// Keeps an input that crashes the target, or takes longer than a minute, as failed-TARGET in the working
// folder.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "fuzz_target.h"
#include "support/mutations.h"
#include "support/temporary_folder.h"

using namespace fitup::test;

namespace {

constexpr unsigned secondsPerInput = 60;
[[maybe_unused]] constexpr rlim_t memoryLimit = rlim_t{4} << 30;

std::string input;  // the current input of the target
std::string keptName;

/// Makes only async-signal-safe calls.
void keepInput(int signal) {
  const int file = ::open(keptName.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file >= 0) (void)!::write(file, input.data(), input.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run(std::string bytes) {
  input = std::move(bytes);
  ::alarm(secondsPerInput);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  ::alarm(0);
}

std::vector<std::string> contentsOf(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(path))
    for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
  else
    files.push_back(path);
  std::sort(files.begin(), files.end());  // the order must not depend on the file system
  std::vector<std::string> result;
  for (const auto& file : files) result.push_back(readText(file));
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned long mutations = 0, seed = 1;
  std::vector<std::string> seeds;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if ((word == "--mutations" || word == "--seed") && i + 1 < argc) {
      (word == "--seed" ? seed : mutations) = std::strtoul(argv[++i], nullptr, 10);
      continue;
    }
    if (!std::filesystem::exists(word)) {
      std::fprintf(stderr, "%s: no such file or folder\n", argv[i]);
      return 2;
    }
    for (std::string& text : contentsOf(word)) seeds.push_back(std::move(text));
  }
  if (seeds.empty()) {
    std::fprintf(stderr, "usage: %s [--mutations N] [--seed S] FILE|FOLDER...\n", argv[0]);
    return 2;
  }
  keptName = "failed-" + std::filesystem::path(argv[0]).filename().string();
#if !defined(__SANITIZE_ADDRESS__)  // its shadow memory is larger
  const rlimit limit{memoryLimit, memoryLimit};
  ::setrlimit(RLIMIT_AS, &limit);
#endif
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) std::signal(signal, keepInput);

  for (const std::string& bytes : seeds) run(bytes);
  Mutator mutate(seed);
  for (unsigned long i = 0; i < mutations; ++i) run(mutate(seeds[i % seeds.size()]));
  std::fprintf(stderr, "%zu inputs and %lu mutations of them\n", seeds.size(), mutations);
  return 0;
}
