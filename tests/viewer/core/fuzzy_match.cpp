// Tests the search of names by some of their letters.
#include <catch2/catch.hpp>

#include <random>
#include <string>

#include <viewer/core/fuzzy_match.h>

namespace fuzzy_match_tests {

using fitup::viewer::fuzzyScore;

TEST_CASE("letters match in their order, and words in any order", "[viewer]") {
  CHECK(fuzzyScore(u"", u"show everything") == 0);
  CHECK(fuzzyScore(u"  ", u"show everything") == 0);
  CHECK(fuzzyScore(u"", u"") == 0);
  CHECK_FALSE(fuzzyScore(u"a", u""));
  CHECK(fuzzyScore(u"she", u"show everything"));
  CHECK_FALSE(fuzzyScore(u"ehs", u"show everything"));
  CHECK(fuzzyScore(u"every show", u"show everything"));
  CHECK_FALSE(fuzzyScore(u"every showz", u"show everything"));
  CHECK_FALSE(fuzzyScore(u"showw", u"show"));
  CHECK(fuzzyScore(u"süd", u"ansicht süd"));
}

TEST_CASE("starts of words rank before the insides of words", "[viewer]") {
  const auto ranks = [](std::u16string_view typed, std::u16string_view first, std::u16string_view second) {
    const auto a = fuzzyScore(typed, first), b = fuzzyScore(typed, second);
    return a && b && *a > *b;
  };
  CHECK(ranks(u"sec", u"box section", u"dissect"));
  CHECK(ranks(u"se", u"show everything", u"reverse the motion"));
  CHECK(ranks(u"se", u"section on or off", u"show everything"));
  CHECK(ranks(u"h", u"hide or show", u"show all"));
  CHECK(ranks(u"pref", u"preferences", u"play or read file"));
  CHECK(ranks(u"rule", u"rules", u"reverse undo later"));
  // The first word of the name before later ones.
  CHECK(ranks(u"section", u"section on or off", u"flip the section"));
  // A whole word before the same letters with gaps.
  CHECK(ranks(u"iso", u"isometric", u"insert a step now or"));
}

TEST_CASE("any subsequence matches and nothing else does", "[viewer]") {
  std::mt19937 random(7);
  const std::u16string letters = u"abc ";
  for (int round = 0; round < 3000; ++round) {
    std::u16string name, typed;
    for (unsigned i = random() % 10; i > 0; --i) name += letters[random() % 4];
    for (unsigned i = random() % 4; i > 0; --i) typed += letters[random() % 3];
    std::size_t at = 0;
    bool isThere = true;
    for (const char16_t letter : typed) {
      at = name.find(letter, at);
      isThere = isThere && at != std::u16string::npos;
      if (!isThere) break;
      ++at;
    }
    CAPTURE(round);
    CHECK(fuzzyScore(typed, name).has_value() == isThere);
  }
}

}  // namespace fuzzy_match_tests
