#include <fitup/io/project_file.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>

#include <fitup/base/error.h>

#include "support/temporary_folder.h"

namespace project_file_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

Project sampleProject(const std::filesystem::path& folder) {
  Project p;
  p.models = {folder / "parts" / "as1.step"};
  p.modelHash = 0x123456789abcdef0U;
  p.importSettings = {0.03,        0.002,      0.25,      true,         "gbk",
                      "in",        {"", "mm"}, UpAxis::y, std::nullopt, SceneSurfaces::primitiveSets,
                      std::nullopt};
  p.moved = {{"as1/rod", {axisAngle({1, 2, 3}, 0.7), {0.1, -2.5e-7, 3}}}, {"as1/a%2Fb#1", {{}, {1, 2, 3}}}};
  p.rules.rules = {{"*bolt*", "*", "threads", RuleAction::ignore},
                   {"as1/rod", "*", "", RuleAction::clearance, 0.1}};
  p.rules.check = CheckSets{{"as1/rod"}, {"*"}};
  p.tolerance = 0.1;
  p.tracks = {{"out", "mm", 7U, {"as1/rod"}, {{{{}, {0, 0, 1}}}, {{axisAngle({0, 0, 1}, 0.1), {0, 0, 2}}}}},
              {"still", "mm", {}, {"as1/rod"}, {{{}}}}};
  p.reviews = {{"00112233445566aa", {ReviewStatus::approved, "press fit, \"as designed\""}},
               {"00112233445566ab", {ReviewStatus::isNew, ""}}};
  p.hidden = {"as1/plate"};
  p.ghosted = {"as1/l-bracket#2", "ünïcode"};
  p.looks = {{"as1/plate", {0x00ff8aU, 40}}, {"as1/rod", {{}, 100}}, {"ünïcode", {0xffffffU, 0}}};
  p.viewpoint = Viewpoint{{1, 2, 3}, {0.1, 0.2, 0.3}, {0, 0, 1}};
  p.namedViews = {{"from above", {{0, 0, 9}, {}, {0, 1, 0}}}};
  p.sections = {{{0, 0.6, 0.8}, -12.5, true}};
  return p;
}

void replaceIn(const std::filesystem::path& file, const std::string& what, const std::string& with) {
  std::string text = readText(file);
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  text.replace(at, what.size(), with);
  std::ofstream(file) << text;
}

}  // namespace

TEST_CASE("a project may be of several models", "[io][project]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "work.fitup-project";
  Project project;
  project.models = {folder / "base.stl", folder / "parts" / "lid.stl", "/elsewhere/screw.stl"};
  writeProject(file, project);
  CHECK(readProject(file).models == project.models);
  // Models below its folder move with it.
  std::filesystem::create_directory(folder / "moved");
  std::filesystem::rename(file, folder / "moved" / "work.fitup-project");
  CHECK(readProject(folder / "moved" / "work.fitup-project").models ==
        std::vector<std::filesystem::path>{folder / "moved" / "base.stl",
                                           folder / "moved" / "parts" / "lid.stl", "/elsewhere/screw.stl"});

  const auto refused = [&](const std::string& models, const std::string& why) {
    std::ofstream(file) << R"({"format": "fitup-project", "version": 1, "model": )" << models << "}";
    CAPTURE(models);
    CHECK_THROWS_WITH(readProject(file), Catch::Contains(file.string()) && Catch::Contains(why));
  };
  refused("[]", "names no file");
  refused(R"(["a.stl", 7])", "model 1: must be a string");
  refused("7", "model");
}

TEST_CASE("projects without looks are as before, and looks have to mean something", "[io][project]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "work.fitup-project";
  Project project = sampleProject(folder.path());
  project.looks.clear();
  writeProject(file, project);
  CHECK(readText(file).find("looks") == std::string::npos);
  CHECK(readProject(file).looks.empty());
  const auto refused = [&](const std::string& looks, const std::string& why) {
    std::ofstream(file) << R"({"format": "fitup-project", "version": 1, "model": "a.stl", "looks": )" << looks
                        << "}";
    CAPTURE(looks);
    CHECK_THROWS_WITH(readProject(file), Catch::Contains(file.string()) && Catch::Contains(why));
  };
  refused(R"([{"path": "a", "colour": "red"}])", "must be a colour");
  refused(R"([{"path": "a", "colour": "#12345g"}])", "must be a colour");
  refused(R"([{"path": "a", "transparency": 101}])", "0 to 100");
  refused(R"([{"path": "a", "transparency": 0.5}])", "0 to 100");
  refused(R"([{"path": "a", "transparency": -1}])", "0 to 100");
  refused(R"([{"path": "a"}, {"path": "a"}])", "occurs twice");
  refused(R"([{"path": "a", "shine": 1}])", "shine");
}

TEST_CASE("a project is read as it was written", "[io][project]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "work.fitup-project";
  const Project written = sampleProject(folder.path());
  writeProject(file, written);
  const Project read = readProject(file);
  CHECK(read.models == written.models);
  CHECK(read.modelHash == written.modelHash);
  CHECK(read.importSettings == written.importSettings);
  CHECK(read.moved == written.moved);
  CHECK(read.tolerance == written.tolerance);
  CHECK(read.reviews == written.reviews);
  CHECK(read.hidden == written.hidden);
  CHECK(read.ghosted == written.ghosted);
  CHECK(read.looks == written.looks);
  CHECK(read.viewpoint == written.viewpoint);
  CHECK(read.namedViews == written.namedViews);
  CHECK(read.sections == written.sections);
  REQUIRE(read.tracks.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(read.tracks[i].name == written.tracks[i].name);
    CHECK(read.tracks[i].modelHash == written.tracks[i].modelHash);
    CHECK(read.tracks[i].moved == written.tracks[i].moved);
    CHECK(read.tracks[i].steps == written.tracks[i].steps);
  }
  REQUIRE(read.rules.rules.size() == 2);
  CHECK(read.rules.rules[0].reason == "threads");
  CHECK(read.rules.rules[1].distance == 0.1);
  CHECK(read.rules.check->a == written.rules.check->a);
  // Once more: nothing drifts.
  const std::filesystem::path again = folder / "again.fitup-project";
  writeProject(again, read);
  CHECK(readText(again) == readText(file));
}

TEST_CASE("a project and its model can be moved together", "[io][project]") {
  const TemporaryFolder folder, elsewhere;
  const std::filesystem::path file = folder / "work.fitup-project";
  writeProject(file, sampleProject(folder.path()));
  CHECK(readText(file).find("\"model\": \"parts/as1.step\"") != std::string::npos);
  std::filesystem::copy_file(file, elsewhere / "work.fitup-project");
  CHECK(readProject(elsewhere / "work.fitup-project").models ==
        std::vector{elsewhere.path() / "parts" / "as1.step"});
  // A model elsewhere is stored with its whole path.
  Project other = sampleProject(folder.path());
  other.models = {elsewhere / "as1.step"};
  writeProject(file, other);
  CHECK(readProject(file).models == std::vector{elsewhere / "as1.step"});
}

TEST_CASE("of two that save one project the second one is warned", "[io][project]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "work.fitup-project";
  Project project = sampleProject(folder.path());
  const FileVersion written = writeProject(file, project);
  CHECK(written == versionAt(file));
  StoredProject first = readStoredProject(file), second = readStoredProject(file);
  CHECK(first.version == versionAt(file));
  first.project.moved = {{"as1/rod", {{}, {1, 0, 0}}}};
  second.project.moved = {{"as1/rod", {{}, {2, 0, 0}}}};
  first.version = writeProject(file, first.project, first.version);
  try {
    writeProject(file, second.project, second.version);
    FAIL("not reported");
  } catch (const FileChangedError& error) {
    CHECK(std::string(error.what()).find(file.string()) == 0);
    CHECK(error.found() == first.version);
  }
  CHECK(readProject(file).moved == first.project.moved);
  // The session that saved can save again.
  first.project.tolerance = 0.5;
  first.version = writeProject(file, first.project, first.version);
  // A session that expects the current version replaces it.
  writeProject(file, second.project, first.version);
  CHECK(readProject(file).moved == second.project.moved);
  std::filesystem::rename(file, folder / "moved.fitup-project");
  CHECK_THROWS_AS(writeProject(file, first.project, first.version), FileChangedError);
  CHECK_FALSE(std::filesystem::exists(file));
  // A project that could not be read again is refused before anything else.
  CHECK_THROWS_AS(writeProject(file, {}, first.version), InputError);
}

TEST_CASE("what is wrong in a project is named", "[io][project]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "work.fitup-project";
  const auto problem = [&](const std::string& what, const std::string& with) {
    writeProject(file, sampleProject(folder.path()));
    replaceIn(file, what, with);
    try {
      (void)readProject(file);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto names = [&](const std::string& text, std::initializer_list<const char*> words) {
    INFO(text);
    CHECK(text.find("work.fitup-project") != std::string::npos);
    for (const char* word : words) CHECK(text.find(word) != std::string::npos);
  };
  names(problem("\"version\": 1", "\"version\": 9"), {"version"});
  names(problem("\"hidden\"", "\"hiden\""), {"hiden"});
  names(problem("\"approved\"", "\"okay\""), {"reviews 0", "status", "approved"});
  names(problem("\"as1/rod\"", "\"as1/a%2Fb#1\""), {"moved 1", "path", "twice"});
  names(problem("\"tolerance\": 0.1", "\"tolerance\": -1"), {"tolerance"});
  names(problem("\"linearDeflection\": 0.03", "\"linearDeflection\": 0"), {"import", "linearDeflection"});
  names(problem("\"unit\": \"in\"", "\"unit\": \"inch\""), {"import", "unit"});
  names(problem("\"upAxis\": \"y\"", "\"upAxis\": \"w\""), {"import", "upAxis"});
  names(problem("\"segmentationAngle\": null", "\"segmentationAngle\": 181"),
        {"import", "segmentationAngle"});
  names(problem("\"primitiveSets\"", "\"sets\""), {"import", "sceneSurfaces", "smoothPatches"});
  names(problem("0.6", "0.7"), {"section", "normal"});
  names(problem("\"clearance\"", "\"clearence\""), {"rule 1", "action"});
  CHECK_THROWS_AS(readProject(folder / "none.fitup-project"), FileError);
  CHECK_THROWS_AS(writeProject(folder / "no" / "folder.fitup-project", sampleProject(folder.path())),
                  FileError);
  CHECK_THROWS_AS(writeProject(file, {}), InputError);
}

TEST_CASE("a project has version 2 if a motion of it has ways, so that older programs refuse it",
          "[io][project]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "work.fitup-project";
  Project project = sampleProject(folder.path());
  writeProject(file, project);
  CHECK(readText(file).find("\"version\": 1,") != std::string::npos);
  Track& track = project.tracks[0];
  track.ways.assign(track.steps.size(), std::vector<StepWay>(track.moved.size()));
  track.ways[1][0].turn = AxisTurn{{1, 2, 3}, {0, 1, 1}, 500, 0.5};
  track.steps[1][0] = track.ways[1][0].turn->at(1) * track.steps[0][0];
  writeProject(file, project);
  CHECK(readText(file).find("\"version\": 2,") != std::string::npos);
  const Project read = readProject(file);
  CHECK(read.tracks[0].ways == track.ways);
  CHECK(read.tracks[0].steps == track.steps);
  track.steps[1][0] = {};
  CHECK_THROWS_AS(writeProject(file, project), InputError);
}

TEST_CASE("a project that could not be read again is not written", "[io][project]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "work.fitup-project";
  writeProject(file, sampleProject(folder.path()));
  const std::string before = readText(file);
  const auto refuses = [&](std::initializer_list<const char*> words,
                           const std::function<void(Project&)>& change) {
    Project project = sampleProject(folder.path());
    change(project);
    std::string text = "accepted";
    try {
      writeProject(file, project);
    } catch (const InputError& error) {
      text = error.what();
    }
    INFO(text);
    CHECK(text.find("work.fitup-project") != std::string::npos);
    for (const char* word : words) CHECK(text.find(word) != std::string::npos);
    CHECK(readText(file) == before);
  };
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  refuses({"tolerance", "below 0"}, [](Project& p) { p.tolerance = -1; });
  refuses({"tolerance", "finite"}, [&](Project& p) { p.tolerance = infinity; });
  refuses({"linearDeflection", "above 0"}, [](Project& p) { p.importSettings.linearDeflection = 0; });
  refuses({"moved 0", "translation"}, [&](Project& p) { p.moved[0].motion.translation.x = infinity; });
  refuses({"moved 0", "unit quaternion"}, [](Project& p) { p.moved[0].motion.rotation.w = 2; });
  refuses({"moved 1", "twice"}, [](Project& p) { p.moved[1].path = p.moved[0].path; });
  refuses({"check", "nothing would be checked"}, [](Project& p) { p.rules.check = CheckSets{{}, {"*"}}; });
  refuses({"rule 1", "distance"}, [](Project& p) { p.rules.rules[1].distance = 0; });
  refuses({"track 0", "step 1", "poses"}, [](Project& p) { p.tracks[0].steps[1].clear(); });
  refuses({"track 0", "steps", "there are none"}, [](Project& p) { p.tracks[0].steps.clear(); });
  refuses({"viewpoint", "eye"}, [&](Project& p) { p.viewpoint->eye.y = nan; });
  refuses({"section", "normal"}, [](Project& p) { p.sections.front().normal = {0, 0, 2}; });
  refuses({"section", "plane 1", "normal"}, [](Project& p) { p.sections.push_back({{0, 0, 2}, 0, true}); });
  refuses({"section", "more than 6"}, [](Project& p) { p.sections.resize(7); });
}

TEST_CASE("one section is stored as before there were several, and several are a list", "[io][project]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "work.fitup-project";
  Project project;
  project.models = {folder / "a.stl"};
  const SectionPlane plane{{0, 0.6, 0.8}, -12.5, true}, other{{1, 0, 0}, 3, false};
  const auto stored = [&](const std::string& section) {
    return readText(file).find("\"section\": " + section) != std::string::npos;
  };
  const auto written = [&](const std::vector<SectionPlane>& sections) {
    project.sections = sections;
    writeProject(file, project);
    return readProject(file).sections;
  };
  CHECK(written({}).empty());
  CHECK(stored("{"));
  CHECK(written({plane}) == std::vector{plane});
  CHECK(stored("{"));
  CHECK(written({other}) == std::vector{other});  // one that is switched off keeps its place
  CHECK(written({plane, other}) == std::vector{plane, other});
  CHECK(stored("["));

  const auto read = [&](const std::string& section) {
    std::ofstream(file) << R"({"format": "fitup-project", "version": 1, "model": "a.stl", "section": )"
                        << section << "}";
    return readProject(file).sections;
  };
  CHECK(read(R"({"normal": [0, 0.6, 0.8], "offset": -12.5, "enabled": true})") == std::vector{plane});
  CHECK(read(R"({"normal": [1, 0, 0], "offset": 0, "enabled": false})").empty());
  CHECK_THROWS_WITH(read("7"), Catch::Contains("section"));
}

}  // namespace project_file_tests
