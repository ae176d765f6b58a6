#include <catch2/catch.hpp>

#include <string>

#include <fitup/scene/rules.h>

#include "support/placements.h"

using namespace fitup;
using namespace fitup::test;

namespace {

/// The definition of a pattern, by recursion.
bool matchesByDefinition(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*')
    return matchesByDefinition(pattern.substr(1), text) ||
           (!text.empty() && matchesByDefinition(pattern, text.substr(1)));
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         matchesByDefinition(pattern.substr(1), text.substr(1));
}

std::string randomText(Random& random, std::string_view letters, std::uint32_t most) {
  std::string text;
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
  // Case counts.
  CHECK_FALSE(matchesPattern("Bolt", "bolt"));
}

TEST_CASE("an empty pattern matches nothing, not even an empty path", "[scene][rules]") {
  CHECK_FALSE(matchesPattern("", ""));
  CHECK_FALSE(matchesPattern("", "a"));
}

TEST_CASE("patterns agree with their definition", "[scene][rules]") {
  Random random(11);
  for (int i = 0; i < 20'000; ++i) {
    const std::string pattern = randomText(random, "ab*?", 6), text = randomText(random, "ab", 8);
    if (pattern.empty()) continue;
    INFO("'" << pattern << "' on '" << text << "'");
    REQUIRE(matchesPattern(pattern, text) == matchesByDefinition(pattern, text));
  }
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
