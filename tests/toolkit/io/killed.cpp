#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
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

using namespace fitup;
using namespace fitup::test;

namespace {

/// Writes version n of a file.
using Write = std::function<void(const std::filesystem::path&, int version)>;

/// In a child process, until it is killed.
[[noreturn]] void writeForever(const Write& write, const std::filesystem::path& file) {
  for (int i = 1;; ++i) write(file, i % 2);
}

struct Outcome {
  int oldOrNew = 0, other = 0;
  std::set<int> versions;   ///< that were found
  std::size_t entries = 0;  ///< in the folder, at the end
};

/// Kills a process `kills` times while it writes versions 0 and 1 in turn, and looks each time which is
/// there.
Outcome killWhileWriting(const Write& write, int kills, std::mt19937& random) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "file.json";  // reports go by the extension
  std::array<std::string, 2> versions;
  for (int v : {0, 1}) {
    write(file, v);
    versions[static_cast<std::size_t>(v)] = readText(file);
  }
  REQUIRE(versions[0] != versions[1]);
  Outcome outcome;
  for (int i = 0; i < kills; ++i) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) writeForever(write, file);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 12000));
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    const std::string found = readText(file);
    if (found == versions[0] || found == versions[1]) {
      ++outcome.oldOrNew;
      outcome.versions.insert(found == versions[1]);
    } else {
      ++outcome.other;
    }
  }
  outcome.entries = folder.entryCount();
  return outcome;
}

}  // namespace

TEST_CASE("a process killed at any moment leaves the old file or the new one", "[io][killed]") {
  const char* asked = std::getenv("FITUP_KILLS");
  const int kills = asked != nullptr ? std::atoi(asked) : 20;
  std::mt19937 random(5);

  std::array<Model, 2> models{sampleModel(), sampleModel()};
  // Large enough for more than one write call.
  for (int i = 0; i < 20000; ++i) models[1].warnings.push_back({"part " + std::to_string(i), "old", false});
  std::array<ReportDocument, 2> reports{fullReport(ReportKind::check), fullReport(ReportKind::replay)};
  Track longTrack{"long", "mm", {}, {"a", "b"}, {}};
  for (int k = 0; k < 3000; ++k)
    longTrack.steps.push_back({{{}, {0.1 * k, 0, 0}}, {{0, 0, 0.6, 0.8}, {0, 0.3 * k, 0}}});
  const std::array<Track, 2> tracks{Track{"short", "mm", {}, {"a"}, {{{}}}}, longTrack};
  std::array<Project, 2> projects;
  for (Project& project : projects) project.model = "/assembly.step";
  projects[1].tracks = {longTrack};

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
                << outcome.other << " not, " << outcome.entries << " files in the folder" << std::endl;
    CHECK(outcome.oldOrNew == kills);
    CHECK(outcome.other == 0);
    CHECK(outcome.entries == 1);
    CHECK(outcome.versions.size() == 2);
  }
}
