#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <fitup/scene/rules.h>

#include "support/placements.h"

namespace rules_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Matches by the definition of a pattern, by recursion over characters.
bool matchesByDefinition(std::u32string_view pattern, std::u32string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == U'*')
    return matchesByDefinition(pattern.substr(1), text) ||
           (!text.empty() && matchesByDefinition(pattern, text.substr(1)));
  return !text.empty() && (pattern[0] == U'?' || pattern[0] == text[0]) &&
         matchesByDefinition(pattern.substr(1), text.substr(1));
}

std::string utf8(std::u32string_view text) {
  std::string result;
  for (const char32_t c : text) {
    const auto tail = [&](unsigned shift) { result += static_cast<char>(0x80 | ((c >> shift) & 0x3f)); };
    if (c < 0x80) {
      result += static_cast<char>(c);
    } else if (c < 0x800) {
      result += static_cast<char>(0xc0 | (c >> 6));
      tail(0);
    } else if (c < 0x10000) {
      result += static_cast<char>(0xe0 | (c >> 12));
      tail(6);
      tail(0);
    } else {
      result += static_cast<char>(0xf0 | (c >> 18));
      tail(12);
      tail(6);
      tail(0);
    }
  }
  return result;
}

std::u32string randomText(Random& random, std::u32string_view letters, std::uint32_t most) {
  std::u32string text;
  for (std::uint32_t n = random.below(most + 1); n > 0; --n)
    text += letters[random.below(static_cast<std::uint32_t>(letters.size()))];
  return text;
}

}  // namespace

TEST_CASE("patterns match whole paths", "[scene][rules]") {
  CHECK(matchesPattern("plant/tank", "plant/tank"));
  CHECK_FALSE(matchesPattern("plant/tank", "plant/tank#2"));
  CHECK_FALSE(matchesPattern("tank", "plant/tank"));
  CHECK(matchesPattern("*tank", "plant/tank"));
  CHECK(matchesPattern("*", "plant/a/b"));
  CHECK(matchesPattern("*", ""));
  CHECK(matchesPattern("plant/*/bolt#?", "plant/deep/down/bolt#7"));
  CHECK_FALSE(matchesPattern("plant/*/bolt#?", "plant/bolt#7"));
  CHECK_FALSE(matchesPattern("bolt#?", "bolt#12"));
  CHECK(matchesPattern("bolt**", "bolt"));
  CHECK_FALSE(matchesPattern("?", ""));
  // Nothing else is special.
  CHECK(matchesPattern("a.[x]\\", "a.[x]\\"));
  CHECK_FALSE(matchesPattern("a.c", "abc"));
  // A character of several bytes counts as one.
  CHECK(matchesPattern("B\u00fcgel?", "B\u00fcgel\u2116"));
  CHECK(matchesPattern("b?lt", "b\u00f6lt"));
  CHECK_FALSE(matchesPattern("b??lt", "b\u00f6lt"));
  // Invalid UTF-8 is handled too.
  CHECK(matchesPattern("?", "\xc3"));
  CHECK(matchesPattern("??b",
                       "\xc3\xff"
                       "b"));
  CHECK(matchesPattern("??", "\x80\x80"));
  // Case matters.
  CHECK_FALSE(matchesPattern("Bolt", "bolt"));
}

TEST_CASE("an empty pattern matches nothing, not even an empty path", "[scene][rules]") {
  CHECK_FALSE(matchesPattern("", ""));
  CHECK_FALSE(matchesPattern("", "a"));
}

TEST_CASE("patterns agree with their definition", "[scene][rules]") {
  Random random(11);
  for (int i = 0; i < 20'000; ++i) {
    // Characters of one to four bytes, some of which begin alike.
    const bool isPlain = i % 2 == 0;
    const std::u32string pattern =
        randomText(random, isPlain ? U"ab*?" : U"a\u00e9\u00e8\u20ac\U0001f529*?", 6);
    const std::u32string text = randomText(random, isPlain ? U"ab" : U"a\u00e9\u00e8\u20ac\U0001f529", 8);
    if (pattern.empty()) continue;
    INFO("'" << utf8(pattern) << "' on '" << utf8(text) << "'");
    REQUIRE(matchesPattern(utf8(pattern), utf8(text)) == matchesByDefinition(pattern, text));
  }
}

TEST_CASE("a pattern matches at or above a path as at one of its levels", "[scene][rules]") {
  Random random(12);
  int above = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::u32string pattern = randomText(random, U"ab/*?", 6);
    const std::u32string path = randomText(random, U"ab//", 8);
    if (pattern.empty()) continue;
    bool expected = matchesByDefinition(pattern, path);
    for (std::size_t at = path.find(U'/'); !expected && at != path.npos; at = path.find(U'/', at + 1)) {
      expected = matchesByDefinition(pattern, path.substr(0, at));
      above += expected;
    }
    INFO("'" << utf8(pattern) << "' on '" << utf8(path) << "'");
    REQUIRE(matchesAtOrAbove(utf8(pattern), utf8(path)) == expected);
  }
  CHECK(above > 500);
}

TEST_CASE("a pattern with many stars ends soon", "[scene][rules]") {
  // Exponential by the definition.
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "*a";
  CHECK_FALSE(matchesPattern(pattern + "b", std::string(5000, 'a')));
  CHECK(matchesPattern(pattern, std::string(5000, 'a')));
}

TEST_CASE("a rule holds in either order, the first that matches wins", "[scene][rules]") {
  const Rules rules{
      {{"*/bolt*", "*/plate", "threads"}, {"*", "*/tank", "second"}, {"*/bolt*", "*", "third"}}};
  CHECK(rules.find("a/bolt#1", "a/plate") == &rules.rules[0]);
  CHECK(rules.find("a/plate", "a/bolt#1") == &rules.rules[0]);
  CHECK(rules.find("a/tank", "a/bolt#1") == &rules.rules[1]);
  CHECK(rules.find("a/bolt#1", "a/bolt#2") == &rules.rules[2]);
  CHECK(rules.find("a/plate", "a/plate#2") == nullptr);
  // One path must match a, the *other* b.
  const Rules both{{{"x*", "xy", ""}}};
  CHECK(both.find("xy", "z") == nullptr);
  CHECK(both.find("xy", "xz") == &both.rules[0]);
  CHECK(Rules{}.find("a", "b") == nullptr);
}

TEST_CASE("a rule for one subassembly covers pairs within it, and none between two", "[scene][rules]") {
  const Rules rules{{{.a = "*pump*", .b = "*pump*", .sameSubassembly = true}}};
  CHECK(rules.find("pump1/shaft", "pump1/bearing") == &rules.rules[0]);
  CHECK(rules.find("plant/pump1/motor/rotor", "plant/pump1/shaft") == &rules.rules[0]);
  CHECK(rules.find("pump1/shaft", "pump2/shaft") == nullptr);
  CHECK(rules.find("pump1/shaft", "pump10/shaft") == nullptr);
  CHECK(rules.find("pump1", "pump1#2") == nullptr);
  // The subassembly itself has to match, not only the instances.
  CHECK(rules.find("plant/pump1", "plant/pump2") == nullptr);
  // Both patterns match the same subassembly.
  const Rules two{{{.a = "pump*", .b = "*1", .sameSubassembly = true}}};
  CHECK(two.find("pump1/a", "pump1/b") == &two.rules[0]);
  CHECK(two.find("pump2/a", "pump2/b") == nullptr);
}

TEST_CASE("a pattern for a subassembly stands for all below it", "[scene][rules]") {
  CHECK(matchesAtOrAbove("plant/piping", "plant/piping"));
  CHECK(matchesAtOrAbove("plant/piping", "plant/piping/run/spool"));
  CHECK(matchesAtOrAbove("*piping", "plant/piping/run/spool"));
  CHECK(matchesAtOrAbove("plant", "plant/piping"));
  CHECK_FALSE(matchesAtOrAbove("plant/pip", "plant/piping/spool"));
  CHECK_FALSE(matchesAtOrAbove("piping", "plant/piping/spool"));
  CHECK_FALSE(matchesAtOrAbove("plant/piping/spool", "plant/piping"));
  CHECK_FALSE(matchesAtOrAbove("", "plant"));

  Rules rules{{{"plant/piping", "plant/frame", "supports", RuleAction::allowContact}}};
  CHECK(rules.find("plant/frame/beam", "plant/piping/run/spool") == &rules.rules[0]);
  CHECK(rules.find("plant/piping/a", "plant/piping/b") == nullptr);
  rules.rules.push_back({"plant/piping", "plant/piping"});
  CHECK(rules.find("plant/piping/a", "plant/piping/b") == &rules.rules[1]);
  rules.wholePaths = true;  // as in files of version 1
  CHECK(rules.find("plant/frame/beam", "plant/piping/run/spool") == nullptr);
  CHECK(rules.find("plant/frame", "plant/piping") == &rules.rules[0]);
}

TEST_CASE("names of actions", "[scene][rules]") {
  for (RuleAction action : {RuleAction::ignore, RuleAction::allowContact, RuleAction::clearance})
    CHECK(ruleActionFromName(name(action)) == action);
  CHECK_FALSE(ruleActionFromName("Ignore"));
}

TEST_CASE("sets select pairs in either order, and are counted without forming them", "[scene][rules]") {
  Rules rules;
  CHECK(rules.empty());
  CHECK(rules.selects("x", "y"));
  rules.check = CheckSets{{"a", "both"}, {"b/*", "both"}};
  CHECK_FALSE(rules.empty());
  CHECK(rules.selects("a/1", "b/1"));
  CHECK(rules.selects("b/1", "a/1"));
  CHECK_FALSE(rules.selects("a/1", "a/2"));
  CHECK_FALSE(rules.selects("b/1", "b/2"));
  CHECK(rules.selects("both/1", "both/2"));
  CHECK_FALSE(rules.selects("a", "c"));

  Random random(23);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> paths[2];
    SelectedPairs groups[2] = {SelectedPairs(rules), SelectedPairs(rules)};
    for (int g = 0; g < 2; ++g)
      for (std::uint32_t n = random.below(9); n > 0; --n) {
        constexpr const char* folders[] = {"a/", "b/", "both/", "c/"};
        paths[g].push_back(folders[random.below(4)] + std::to_string(n));
        groups[g].add(paths[g].back());
      }
    std::size_t within = 0, between = 0;
    for (std::size_t i = 0; i < paths[0].size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) within += rules.selects(paths[0][i], paths[0][j]);
      for (const std::string& other : paths[1]) between += rules.selects(paths[0][i], other);
    }
    REQUIRE(groups[0].within() == within);
    REQUIRE(groups[0].with(groups[1]) == between);
  }
}

}  // namespace rules_tests
