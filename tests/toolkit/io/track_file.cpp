#include <fitup/io/track_file.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

#include <fitup/base/error.h>

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
         a.steps == b.steps;
}

std::string jsonWith(const std::string& steps) {
  return R"({"format":"fitup-track","version":1,"unit":"mm","moved":["a","b"],"steps":)" + steps + "}";
}

}  // namespace

TEST_CASE("tracks are written and read bit by bit", "[io]") {
  const TemporaryFolder folder;
  for (const char* name : {"t.json", "t.csv"}) {
    writeTrack(folder / name, sampleTrack());
    const Track read = readTrack(folder / name);
    CHECK(sameTrack(read, sampleTrack()));
    CHECK(std::signbit(read.steps[3][1].translation.z));
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
  CHECK(error(R"({"format":"fitup-track","version":2})") == "version: is 2; this program reads 1");
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

TEST_CASE("tracks are not written under the endings of other files", "[io]") {
  const TemporaryFolder folder;
  writeText(folder / "model.fitup", "a model");
  CHECK(messageOf<InputError>([&] { writeTrack(folder / "model.fitup", sampleTrack()); }) ==
        (folder / "model.fitup").string() + ": extension '.fitup': tracks are .json or .csv");
  CHECK(readText(folder / "model.fitup") == "a model");
}

TEST_CASE("tracks without steps are refused; CSV may begin with a mark and end in capitals", "[io]") {
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
  const Quaternion q = readTrack(folder / "t.json").steps[0][0].rotation;
  CHECK(q.x * q.x + q.w * q.w == Approx(1).epsilon(1e-15));
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
