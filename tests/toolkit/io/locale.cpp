#include <catch2/catch.hpp>

#include <fitup/base/error.h>
#include <fitup/io/gltf_export.h>
#include <fitup/io/mesh_export.h>
#include <fitup/io/model_file.h>
#include <fitup/io/project_file.h>
#include <fitup/io/report_file.h>
#include <fitup/io/report_reader.h>
#include <fitup/io/rules_file.h>
#include <fitup/io/track_file.h>

#include "support/german_locale.h"
#include "support/sample_model.h"
#include "support/temporary_folder.h"

namespace locale_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

Track longTrack() {
  Track track;
  track.moved = {"a"};
  for (int k = 0; k < 1200; ++k) track.steps.push_back({{{}, {0.5 + k, 1234567.25, 0}}});
  return track;
}

InterferenceReport timedReport() {
  InterferenceReport report;
  report.milliseconds = 1.5;
  report.consideredPairs = 1'000'000;
  return report;
}

Project someProject(const std::filesystem::path& folder) {
  Project project;
  project.models = {folder / "Übung.step"};
  project.importSettings.linearDeflection = 0.125;
  project.moved = {{"a/Größe", {{}, {1234.5, 0.25, -1e-7}}}};
  project.rules.rules = {{"*", "ß", "", RuleAction::clearance, 1.5}};
  project.tracks = {longTrack()};
  project.tolerance = 0.5;
  return project;
}

}  // namespace

TEST_CASE("files do not depend on the user's locale, nor on letters beyond ASCII in their names", "[io]") {
  const TemporaryFolder folder;
  const Model model = sampleModel();
  const auto writeAll =
      [&](const std::string& prefix) {  // a folder, because some writers name files beside them
        std::filesystem::create_directory(folder / prefix);
        const auto file = [&](const char* name) { return folder / (prefix + name); };
        writeTrack(file("Bewegung.json"), longTrack());
        writeTrack(file("Bewegung.csv"), longTrack());
        for (const char* name : {"Prüfung.json", "Prüfung.csv", "Prüfung.html"})
          writeReport(file(name), {}, model, timedReport());
        writeProject(file("Größe.fitup-project"), someProject(folder.path()));
        writeRules(file("Regeln ×.json"), someProject(folder.path()).rules);
        writeObj(file("日本.obj"), model.assembly);
        writeGltf(file("日本.glb"), model.assembly);
        writeModelFile(file("日本.fitup"), model);
      };
  const auto checkAll = [&](const std::string& prefix) {
    const auto file = [&](const char* name) { return folder / (prefix + name); };
    CHECK(readTrack(file("Bewegung.json")).steps == longTrack().steps);
    CHECK(readTrack(file("Bewegung.csv")).steps == longTrack().steps);
    CHECK(readReport(file("Prüfung.json")).runs.at(0).milliseconds == 1.5);
    CHECK(readProject(file("Größe.fitup-project")).moved == someProject(folder.path()).moved);
    CHECK(readProject(file("Größe.fitup-project")).importSettings.linearDeflection == 0.125);
    const Rules rules = readRules(file("Regeln ×.json"));
    REQUIRE(rules.rules.size() == 1);
    CHECK(rules.rules[0].b == "ß");
    CHECK(rules.rules[0].distance == 1.5);
    CHECK(sameModel(readModelFile(file("日本.fitup")), model));
  };
  writeAll("c/");
  {
    const GermanLocale german;
    if (!german.isWhole()) WARN("no German locale of the C library: the package locales is absent");
    writeAll("de/");
    checkAll("c/");
    checkAll("de/");
  }
  checkAll("de/");
  for (const char* name :
       {"Bewegung.json", "Bewegung.csv", "Prüfung.json", "Prüfung.csv", "Prüfung.html", "Größe.fitup-project",
        "Regeln ×.json", "日本.obj", "日本.mtl", "日本.glb", "日本.fitup"}) {
    INFO(name);
    CHECK(readText(folder / ("c/" + std::string(name))) == readText(folder / ("de/" + std::string(name))));
  }
}

}  // namespace locale_tests
