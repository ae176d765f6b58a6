#include <fitup/io/importer_process.h>

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <fitup/base/error.h>

#include "support/temporary_folder.h"

namespace importer_process_tests {

using namespace fitup;
using namespace fitup::test;
using namespace std::chrono_literals;

namespace {

struct Run {
  TemporaryFolder folder;
  ImporterCommand command;

  explicit Run(const std::string& mode) {
    writeText(folder / "input", mode);
    command.program = FITUP_FAKE_IMPORTER;
    command.arguments = {(folder / "input").string(), (folder / "output").string(),
                         (folder / "pid").string()};
    command.noProgressLimit = 30s;
  }
  std::string error(const Progress& progress = {}) const {
    return messageOf<ImportError>([&] { runImporter(command, progress); });
  }
};

bool hasNoChildren() { return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

}  // namespace

TEST_CASE("an importer that is done returns, and its progress is passed on", "[io]") {
  const Run run("good");
  std::vector<std::pair<std::string, double>> seen;
  runImporter(run.command, Progress({}, [&](std::string_view phase, double fraction) {
                seen.emplace_back(phase, fraction);
              }));
  CHECK(seen == std::vector<std::pair<std::string, double>>{{"reading", 0.25}});
  CHECK(std::filesystem::exists(run.folder / "output"));
  CHECK(hasNoChildren());
}

TEST_CASE("an importer that refuses says why", "[io]") {
  CHECK(Run("refuse").error() == "refused: the file smells");
}

TEST_CASE("an importer has this program's environment, and Open CASCADE's faster allocator", "[io]") {
  const auto environmentOf = [](const char* allocator) {
    ::setenv("FITUP_TEST_VARIABLE", "ours", 1);
    if (allocator != nullptr) ::setenv("MMGT_OPT", allocator, 1);
    ImporterCommand command;
    command.program = "/bin/sh";
    command.arguments = {"-c", "echo error $FITUP_TEST_VARIABLE, $MMGT_OPT; exit 2"};
    const std::string message = messageOf<ImportError>([&] { runImporter(command); });
    ::unsetenv("FITUP_TEST_VARIABLE");
    ::unsetenv("MMGT_OPT");
    return message;
  };
  CHECK(environmentOf(nullptr) == "refused: ours, 2");
  CHECK(environmentOf("0") == "refused: ours, 0");
}

TEST_CASE("an importer that crashes is reported with its signal, phase and last words", "[io]") {
  CHECK(Run("crash").error() == "importer crashed (signal 11) while reading: first words\nlast words");
  CHECK(Run("abort").error() == "importer crashed (signal 6) while reading");
  CHECK(hasNoChildren());
}

TEST_CASE("an importer that eats memory is ended by its limit", "[io]") {
#if defined(__SANITIZE_ADDRESS__)
  WARN("skipped: no memory limit under the address sanitizer");
#else
  Run run("eat");
  run.command.memoryLimit = std::size_t{256} << 20;
  CHECK(run.error() == "importer used more than 256 MiB of memory while eating");
  CHECK(hasNoChildren());
#endif
}

TEST_CASE("the exit code of a program that never spoke is reported, not explained", "[io]") {
  CHECK(Run("mute").error() == "importer ended (exit code 3) before it reported anything");
}

TEST_CASE("an importer without progress is ended", "[io]") {
  for (const char* mode : {"hang", "busy"}) {
    Run run(mode);
    run.command.noProgressLimit = 400ms;
    const auto begin = std::chrono::steady_clock::now();
    CHECK(run.error() == "no progress for 400 ms while reading");
    CHECK(std::chrono::steady_clock::now() - begin < 5s);
    CHECK(hasNoChildren());
  }
}

TEST_CASE("what an importer started is ended with it", "[io]") {
  Run run("hang with a child");
  run.command.noProgressLimit = 500ms;
  CHECK(run.error() == "no progress for 500 ms while reading");
  const std::string text = readText(run.folder / "pid");
  REQUIRE_FALSE(text.empty());
  const auto pid = static_cast<pid_t>(std::stol(text));
  // It is not a child of this process; its adopter reaps it soon.
  bool gone = false;
  for (int i = 0; i < 100 && !gone; ++i) {
    std::string state = readText("/proc/" + text + "/stat");
    gone = ::kill(pid, 0) != 0 || state.empty() || state.find(") Z") != std::string::npos;
    if (!gone) std::this_thread::sleep_for(20ms);
  }
  CHECK(gone);
}

TEST_CASE("a cancelled import ends within a second", "[io]") {
  const Run run("hang");
  std::stop_source stop;
  std::chrono::steady_clock::time_point asked;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(200ms);
    asked = std::chrono::steady_clock::now();
    stop.request_stop();
  });
  CHECK_THROWS_AS(runImporter(run.command, Progress(stop.get_token())), CancelledError);
  CHECK(std::chrono::steady_clock::now() - asked < 1s);
  CHECK(hasNoChildren());
  // Before it begins.
  CHECK_THROWS_AS(runImporter(run.command, Progress(stop.get_token())), CancelledError);
}

TEST_CASE("an importer that ends without a result is an error", "[io]") {
  CHECK(Run("silent").error() == "importer ended (exit code 0) without a result while reading");
  CHECK(Run("unknown").error() == "importer ended (exit code 1) without a result while reading");
  const std::string flood = Run("flood").error();
  CHECK(flood.starts_with("importer ended (exit code 5) without a result while reading: xxx"));
  CHECK(flood.size() < 10000);
}

TEST_CASE("a program that cannot be started is an error", "[io]") {
  Run run("good");
  run.command.program = run.folder / "none";
  CHECK(run.error() ==
        "cannot start the importer: " + run.command.program.string() + ": No such file or directory");
  CHECK(hasNoChildren());
}

}  // namespace importer_process_tests
