#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <new>
#include <random>
#include <set>
#include <thread>

#include <fitup/io/model_file.h>
#include <fitup/io/project_file.h>
#include <fitup/io/report_file.h>
#include <fitup/io/track_file.h>

#include "support/sample_model.h"
#include "support/sample_report.h"
#include "support/temporary_folder.h"

namespace killed_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Writes version n of a file.
using Write = std::function<void(const std::filesystem::path&, int version)>;

/// Runs in a child process until it is killed; counts the writes.
[[noreturn]] void writeForever(const Write& write, const std::filesystem::path& file,
                               std::atomic<int>& written) {
  for (int i = 1;; ++i) {
    write(file, i % 2);
    ++written;
  }
}

struct Outcome {
  int oldOrNew = 0, other = 0;
  std::set<int> versions;       ///< that were found
  std::size_t mostEntries = 0;  ///< in the folder, after any of the kills
  std::size_t entries = 0;      ///< after another write
};

/// Kills a process `kills` times while it writes versions 0 and 1 in turn, and checks each time which version
/// is in the file.
Outcome killWhileWriting(const Write& write, int kills, std::mt19937& random) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "file.json";  // reports go by the extension
  std::array<std::string, 2> versions;
  for (int v : {0, 1}) {
    write(file, v);
    versions[static_cast<std::size_t>(v)] = readText(file);
  }
  REQUIRE(versions[0] != versions[1]);
  void* shared =
      ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(shared != MAP_FAILED);
  auto& written = *new (shared) std::atomic<int>(0);
  Outcome outcome;
  for (int i = 0; i < kills; ++i) {
    written = 0;
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) writeForever(write, file, written);
    // Counted, not timed, so that both versions occur even if one write takes longer than the pause below.
    while (written < 1 + i % 2) std::this_thread::sleep_for(std::chrono::microseconds(100));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 8000));
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    outcome.mostEntries = std::max(outcome.mostEntries, folder.entryCount());
    const std::string found = readText(file);
    if (found == versions[0] || found == versions[1]) {
      ++outcome.oldOrNew;
      outcome.versions.insert(found == versions[1]);
    } else {
      ++outcome.other;
    }
  }
  ::munmap(shared, sizeof(std::atomic<int>));
  write(file, 0);
  outcome.entries = folder.entryCount();
  return outcome;
}

}  // namespace

TEST_CASE("a process killed at any moment leaves the old file or the new one", "[io][killed]") {
  const char* asked = std::getenv("FITUP_KILLS");
  const int kills = asked != nullptr ? std::atoi(asked) : 20;
  std::mt19937 random(5);

  std::array<Model, 2> models{sampleModel(), sampleModel()};
  // Large enough for more than one write call; equal in size, so that both versions occur equally often.
  for (int i = 0; i < 20000; ++i)
    for (Model& model : models)
      model.warnings.push_back({"part " + std::to_string(i), &model == &models[0] ? "one" : "two", false});
  std::array<ReportDocument, 2> reports{fullReport(ReportKind::check), fullReport(ReportKind::replay)};
  Track longTrack{"long", "mm", {}, {"a", "b"}, {}};
  for (int k = 0; k < 3000; ++k)
    longTrack.steps.push_back({{{}, {0.1 * k, 0, 0}}, {{0, 0, 0.6, 0.8}, {0, 0.3 * k, 0}}});
  std::array<Track, 2> tracks{longTrack, longTrack};
  tracks[0].name = "other";
  std::array<Project, 2> projects;
  for (int v : {0, 1}) {
    projects[static_cast<std::size_t>(v)].models = {"/assembly.step"};
    projects[static_cast<std::size_t>(v)].tracks = {tracks[static_cast<std::size_t>(v)]};
  }

  const std::pair<const char*, Write> writers[] = {
      {"model file",
       [&](const auto& file, int v) { writeModelFile(file, models[static_cast<std::size_t>(v)]); }},
      {"report", [&](const auto& file, int v) { writeReport(file, reports[static_cast<std::size_t>(v)]); }},
      {"track", [&](const auto& file, int v) { writeTrack(file, tracks[static_cast<std::size_t>(v)]); }},
      {"project",
       [&](const auto& file, int v) { writeProject(file, projects[static_cast<std::size_t>(v)]); }},
  };
  for (const auto& [name, write] : writers) {
    INFO(name);
    const Outcome outcome = killWhileWriting(write, kills, random);
    if (asked != nullptr)
      std::cout << name << ": killed " << kills << " times, " << outcome.oldOrNew << " whole, "
                << outcome.other << " not, " << outcome.mostEntries << " files in the folder at most, "
                << outcome.entries << " in the end" << std::endl;
    CHECK(outcome.oldOrNew == kills);
    CHECK(outcome.other == 0);
    CHECK(outcome.mostEntries <= 2);  // one may be on its way to the target
    CHECK(outcome.entries == 1);
    CHECK(outcome.versions.size() == 2);
  }
}

}  // namespace killed_tests
