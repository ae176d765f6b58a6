#include <fitup/io/rules_file.h>

#include <catch2/catch.hpp>

#include <fitup/base/error.h>

#include "support/temporary_folder.h"

using namespace fitup;
using namespace fitup::test;

TEST_CASE("rules are read in order", "[io]") {
  const TemporaryFolder folder;
  writeText(folder / "r.json", R"({"format":"fitup-rules","version":1,"ignore":[
      {"a":"*/bolt*","b":"*","reason":"threads overlap"},{"a":"x","b":"y"}]})");
  const Rules rules = readRules(folder / "r.json");
  REQUIRE(rules.rules.size() == 2);
  CHECK(rules.rules[0].a == "*/bolt*");
  CHECK(rules.rules[0].reason == "threads overlap");
  CHECK(rules.rules[1].b == "y");
  CHECK(rules.rules[1].reason.empty());
}

TEST_CASE("errors of rules name the rule and the field", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "r.json";
  const auto error = [&](const std::string& ignore) {
    writeText(file, R"({"format":"fitup-rules","version":1,"ignore":)" + ignore + "}");
    return messageOf<InputError>([&] { (void)readRules(file); });
  };
  CHECK(error("3") == file.string() + ": ignore: must be an array");
  CHECK(error(R"([{"a":"x","b":"y"},{"a":"x"}])") == file.string() + ": rule 1: b: is missing");
  CHECK(error(R"([{"a":7,"b":"y"}])") == file.string() + ": rule 0: a: must be a text");
  CHECK(error(R"([{"a":"","b":"y"}])") ==
        file.string() + ": rule 0: a: is empty, so it would match nothing");
}
