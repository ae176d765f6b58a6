#include <fitup/io/detail/json_fields.h>

#include <catch2/catch.hpp>

#include <cstdint>
#include <filesystem>

#include <fitup/base/error.h>
#include <fitup/io/project_file.h>
#include <fitup/io/report_reader.h>
#include <fitup/io/rules_file.h>
#include <fitup/io/track_file.h>

#include "support/temporary_folder.h"

namespace json_fields_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

std::string problemOf(const std::string& text) {
  const TemporaryFolder folder;
  writeText(folder / "a.json", text);
  const std::string message = messageOf<InputError>([&] { (void)detail::parseJsonFile(folder / "a.json"); });
  const std::string name = (folder / "a.json").string() + ": ";
  return message.starts_with(name) ? message.substr(name.size()) : message;
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("JSON that is nested too deep is refused before it is taken in", "[io]") {
  CHECK(problemOf(repeated("[", 32) + repeated("]", 32)) == "nothing thrown");
  CHECK(problemOf(repeated("[", 3'000'000)) == "nested too deeply");
  CHECK(problemOf(repeated("{\"a\":", 3'000'000)) == "nested too deeply");
}

TEST_CASE("JSON files have a longest size, also those of holes", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "a.json";
  writeText(file, "[1]");
  CHECK(detail::parseJsonFile(file, 3).size() == 1);
  CHECK(
      messageOf<FileError>([&] { (void)detail::parseJsonFile(file, 2); }).starts_with(file.string() + ": "));
  // Sizes that are easy to forge.
  constexpr std::uintmax_t tera = std::uintmax_t{1} << 40, mebi = std::uintmax_t{1} << 20;
  const auto problem = [&](std::uintmax_t size, const auto& read) {
    std::filesystem::resize_file(file, size);
    const std::string message = messageOf<FileError>([&] { read(); });
    return message.starts_with(file.string() + ": ") ? message.substr(file.string().size() + 2) : message;
  };
  const std::string tooLarge = "is larger than 256 MiB and is not read";
  for (const std::uintmax_t size : {256 * mebi + 1, tera}) {
    CHECK(problem(size, [&] { (void)readRules(file); }) == tooLarge);
    CHECK(problem(size, [&] { (void)readTrack(file); }) == tooLarge);
    CHECK(problem(size, [&] { (void)readProject(file); }) == tooLarge);
  }
  CHECK_THROWS_AS(detail::requireReadable(std::string(256 * mebi + 1, ' '), "a.json"), InputError);
  CHECK_NOTHROW(detail::requireReadable(std::string(mebi, ' '), "a.json"));
  CHECK(problem(2048 * mebi + 1, [&] { (void)readReport(file); }) ==
        "is larger than 2048 MiB and is not read");
}

TEST_CASE("a number that is too large is reported with its place", "[io]") {
  CHECK(problemOf(R"({"rules":[{"distance":1},{"distance":1e400}]})") ==
        "rules: 1: distance: number overflow parsing '1e400'");
  CHECK(problemOf("[1,[2,1e400]]") == "1: 1: number overflow parsing '1e400'");
  CHECK(problemOf("1e400") == "number overflow parsing '1e400'");
}

TEST_CASE("a member that stands twice in an object is refused, not passed over", "[io]") {
  CHECK(problemOf(R"({"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]})") == "nothing thrown");
  CHECK(problemOf(R"({"a":1,"b":{"c":2,"c":3}})") == "b: c: occurs twice in one object");
  CHECK(problemOf(R"([{"a":1},{"b":[0,{"a":1,"a":2}]}])") == "1: b: 1: a: occurs twice in one object");
}

}  // namespace json_fields_tests
