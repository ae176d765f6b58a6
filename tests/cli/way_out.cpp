#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fitup/io/model_file.h>

#include "support/command_line.h"
#include "support/json_schema.h"
#include "support/tiny_meshes.h"

namespace way_out_cli_tests {

using namespace fitup::test;

TEST_CASE("fitup way-out writes a way that certify and verify-certificate confirm", "[cli][removal]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  const ProgramResult found = fitup({"way-out", "row.fitup", "--moved", "row/cube-1", "--clearance", "0.5",
                                     "-o", "out.track.json", "--certificate", "out.certificate.json"});
  INFO(found.text());
  CHECK(found.exitCode == 0);
  CHECK(contains(found.out, "certain way: "));
  CHECK(contains(found.out, "in 1 piece"));
  const ProgramResult certified = fitup({"certify", "row.fitup", "out.track.json", "--clearance", "0.5"});
  INFO(certified.text());
  CHECK(certified.exitCode == 0);
  CHECK(fitup({"verify-certificate", "row.fitup", "out.certificate.json", "--track", "out.track.json"})
            .exitCode == 0);

  const ProgramResult json = fitup({"way-out", "row.fitup", "--moved", "row/cube-1", "--json"});
  INFO(json.text());
  CHECK(json.exitCode == 0);
  const auto parsed = nlohmann::json::parse(json.out);
  CHECK(parsed["answer"] == "certain");
  CHECK(parsed["way"]["certified"] == true);
  CHECK(parsed["way"]["steps"].size() == 2);
  CHECK(parsed["directions"].back()["answer"] == "certain");
}

TEST_CASE("fitup way-out goes to a place, around what is in the way", "[cli][removal]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  const ProgramResult found =
      fitup({"way-out", "row.fitup", "--moved", "row/cube-0", "--to", "6,0,0", "-o", "to.track.json"});
  INFO(found.text());
  CHECK(found.exitCode == 0);
  CHECK_FALSE(contains(found.out, "in 1 piece"));
  CHECK(fitup({"certify", "row.fitup", "to.track.json"}).exitCode == 0);

  // The place of another cube.
  const ProgramResult none =
      fitup({"way-out", "row.fitup", "--moved", "row/cube-0", "--to", "2,0,0", "--max-ways", "40"});
  INFO(none.text());
  CHECK(none.exitCode == 1);
  CHECK(contains(none.out, "no way found in the budget, which does not show that there is none"));
  CHECK(contains(none.out, "witness: without row/cube-1 there is a certified way along (1, 0, 0)"));
  CHECK(contains(none.out, "hint: faces that stop most ways"));
  CHECK_FALSE(contains(none.out, "impossible"));
}

TEST_CASE("fitup way-out says which faces need to yield, and by how much", "[cli][removal]") {
  const CommandLine fitup;
  // A cube of 1 in a box that is closed but for a ledge above, which reaches over it by 0.1.
  fitup::Model model;
  model.assembly = fitup::Assembly("box");
  const auto add = [&](const std::string& name, const fitup::Vec3& low, const fitup::Vec3& high) {
    model.assembly.addNode(name, {}, {}, model.assembly.addPart(boxBetween(low, high)));
  };
  add("cube", {0, 0, 0}, {1, 1, 1});
  add("floor", {-3, -3, -2}, {4, 4, -0.1});
  add("left", {-3, -3, 0}, {-0.1, 4, 2});
  add("right", {1.1, -3, 0}, {4, 4, 2});
  add("front", {0, -3, 0}, {1, -0.1, 2});
  add("back", {0, 1.1, 0}, {1, 4, 2});
  add("ledge", {0.9, -3, 2.1}, {4, 4, 3});
  model.collisionModels = fitup::buildCollisionModels(model.assembly, {}, {}, 1);
  fitup::writeModelFile(fitup.file("box.fitup"), model);
  const ProgramResult text = fitup(
      {"way-out", "box.fitup", "--moved", "cube", "--to", "0,0,6", "--max-ways", "20", "--max-work", "1"});
  INFO(text.text());
  CHECK(text.exitCode == 1);
  CHECK(contains(text.out, "relief: it suffices for a certified way along (0, 0, 1) that\n  ledge face 0"));
  const ProgramResult json = fitup({"way-out", "box.fitup", "--moved", "cube", "--to", "0,0,6", "--max-ways",
                                    "20", "--max-work", "1", "--json"});
  const auto parsed = nlohmann::json::parse(json.out);
  REQUIRE(parsed["reliefs"].size() == 2);
  for (const auto& relief : parsed["reliefs"]) {
    REQUIRE(relief["faces"].size() == 1);
    CHECK(relief["faces"][0]["offset"].get<double>() == Approx(0.1).margin(0.003));
  }
  if (canValidateJson()) {
    writeText(fitup.file("out.json"), json.out);
    CHECK(problemBySchema("way-out.schema.json", fitup.file("out.json")) == "");
  }
}

TEST_CASE("what fitup way-out prints as JSON is valid against its schema", "[cli][removal][schema]") {
  if (!canValidateJson()) {
    WARN("skipped: python3-jsonschema is not installed");
    return;
  }
  const CommandLine fitup;
  fitup.writeRow(3);
  const auto problemOf = [&](const std::vector<std::string>& arguments, int exitCode) {
    const ProgramResult result = fitup(arguments);
    INFO(result.text());
    CHECK(result.exitCode == exitCode);
    writeText(fitup.file("out.json"), result.out);
    return problemBySchema("way-out.schema.json", fitup.file("out.json"));
  };
  CHECK(problemOf({"way-out", "row.fitup", "--moved", "row/cube-1", "--json"}, 0) == "");
  // With witnesses and hints.
  CHECK(problemOf(
            {"way-out", "row.fitup", "--moved", "row/cube-0", "--to", "2,0,0", "--max-ways", "40", "--json"},
            1) == "");
  CHECK(problemOf({"way-out", "row.fitup", "--moved", "row/cube-0", "--time-budget", "0", "--json"}, 1) ==
        "");
  auto broken = nlohmann::json::parse(fitup.text("out.json"));
  broken["answer"] = "impossible";
  writeText(fitup.file("broken.json"), broken.dump());
  CHECK(problemBySchema("way-out.schema.json", fitup.file("broken.json")) != "");
}

TEST_CASE("what fitup way-out refuses, and what it leaves undecided", "[cli][removal]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  CHECK(fitup({"way-out", "row.fitup"}).exitCode == 2);
  CHECK(problemOfFailure(fitup({"way-out", "row.fitup", "--moved", "row/cube-9"}), {"row/cube-9"}) == "");
  CHECK(problemOfFailure(fitup({"way-out", "row.fitup", "--moved", "row/cube-0", "--to", "1,2"}),
                         {"--to", "1,2"}) == "");
  CHECK(problemOfFailure(fitup({"way-out", "row.fitup", "--moved", "row/cube-0", "-o", "out.txt"}),
                         {"out.txt"}) == "");
  CHECK(
      problemOfFailure(fitup({"way-out", "row.fitup", "--moved", "row/cube-0", "--certificate", "row.fitup"}),
                       {"row.fitup"}) == "");
  CHECK(fitup({"way-out", "row.fitup", "--moved", "row/cube-0", "--clearance", "-1"}).exitCode == 2);
  const ProgramResult ended = fitup({"way-out", "row.fitup", "--moved", "row/cube-0", "--time-budget", "0"});
  INFO(ended.text());
  CHECK(ended.exitCode == 1);
  CHECK(contains(ended.out, "no way found in the budget"));
}

}  // namespace way_out_cli_tests
