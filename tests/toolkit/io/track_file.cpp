#include <fitup/io/track_file.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

#include <fitup/base/error.h>
#include <fitup/io/detail/track_json.h>

#include "support/temporary_folder.h"

namespace track_file_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

Track sampleTrack() {
  Track track;
  track.name = "pull, \"out\"";
  track.unit = "in";
  track.modelHash = 0x00000000deadbeefULL;
  track.moved = {"top/rod#1", "top/nut, M6", "\xC3\xA4"};
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 20; ++k) {
    auto& step = track.steps.emplace_back();
    for (int i = 0; i < 3; ++i) {
      const Quaternion q = normalized({normal(random), normal(random), normal(random), normal(random)});
      step.push_back({q, {normal(random) * 1e-9, normal(random) * 1e12, -0.0}});
    }
  }
  track.steps[0][0] = {};
  return track;
}

bool sameTrack(const Track& a, const Track& b) {
  return a.name == b.name && a.unit == b.unit && a.modelHash == b.modelHash && a.moved == b.moved &&
         a.steps == b.steps && a.ways == b.ways;
}

/// The sample with a turn, a screw and a pivot in each step.
Track sampleWithWays() {
  Track track = sampleTrack();
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  const auto vector = [&](double size) {
    return Vec3{size * normal(random), size * normal(random), size * normal(random)};
  };
  for (std::size_t k = 0; k < track.steps.size(); ++k) {
    auto& ways = track.ways.emplace_back(3);
    ways[1].pivot = vector(1e4);
    track.steps[k][1] =
        detail::motionAboutPivot(track.steps[k][1].rotation, vector(k % 2 == 0 ? 1.0 : 1e6), *ways[1].pivot);
    if (k == 0) continue;
    ways[0].turn = {vector(1e3), vector(1), 1000 * normal(random), k % 2 == 0 ? 0.0 : normal(random)};
    track.steps[k][0] = ways[0].turn->at(1) * track.steps[k - 1][0];
  }
  return track;
}

std::string jsonWith(const std::string& steps) {
  return R"({"format":"fitup-track","version":1,"unit":"mm","moved":["a","b"],"steps":)" + steps + "}";
}

}  // namespace

TEST_CASE("tracks are written and read bit by bit", "[io]") {
  const TemporaryFolder folder;
  for (const Track& track : {sampleTrack(), sampleWithWays()})
    for (const char* name : {"t.json", "t.csv"}) {
      writeTrack(folder / name, track);
      const Track read = readTrack(folder / name);
      CHECK(sameTrack(read, track));
      CHECK(read.warnings.empty());
      CHECK(std::signbit(read.steps[3][2].translation.z));
      const std::string text = readText(folder / name);
      writeTrack(folder / name, read);
      CHECK(readText(folder / name) == text);
    }
}

TEST_CASE("names that a spreadsheet would run stand behind an apostrophe in CSV, and come back as they were",
          "[io]") {
  const TemporaryFolder folder;
  for (const std::string name : {"=1+1", "+cmd", "-cmd", "@SUM(A1)", "\tx", "\r", "'=1", "''-x", "=\"a\",b",
                                 "-1.5", "'", "'a", "it's", ""}) {
    INFO(name);
    Track track = sampleTrack();
    track.name = name;
    track.moved[0] = name.empty() ? "a" : name;
    writeTrack(folder / "t.csv", track);
    CHECK(sameTrack(readTrack(folder / "t.csv"), track));
    // No cell begins with a character that starts a formula, except for numbers.
    const std::string text = readText(folder / "t.csv");
    for (const std::string start : {"=", "+", "@", "-c", "\t"})
      for (const std::string before : {"\n", ",", "\""}) {
        INFO(before << start << " in " << text);
        CHECK(text.find(before + start) == std::string::npos);
      }
  }
}

TEST_CASE("errors of JSON tracks name step and field", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "t.json";
  const auto error = [&](const std::string& text) {
    writeText(file, text);
    const std::string message = messageOf<InputError>([&] { (void)readTrack(file); });
    const std::string head = file.string() + ": ";
    return message.starts_with(head) ? message.substr(head.size()) : message;
  };
  const std::string pose = R"({"translation":[0,0,0],"rotation":[0,0,0,1]})";
  CHECK(error("[").starts_with("parse error"));
  CHECK(error("{}") == "not a file of format 'fitup-track'");
  CHECK(error(R"({"format":"fitup-track","version":3})") == "version: is 3; this program reads 1 to 2");
  CHECK(error(R"({"format":"fitup-track","version":1})") == "unit: is missing");
  CHECK(error(jsonWith("[[" + pose + "]]")) == "step 0: has 1 poses for 2 moved paths");
  CHECK(error(jsonWith("[[" + pose + "," + pose + "],[" + pose + R"(,{"rotation":[0,0,0,1]}]])")) ==
        "step 1: pose of 'b': translation: is missing");
  CHECK(error(jsonWith("[[" + pose + R"(,{"translation":[0,0,"x"],"rotation":[0,0,0,1]}]])")) ==
        "step 0: pose of 'b': translation: must be an array of 3 finite numbers");
  CHECK(error(jsonWith("[[" + pose + R"(,{"translation":[0,0,0],"rotation":[0,0,0,2]}]])")) ==
        "step 0: pose of 'b': rotation: must be a unit quaternion x, y, z, w");
  CHECK(error(R"({"format":"fitup-track","version":1,"unit":"mm","modelHash":"12","moved":[],"steps":[]})") ==
        "modelHash: must be 16 lower-case hexadecimal digits");
  CHECK_THROWS_AS(readTrack(folder / "none.json"), FileError);
}

TEST_CASE("errors of CSV tracks name line, step and field", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "t.csv";
  const auto error = [&](const std::string& text) {
    writeText(file, text);
    const std::string message = messageOf<InputError>([&] { (void)readTrack(file); });
    const std::string head = file.string() + ": ";
    return message.starts_with(head) ? message.substr(head.size()) : message;
  };
  const std::string columns = "step,path,tx,ty,tz,qx,qy,qz,qw\r\n";
  CHECK(error("a,b\n") == "line 1: the columns must be step,path,tx,ty,tz,qx,qy,qz,qw");
  CHECK(error(columns + "0,a,0,0,0,0,0,0,1\n0,b,0,1;5,0,0,0,0,1\n") ==
        "line 3: step 0: ty: '1;5' is not a finite number");
  CHECK(error(columns + "0,a,0,0,0,0,0,0,1\n2,a,0,0,0,0,0,0,1\n") ==
        "line 3: step 2: rows must be sorted by step from 0, with every path in each step");
  CHECK(error(columns + "0,a,0,0,0,0,0,0,1\n1,b,0,0,0,0,0,0,1\n") ==
        "line 3: step 1: path: 'b' where 'a' is in step 0");
  CHECK(error(columns + "0,\"a,0,0,0,0,0,0,1\n") == "line 2: a quote is not closed");
}

TEST_CASE("version 2 is written only for tracks that need it", "[io]") {
  const TemporaryFolder folder;
  Track track = sampleTrack();
  track.ways.assign(track.steps.size(), std::vector<StepWay>(3));  // all straight about the centre
  writeTrack(folder / "t.json", track);
  CHECK(readText(folder / "t.json").find("\"version\": 1,") != std::string::npos);
  CHECK(readTrack(folder / "t.json").ways.empty());
  writeTrack(folder / "t.csv", track);
  CHECK(readText(folder / "t.csv").starts_with("# fitup-track,1\n"));
  writeTrack(folder / "t.json", sampleWithWays());
  CHECK(readText(folder / "t.json").find("\"version\": 2,") != std::string::npos);
  track.ways[1][1].turn = AxisTurn{{}, {0, 0, 1}, 5, 0};
  CHECK(messageOf<InputError>([&] { writeTrack(folder / "t.json", track); }) ==
        (folder / "t.json").string() +
            ": step 1, 'top/nut, M6': is not where its turn leads from the step before");
}

TEST_CASE("the ways of version 2 are read, their errors name step, path and member", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "t.json";
  const auto with = [](int version, const std::string& second) {
    return R"({"format":"fitup-track","version":)" + std::to_string(version) +
           R"(,"unit":"mm","moved":["a"],"steps":[[{"translation":[1,0,0],"rotation":[0,0,0,1]}],[)" +
           second + "]]}";
  };
  const auto read = [&](const std::string& second) {
    writeText(file, with(2, second));
    return readTrack(file);
  };
  const std::string turn = R"({"turn":{"point":[0,0,0],"direction":[0,0,2],"degrees":90,"advance":3}})";
  Track track = read(turn);
  CHECK(track.ways[1][0].turn == AxisTurn{{}, {0, 0, 2}, 90, 3});
  CHECK(norm(track.steps[1][0].translation - Vec3{0, 1, 3}) < 1e-15);
  // A pose about a pivot: that point is where the translation says, exactly.
  track = read(
      R"({"pivot":[1e6,0,0],"translation":[0.5,0,0],"rotation":[0,0,0.7071067811865476,0.7071067811865476]})");
  CHECK(track.ways[1][0].pivot == Vec3{1e6, 0, 0});
  CHECK(norm(track.steps[1][0].transform().apply({1e6, 0, 0}) - Vec3{1e6 + 0.5, 0, 0}) < 1e-9);
  CHECK(track.warnings.empty());

  const auto error = [&](const std::string& text) {
    writeText(file, text);
    const std::string message = messageOf<InputError>([&] { (void)readTrack(file); });
    const std::string head = file.string() + ": ";
    return message.starts_with(head) ? message.substr(head.size()) : message;
  };
  CHECK(error(with(1, turn)) == "step 1: pose of 'a': turn: needs version 2");
  CHECK(error(with(2, R"({"turn":{"point":[0,0,0],"direction":[0,0,0],"degrees":90}})")) ==
        "step 1: pose of 'a': turn: direction: must have a length");
  CHECK(error(with(2, R"({"turn":{"point":[0,0,0],"direction":[0,0,1],"angle":90}})")) ==
        "step 1: pose of 'a': turn: angle: is unknown here");
  CHECK(error(with(2, R"({"turn":{"point":[0,0,0],"direction":[0,0,1]}})")) ==
        "step 1: pose of 'a': turn: degrees: is missing");
  CHECK(
      error(with(2, R"({"turn":{"point":[0,0,0],"direction":[0,0,1],"degrees":90},"rotation":[0,0,0,1]})")) ==
      "step 1: pose of 'a': rotation: cannot stand beside a turn, which says the pose");
  CHECK(error(with(2, R"({"translation":[0,0,0],"rotation":[0,0,0,1],"pivots":[0,0,0]})")) ==
        "step 1: pose of 'a': pivots: is unknown here");
  CHECK(error(R"({"format":"fitup-track","version":2,"unit":"mm","moved":["a"],"steps":[[)" + turn + "]]}") ==
        "step 0: pose of 'a': turn: has no step before it");

  const std::string columns =
      "step,path,tx,ty,tz,qx,qy,qz,qw,px,py,pz,ax,ay,az,dx,dy,dz,degrees,advance\n"
      "0,a,1,0,0,0,0,0,1,,,,,,,,,,,\n";
  const auto csvError = [&](const std::string& text) {
    writeText(folder / "t.csv", text);
    const std::string message = messageOf<InputError>([&] { (void)readTrack(folder / "t.csv"); });
    const std::string head = (folder / "t.csv").string() + ": ";
    return message.starts_with(head) ? message.substr(head.size()) : message;
  };
  writeText(folder / "t.csv", columns + "1,a,,,,,,,,,,,0,0,0,0,0,2,90,3\n");
  CHECK(readTrack(folder / "t.csv").ways[1][0].turn == AxisTurn{{}, {0, 0, 2}, 90, 3});
  CHECK(csvError("# fitup-track,1\n" + columns) ==
        "line 2: the columns must be step,path,tx,ty,tz,qx,qy,qz,qw");
  CHECK(csvError(columns + "1,a,0,,,,,,,,,,0,0,0,0,0,2,90,\n") ==
        "line 3: step 1: has a turn, which says the pose, and fields from tx to pz");
  CHECK(csvError(columns + "1,a,,,,,,,,,,,0,0,0,0,0,0,90,\n") ==
        "line 3: step 1: dx to dz must have a length");
  CHECK(csvError(columns + "1,a,,,,,,,,,,,0,0,0,0,0,1,,\n") ==
        "line 3: step 1: degrees: '' is not a finite number");
  CHECK(csvError(columns + "1,a,0,0,0,0,0,0,1,0,,,,,,,,,,\n") ==
        "line 3: step 1: py: '' is not a finite number");
}

TEST_CASE("tracks are not written under the endings of other files", "[io]") {
  const TemporaryFolder folder;
  writeText(folder / "model.fitup", "a model");
  CHECK(messageOf<InputError>([&] { writeTrack(folder / "model.fitup", sampleTrack()); }) ==
        (folder / "model.fitup").string() + ": extension '.fitup': tracks are .json or .csv");
  CHECK(readText(folder / "model.fitup") == "a model");
}

TEST_CASE("tracks without steps are refused, CSV may begin with a mark and end in capitals", "[io]") {
  const TemporaryFolder folder;
  writeText(folder / "t.json", jsonWith("[]"));
  CHECK(messageOf<InputError>([&] { (void)readTrack(folder / "t.json"); }) ==
        (folder / "t.json").string() + ": steps: there are none");
  const std::string columns = "step,path,tx,ty,tz,qx,qy,qz,qw\n";
  writeText(folder / "t.csv", columns);
  CHECK(messageOf<InputError>([&] { (void)readTrack(folder / "t.csv"); }) ==
        (folder / "t.csv").string() + ": steps: there are none");
  for (const std::string head : {"", "# unit,in\n"}) {
    writeText(folder / "t.CSV", "\xEF\xBB\xBF" + head + columns + "0,a,1,0,0,0,0,0,1\n");
    const Track read = readTrack(folder / "t.CSV");
    CHECK(read.moved == std::vector<std::string>{"a"});
    CHECK(read.unit == (head.empty() ? "mm" : "in"));
    CHECK(read.steps.at(0).at(0).translation.x == 1);
  }
}

TEST_CASE("a rotation with few digits is brought to unit length", "[io]") {
  const TemporaryFolder folder;
  writeText(folder / "t.json", R"({"format":"fitup-track","version":1,"unit":"mm","moved":["a"],
      "steps":[[{"translation":[0,1,2],"rotation":[0.7071,0,0,0.7071]}]]})");
  const Track track = readTrack(folder / "t.json");
  const Quaternion q = track.steps[0][0].rotation;
  CHECK(q.x * q.x + q.w * q.w == Approx(1).epsilon(1e-15));
  REQUIRE(track.warnings.size() == 1);
  CHECK(
      track.warnings[0].starts_with("step 0, 'a': the length of the quaternion is off by 1e-05, so it has "
                                    "too few digits; it was normalised."));
  // Once for the file, with the first place.
  writeText(folder / "t.csv",
            "step,path,tx,ty,tz,qx,qy,qz,qw\n0,a,0,0,0,0,0,0,1\n1,a,0,0,0,0,0,0.7071068,0.7071068\n"
            "2,a,0,0,0,0,0,0.707,0.707\n");
  const Track csv = readTrack(folder / "t.csv");
  REQUIRE(csv.warnings.size() == 1);
  CHECK(csv.warnings[0].starts_with("step 1, 'a': the length of the quaternion is off by "));
  CHECK(csv.warnings[0].find("(2 such poses)") != std::string::npos);
}

TEST_CASE("poses that are not finite or missing are not written", "[io]") {
  const TemporaryFolder folder;
  Track track = sampleTrack();
  track.steps[4][1].translation.x = std::numeric_limits<double>::quiet_NaN();
  CHECK(messageOf<InputError>([&] { writeTrack(folder / "t.json", track); }) ==
        (folder / "t.json").string() + ": step 4: pose of 'top/nut, M6': is not finite");
  track.steps[4].pop_back();
  CHECK_THROWS_AS(writeTrack(folder / "t.csv", track), InputError);
  CHECK(folder.entryCount() == 0);
}

}  // namespace track_file_tests
