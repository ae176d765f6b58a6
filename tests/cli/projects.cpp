#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fitup/io/model_file.h>
#include <fitup/io/project_model.h>
#include <fitup/io/track_file.h>

#include "support/command_line.h"
#include "support/tiny_meshes.h"

namespace projects_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Three cubes in a row; the project moves the middle one 0.4 into the first, and nothing intersects in the
/// design placements.
struct Work {
  CommandLine fitup;
  Project project;

  Work() {
    fitup.writeRow(3);
    project.models = {fitup.file("row.fitup")};
    project.moved = {{"row/cube-1", {{}, {-1.4, 0, 0}}}};
    save();
  }
  void save() const { writeProject(fitup.file("work.fitup-project"), project); }
  [[nodiscard]] ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin() + 1, "work.fitup-project");
    return fitup(arguments);
  }
};

}  // namespace

TEST_CASE("a project is checked with its placements, rules, tolerance and reviews", "[cli][project]") {
  Work work;
  const ProgramResult checked = work.run({"check", "--report", "a.json"});
  CAPTURE(checked.text());
  CHECK(checked.exitCode == 1);
  CHECK(contains(checked.out, "row/cube-0  x  row/cube-1"));
  const ProgramResult moved =
      work.fitup({"check", "row.fitup", "--move", "row/cube-1=-1.4,0,0", "--report", "b.json"});
  CHECK(moved.exitCode == 1);
  const auto report = [&](const char* name) { return nlohmann::json::parse(work.fitup.text(name)); };
  CHECK(report("a.json")["pairs"] == report("b.json")["pairs"]);
  CHECK(report("a.json")["model"]["hash"] == report("b.json")["model"]["hash"]);
  CHECK(report("a.json")["model"]["placed"] == report("b.json")["model"]["placed"]);
  CHECK(report("a.json")["model"]["file"] == "work.fitup-project");

  // Deeper than the tolerance of the project; a tolerance on the command line replaces it.
  work.project.tolerance = 0.3;
  work.save();
  CHECK(work.run({"check", "--verdict"}).exitCode == 1);
  work.project.tolerance = 0.6;
  const std::string id = report("a.json")["pairs"][0]["surfacePairs"][0]["id"];
  work.project.reviews = {{id, {ReviewStatus::approved, "press fit"}}};
  work.save();
  const ProgramResult contact = work.run({"check", "--verdict", "--report", "c.json"});
  CAPTURE(contact.text());
  CHECK(contact.exitCode == 0);
  CHECK(contains(contact.out, "0 clashes, 1 contact"));
  CHECK(contains(work.fitup.text("c.json"), "press fit"));
  CHECK(work.run({"check", "--verdict", "--tolerance", "0.3"}).exitCode == 1);

  work.project.rules.rules = {{"row/cube-0", "*", "meant", RuleAction::ignore}};
  work.save();
  const ProgramResult ignored = work.run({"check"});
  CHECK(ignored.exitCode == 0);
  CHECK(contains(ignored.out, "1 of them left out by rules"));
  CHECK(contains(work.run({"explain", "row/cube-0", "row/cube-1"}).out, "work.fitup-project"));
  writeText(work.fitup.file("none.json"), R"({"format": "fitup-rules", "version": 2, "rules": []})");
  CHECK(work.run({"check", "--rules", "none.json"}).exitCode == 1);

  // Other commands use the placements of the project.
  CHECK(work.fitup({"convert", "work.fitup-project", "moved.fitup"}).exitCode == 0);
  CHECK(work.fitup({"check", "moved.fitup"}).exitCode == 1);
}

TEST_CASE("hidden parts of a project are checked, and the output says so, unless they are left out",
          "[cli][project]") {
  Work work;
  work.project.hidden = {"row/cube-0"};
  work.save();
  const ProgramResult checked = work.run({"check"});
  CHECK(checked.exitCode == 1);
  CHECK(contains(checked.out, "1 hidden part is checked too"));
  const ProgramResult without = work.run({"check", "--skip-hidden", "--report", "a.json"});
  CAPTURE(without.text());
  CHECK(without.exitCode == 0);
  CHECK_FALSE(contains(without.out, "hidden part"));
  CHECK(contains(without.out, "1 of them left out by rules"));
  CHECK(contains(work.fitup.text("a.json"), "hidden in the project"));
  CHECK(contains(work.run({"explain", "row/cube-0", "row/cube-1", "--skip-hidden"}).out,
                 "hidden in the project"));
  // Other commands say so too.
  writeTrack(work.fitup.file("t.json"), {.moved = {"row/cube-2"}, .steps = {{{}}, {{{}, {0, 0, 1}}}}});
  CHECK(contains(work.run({"explain", "row/cube-0", "row/cube-1"}).out, "1 hidden part is checked too"));
  CHECK(contains(work.run({"first-contact", "t.json"}).out, "1 hidden part is checked too"));
  CHECK(contains(work.run({"replay", "t.json"}).out, "1 hidden part is checked too"));
  CHECK_FALSE(contains(work.run({"first-contact", "t.json", "--skip-hidden"}).out, "hidden part"));
  // The rules of the project still apply to the others.
  work.project.rules.rules = {{"row/cube-1", "*", "", RuleAction::clearance, 2.5}};
  work.save();
  CHECK(work.run({"check", "--skip-hidden"}).exitCode == 1);
  work.project.hidden = {"row/cube-9"};
  work.save();
  CHECK_FALSE(contains(work.run({"check"}).out, "hidden part"));  // it is not there
  work.project.hidden = {"row/cube-?"};
  work.save();
  const ProgramResult refused = work.run({"check", "--skip-hidden"});
  CHECK(refused.exitCode == 2);
  CHECK(contains(refused.err, "row/cube-?"));
}

TEST_CASE("a part below one that a project moves stays, and is not said to be elsewhere", "[cli][project]") {
  const CommandLine fitup;
  Model model;
  model.assembly = Assembly("nest");
  const PartId part = model.assembly.addPart(sixSidedBox(1, 1, 1));
  const NodeId outer =
      model.assembly.addNode("outer", Transform::rigid(axisAngle({1, 2, 3}, 0.7), {0.1, 0.2, 0.3}), {}, part);
  const Transform below = Transform::rigid(axisAngle({3, 1, 2}, 0.4), {5.1, 3.3, 2.7});
  const NodeId inner = model.assembly.addNode("inner", below, outer, part);
  model.assembly.addNode("other", below, outer, part);
  writeModelFile(fitup.file("nest.fitup"), model);
  Project project;
  project.models = {fitup.file("nest.fitup")};
  const RigidMotion motion{axisAngle({0, 1, 2}, 0.3), {7.3, 0, 1.1}};
  project.moved = {{"outer", motion}, {"outer/other", {{}, {0, 0, 1e-6}}}};
  writeProject(fitup.file("work.fitup-project"), project);
  // It has been converted through the placement above it.
  const Model placed = readProjectModel(fitup.file("work.fitup-project")).posed();
  const Vec3 off = placed.assembly.worldFromNode(inner).t - model.assembly.worldFromNode(inner).t;
  REQUIRE(norm(off) > 0);
  CHECK(norm(off) < 1e-14);
  CHECK(fitup({"check", "work.fitup-project", "--report", "a.json"}).exitCode != 2);
  std::vector<std::string> paths;
  const auto report = nlohmann::json::parse(fitup.text("a.json"));
  for (const auto& entry : report["model"]["placed"]) paths.push_back(entry["path"]);
  CHECK(paths == std::vector<std::string>{"outer", "outer/other"});
}

TEST_CASE("motions of a project are replayed, what else it moves stands where it has it", "[cli][project]") {
  Work work;
  // The last cube moves to the design placement of the middle one, and the middle one, from its design
  // placement, to the first.
  const Track last{.name = "last", .moved = {"row/cube-2"}, .steps = {{{}}, {{{}, {-2, 0, 0}}}}};
  const Track middle{.name = "middle", .moved = {"row/cube-1"}, .steps = {{{}}, {{{}, {-2, 0, 0}}}}};
  work.project.tracks = {last};
  work.save();
  const ProgramResult only = work.run({"replay", "--report", "a.json"});
  CAPTURE(only.text());
  CHECK(only.exitCode == 0);
  CHECK(contains(only.out, "0 of 2 steps"));
  CHECK(nlohmann::json::parse(work.fitup.text("a.json"))["track"] == "work.fitup-project: last");

  work.project.tracks = {last, middle};
  work.save();
  CHECK(problemOfFailure(work.run({"replay"}), {"work.fitup-project", "'last', 'middle'"}) == "");
  CHECK(problemOfFailure(work.run({"replay", "first"}), {"'first'", "no motion of this name", "'last'"}) ==
        "");
  writeText(work.fitup.file("middle"), "no track");
  const ProgramResult second = work.run({"replay", "middle", "--steps", "--verify"});
  CAPTURE(second.text());
  CHECK(second.exitCode == 1);
  CHECK(contains(second.out, "1 of 2 steps"));
  CHECK(work.run({"first-contact", "middle"}).exitCode == 1);
  CHECK(work.run({"first-contact", "last"}).exitCode == 0);
  const ProgramResult none = work.fitup({"replay", "row.fitup"});
  CHECK(none.exitCode == 2);
  CHECK(contains(none.err, "TRACK is required"));

  work.project.tracks = {middle};
  work.project.tracks[0].modelHash = 1;
  work.save();
  CHECK(problemOfFailure(work.run({"replay"}), {"work.fitup-project: middle", "--force"}) == "");
  CHECK(work.run({"replay", "--force"}).exitCode == 1);
}

TEST_CASE("what does not fit a project is reported", "[cli][project]") {
  Work work;
  work.project.moved.push_back({"row/gone", {{}, {1, 0, 0}}});
  work.project.modelHash = 1;
  work.save();
  const ProgramResult checked = work.run({"check"});
  CHECK(checked.exitCode == 1);
  CHECK(contains(checked.err, "warning: work.fitup-project: the model has changed"));
  CHECK(contains(checked.err, "missing: work.fitup-project: the model has no instance 'row/gone'"));
  // If something is not where the project places it, the answer is incomplete; a written model is the model
  // itself.
  work.project.moved = {{"row/gone", {{}, {1, 0, 0}}}, {"row/cube-2", {{}, {1e12, 0, 0}}}};
  work.save();
  const ProgramResult incomplete = work.run({"check"});
  CHECK(incomplete.exitCode == 3);
  CHECK(contains(incomplete.err, "missing: work.fitup-project: 'row/cube-2' would be more than 1e9 mm"));
  CHECK(work.fitup({"convert", "work.fitup-project", "written.fitup"}).exitCode == 3);
  CHECK(work.fitup({"check", "written.fitup"}).exitCode == 0);
  CHECK(problemOfFailure(work.run({"check", "row.fitup"}),
                         {"a project cannot be combined with other files"}) == "");
  CHECK(problemOfFailure(work.run({"check", "--unit", "in"}), {"work.fitup-project: --unit"}) == "");
  // No output replaces the project or its model.
  const std::string model = work.fitup.text("row.fitup");
  CHECK(work.fitup({"convert", "work.fitup-project", "row.fitup"}).exitCode == 2);
  work.project.models = {work.fitup.file("row.json")};
  std::filesystem::rename(work.fitup.file("row.fitup"), work.fitup.file("row.json"));
  work.save();
  CHECK(problemOfFailure(work.run({"check", "--report", "row.json"}), {"--report", "would overwrite"}) == "");
  CHECK(work.fitup.text("row.json") == model);
  work.project.models = {work.fitup.file("none.fitup")};
  work.save();
  CHECK(problemOfFailure(work.run({"check"}), {"work.fitup-project: ", "none.fitup: cannot read"}) == "");
}

}  // namespace projects_tests
