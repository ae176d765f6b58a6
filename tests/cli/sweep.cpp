#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fitup/planning/swept_volume.h>

#include "support/command_line.h"
#include "support/json_schema.h"

namespace sweep_cli_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("fitup sweep writes the envelope of a motion, which serves as a keep-out", "[cli][sweep]") {
  const CommandLine fitup;
  fitup.writeRow(3);
  fitup.writeSlide("0", "5");
  if (!hasSweptVolumes()) {
    CHECK(problemOfFailure(fitup({"sweep", "row.fitup", "slide.csv", "-o", "free.stl"}),
                           {"was built without OpenVDB"})
              .empty());
    return;
  }
  const ProgramResult free = fitup(
      {"sweep", "row.fitup", "slide.csv", "-o", "free.fitup", "--accuracy", "0.1", "--json", "free.json"});
  INFO(free.text());
  CHECK(free.exitCode == 0);
  CHECK(contains(free.out, "everything swept is inside"));
  CHECK(contains(free.out, "surface: free.fitup\n"));
  const auto json = nlohmann::json::parse(fitup.text("free.json"));
  CHECK(json["format"] == "fitup-swept-volume");
  CHECK(json["accuracy"] <= 0.1);
  CHECK(json["askedAccuracy"] == 0.1);
  CHECK(json["outer"]["volume"] > 6);
  CHECK(json["outer"]["volume"] < 1.2 * 1.2 * 6.2);
  CHECK(json["times"].size() == json["outer"]["triangles"]);
  CHECK(json["patches"][0]["instance"] == "row/cube-0");
  CHECK(json["open"].empty());
  CHECK(contains(fitup({"info", "free.fitup", "--surfaces"}).out, "row/cube-0: face 0"));

  // Nothing but the moved cube itself is in its way. The other way, a cube is.
  const auto keptOut = [&] {
    writeText(fitup.file("keep-out.json"),
              R"({"format": "fitup-rules", "version": 3,
                  "rules": [{"a": "*/row/cube-0", "b": "*", "action": "ignore", "reason": "moves"}],
                  "check": {"a": "*swept volume", "b": "*"}})");
    return fitup(
        {"check", "row.fitup", "free.fitup", "--verdict", "--tolerance", "0", "--rules", "keep-out.json"});
  };
  const ProgramResult away = keptOut();
  INFO(away.text());
  CHECK(away.exitCode == 0);
  fitup.writeSlide("5", "0");
  CHECK(fitup({"sweep", "row.fitup", "slide.csv", "-o", "free.fitup", "--accuracy", "0.1"}).exitCode == 0);
  const ProgramResult hit = keptOut();
  INFO(hit.text());
  CHECK(hit.exitCode == 1);
  CHECK(contains(hit.out, "cube-1"));
}

TEST_CASE("what fitup sweep writes as JSON is valid against its schema", "[cli][sweep][schema]") {
  if (!hasSweptVolumes()) return;
  if (!canValidateJson()) {
    WARN("skipped: python3-jsonschema is not installed");
    return;
  }
  const CommandLine fitup;
  fitup.writeRow(2);
  fitup.writeSlide("1", "3");
  REQUIRE(
      fitup({"sweep", "row.fitup", "slide.csv", "-o", "out.stl", "--accuracy", "0.2", "--json", "out.json"})
          .exitCode == 0);
  CHECK(problemBySchema("swept-volume.schema.json", fitup.file("out.json")) == "");
  auto broken = nlohmann::json::parse(fitup.text("out.json"));
  broken["patches"][0].erase("surface");
  writeText(fitup.file("broken.json"), broken.dump());
  CHECK(problemBySchema("swept-volume.schema.json", fitup.file("broken.json")) != "");
}

TEST_CASE("fitup sweep writes a surface within what is swept", "[cli][sweep][schema]") {
  if (!hasSweptVolumes()) return;
  const CommandLine fitup;
  fitup.writeRow(1);
  fitup.writeSlide("0", "5");
  const auto sweep = [&](const std::string& accuracy, const std::string& inner) {
    return fitup({"sweep", "row.fitup", "slide.csv", "-o", "out.stl", "--accuracy", accuracy, "--inner",
                  inner, "--json", "out.json"});
  };
  const ProgramResult swept = sweep("0.1", "inner.fitup");
  INFO(swept.text());
  REQUIRE(swept.exitCode == 0);
  CHECK(contains(swept.out, "inner surface: inner.fitup\n"));
  CHECK(contains(swept.out, "everything that is deeper than"));
  const auto json = nlohmann::json::parse(fitup.text("out.json"));
  // The cube sweeps 1 x 1 x 6.
  const double depth = json["inner"]["depth"];
  CHECK(depth <= 0.1);
  CHECK(json["inner"]["volume"] < 6);
  CHECK(json["inner"]["volume"] > (1 - 2 * depth) * (1 - 2 * depth) * (6 - 2 * depth));
  CHECK_FALSE(json["inner"].contains("missing"));
  if (canValidateJson()) CHECK(problemBySchema("swept-volume.schema.json", fitup.file("out.json")) == "");
  const ProgramResult info = fitup({"info", "inner.fitup"});
  INFO(info.text());
  CHECK(info.exitCode == 0);
  CHECK(contains(info.out, "within the swept volume"));
  // It does not say what made it, so that it does not serve as a keep-out.
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--keep-out", "inner.fitup", "--tolerance", "0"}),
                         {"inner.fitup", "names the parts that made it"})
            .empty());

  const ProgramResult thin = sweep("2", "thin.stl");
  INFO(thin.text());
  CHECK(thin.exitCode == 3);
  CHECK(contains(thin.out, "inner surface: none, because what is swept is too thin"));
  CHECK(contains(thin.out, "thin.stl is not written"));
  CHECK_FALSE(std::filesystem::exists(fitup.file("thin.stl")));
  const auto none = nlohmann::json::parse(fitup.text("out.json"));
  CHECK(none["inner"]["missing"] == "tooThin");
  CHECK(none["inner"]["depth"] >= 0.5);
  if (canValidateJson()) {
    CHECK(problemBySchema("swept-volume.schema.json", fitup.file("out.json")) == "");
    auto broken = none;
    broken["inner"].erase("missing");
    writeText(fitup.file("broken.json"), broken.dump());
    CHECK(problemBySchema("swept-volume.schema.json", fitup.file("broken.json")) != "");
  }
  CHECK(problemOfFailure(sweep("0.2", "inner.step"), {"--inner", ".fitup, .obj, .stl or .glb"}).empty());
  CHECK(problemOfFailure(sweep("0.2", "out.stl"), {"out.stl"}).empty());
}

TEST_CASE("fitup sweep writes mesh files", "[cli][sweep]") {
  if (!hasSweptVolumes()) return;
  const CommandLine fitup;
  fitup.writeRow(1);
  fitup.writeSlide("2", "1");
  for (const std::string file : {"out.stl", "out.obj", "out.glb"}) {
    const ProgramResult result = fitup({"sweep", "row.fitup", "slide.csv", "-o", file, "--accuracy", "0.2"});
    INFO(result.text());
    CHECK(result.exitCode == 0);
    CHECK(std::filesystem::file_size(fitup.file(file)) > 1000);
  }
  // A header of 80 bytes, the number of triangles, and 50 bytes for each.
  const std::string stl = fitup.text("out.stl");
  CHECK((stl.size() - 84) % 50 == 0);
  CHECK(stl.size() > 84 + 50 * 100);
}

TEST_CASE("fitup check keeps the space of a motion free", "[cli][sweep]") {
  if (!hasSweptVolumes()) return;
  const CommandLine fitup;
  fitup.writeRow(3);
  const auto sweep = [&](const std::string& x, const std::string& y, const std::string& file) {
    fitup.writeSlide(x, y);
    REQUIRE(fitup({"sweep", "row.fitup", "slide.csv", "-o", file, "--accuracy", "0.1"}).exitCode == 0);
  };
  sweep("0", "5", "free.fitup");
  sweep("5", "0", "blocked.fitup");

  // Beside the way is no part, and the moved one, which is wholly inside, does not count.
  const ProgramResult free = fitup({"check", "row.fitup", "--keep-out", "free.fitup", "--tolerance", "0"});
  INFO(free.text());
  CHECK(free.exitCode == 0);
  CHECK(contains(free.out, "keep-out/free: the space that row/cube-0 needs"));
  CHECK(contains(free.out, "0 clashes"));

  // In the way are others, of which one is wholly inside too.
  const ProgramResult blocked = fitup({"check", "row.fitup", "--keep-out", "free.fitup", "--keep-out",
                                       "blocked.fitup", "--tolerance", "0", "--report", "blocked.json"});
  INFO(blocked.text());
  CHECK(blocked.exitCode == 1);
  CHECK(contains(blocked.out, "row/cube-1  x  keep-out/blocked"));
  CHECK(contains(blocked.out, "swept by row/cube-0: face "));
  CHECK(contains(blocked.out, ", steps 0 to 1\n"));
  CHECK_FALSE(contains(blocked.out, "row/cube-0  x  keep-out"));
  CHECK_FALSE(contains(blocked.out, "keep-out/free  x"));
  CHECK_FALSE(contains(blocked.out, "x  keep-out/free"));
  CHECK(contains(fitup.text("blocked.json"), "keep-out/blocked"));

  // The same clash beside a part of another file, where the paths are longer.
  REQUIRE(fitup({"convert", "row.fitup", "more.stl"}).exitCode == 0);
  const ProgramResult two =
      fitup({"check", "row.fitup", "more.stl", "--keep-out", "blocked.fitup", "--tolerance", "0"});
  INFO(two.text());
  CHECK(two.exitCode == 1);
  CHECK(contains(two.out, "row/row/cube-1  x  keep-out/blocked"));
  CHECK_FALSE(contains(two.out, "row/row/cube-0  x  keep-out"));

  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--keep-out", "row.fitup", "--tolerance", "0"}),
                         {"row.fitup", "names the parts that made it"})
            .empty());
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--keep-out", "more.stl"}), {"--keep-out", ".fitup"})
            .empty());
  CHECK(problemOfFailure(fitup({"check", "more.stl", "-q", "--keep-out", "free.fitup", "--tolerance", "0"}),
                         {"free.fitup", "row/cube-0", "not in the model"})
            .empty());
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--keep-out", "free.fitup"}),
                         {"--keep-out", "--tolerance", "must be given"})
            .empty());
  const auto restricted = [&](const std::string& set) {
    writeText(fitup.file("sets.json"),
              R"({"format": "fitup-rules", "version": 3, "rules": [], "check": {"a": ")" + set +
                  R"(", "b": "row/cube-2"}})");
    return fitup(
        {"check", "row.fitup", "--keep-out", "blocked.fitup", "--tolerance", "0", "--rules", "sets.json"});
  };
  CHECK(problemOfFailure(restricted("row/cube-0"), {"keep-out/blocked", "neither of the sets"}).empty());
  const ProgramResult chosen = restricted("keep-out");
  INFO(chosen.text());
  CHECK(chosen.exitCode == 1);
  CHECK(contains(chosen.out, "1 clash,"));
  fitup.writeRow(3, "other.fitup");
  CHECK(problemOfFailure(
            fitup({"check", "row.fitup", "other.fitup", "--keep-out", "free.fitup", "--tolerance", "0"}),
            {"free.fitup", "row/cube-0", "several files"})
            .empty());
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--keep-out", "free.fitup", "--report", "free.fitup"}),
                         {"free.fitup"})
            .empty());
}

TEST_CASE("fitup sweep shows a motion as a moved part sees it", "[cli][sweep]") {
  if (!hasSweptVolumes()) return;
  const CommandLine fitup;
  fitup.writeRow(3);
  // cube-1 moves by 5 along y, cube-2 with it. Seen from cube-1, cube-0 moves back by 5.
  const std::string head = "step,path,tx,ty,tz,qx,qy,qz,qw\n", rests = ",0,0,0,0,0,0,1\n",
                    moves = ",0,5,0,0,0,0,1\n";
  writeText(fitup.file("two.csv"), head + "0,row/cube-1" + rests + "0,row/cube-2" + rests + "1,row/cube-1" +
                                       moves + "1,row/cube-2" + moves);
  const auto sweep = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"sweep",      "row.fitup", "two.csv", "-o",       "seen.stl",
                                       "--accuracy", "0.1",       "--json",  "seen.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return fitup(arguments);
  };
  const ProgramResult seen = sweep({"--relative-to", "row/cube-1", "--of", "row/cube-0"});
  INFO(seen.text());
  REQUIRE(seen.exitCode == 0);
  CHECK(contains(seen.out, "seen from row/cube-1"));
  const auto json = nlohmann::json::parse(fitup.text("seen.json"));
  CHECK(json["relativeTo"] == "row/cube-1");
  if (canValidateJson()) CHECK(problemBySchema("swept-volume.schema.json", fitup.file("seen.json")) == "");
  CHECK(json["outer"]["volume"] > 6);
  CHECK(json["outer"]["volume"] < 1.2 * 1.2 * 6.2);
  const auto plain = nlohmann::json::parse([&] {
    REQUIRE(sweep({"--of", "row/cube-1"}).exitCode == 0);
    return fitup.text("seen.json");
  }());
  CHECK_FALSE(plain.contains("relativeTo"));
  for (const auto& patch : plain["patches"]) CHECK(patch["instance"] == "row/cube-1");
  CHECK(json["outer"]["bounds"][1][1] < 1.11);  // backwards
  CHECK(plain["outer"]["bounds"][1][1] > 5.4);

  // cube-2, the only other one that moves, keeps its place, but that is a motion of its own.
  REQUIRE(sweep({"--relative-to", "row/cube-1"}).exitCode == 0);
  CHECK(nlohmann::json::parse(fitup.text("seen.json"))["outer"]["volume"] < 1.2 * 1.2 * 1.2);

  CHECK(problemOfFailure(sweep({"--relative-to", "row/cube-9"}), {"row/cube-9", "row/cube-1"}).empty());
  CHECK(problemOfFailure(sweep({"--relative-to", "row"}), {"row"}).empty());
  CHECK(problemOfFailure(sweep({"--of", "row/cube-9"}), {"row/cube-9"}).empty());
  CHECK(problemOfFailure(sweep({"--of", "row/cube-0"}), {"moves nothing of --of"}).empty());
  writeText(fitup.file("two.csv"), head + "0,row/cube-1" + rests + "1,row/cube-1" + moves);
  CHECK(problemOfFailure(sweep({"--relative-to", "row/cube-1"}),
                         {"two.csv", "moves nothing relative to 'row/cube-1'", "--of"})
            .empty());
}

TEST_CASE("what fitup sweep refuses", "[cli][sweep]") {
  if (!hasSweptVolumes()) return;
  const CommandLine fitup;
  fitup.writeRow(1);
  fitup.writeSlide("2", "1");
  CHECK(problemOfFailure(fitup({"sweep", "row.fitup", "slide.csv", "-o", "out.step"}),
                         {"-o", ".fitup, .obj, .stl or .glb"})
            .empty());
  CHECK(
      problemOfFailure(fitup({"sweep", "row.fitup", "slide.csv", "-o", "row.fitup"}), {"row.fitup"}).empty());
  CHECK(problemOfFailure(fitup({"sweep", "row.fitup", "slide.csv", "-o", "out.stl", "--accuracy", "1e-9"}),
                         {"accuracy", "too small"})
            .empty());
  CHECK(fitup({"sweep", "row.fitup", "slide.csv", "-o", "out.stl", "--accuracy", "0"}).exitCode == 2);
  CHECK(fitup({"sweep", "row.fitup", "slide.csv"}).exitCode == 2);
  CHECK_FALSE(std::filesystem::exists(fitup.file("out.stl")));
}

}  // namespace sweep_cli_tests
