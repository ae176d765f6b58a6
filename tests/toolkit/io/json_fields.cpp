#include <fitup/io/detail/json_fields.h>

#include <catch2/catch.hpp>

#include <fitup/base/error.h>

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
  CHECK(problemOf(repeated("[", 3'000'000)) == "nested too deep");
  CHECK(problemOf(repeated("{\"a\":", 3'000'000)) == "nested too deep");
}

TEST_CASE("a number that is too large is told with its place", "[io]") {
  CHECK(problemOf(R"({"rules":[{"distance":1},{"distance":1e400}]})") ==
        "rules: 1: distance: number overflow parsing '1e400'");
  CHECK(problemOf("[1,[2,1e400]]") == "1: 1: number overflow parsing '1e400'");
  CHECK(problemOf("1e400") == "number overflow parsing '1e400'");
}

TEST_CASE("a member that stands twice in an object is refused, not passed over", "[io]") {
  CHECK(problemOf(R"({"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]})") == "nothing thrown");
  CHECK(problemOf(R"({"a":1,"b":{"c":2,"c":3}})") == "b: c: stands twice in one object");
  CHECK(problemOf(R"([{"a":1},{"b":[0,{"a":1,"a":2}]}])") == "1: b: 1: a: stands twice in one object");
}

}  // namespace json_fields_tests
