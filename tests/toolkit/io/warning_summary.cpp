#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <fitup/io/warning_summary.h>

namespace warning_summary_tests {

using namespace fitup;

namespace {

std::vector<std::string> textsOf(const std::vector<ImportWarning>& warnings) {
  std::vector<std::string> texts;
  for (const WarningGroup& group : summarise(warnings)) texts.push_back(text(group));
  return texts;
}

}  // namespace

TEST_CASE("warnings of one kind become one line with their number and the first of them", "[io][warnings]") {
  CHECK(textsOf({}).empty());
  CHECK(textsOf({{"bracket", "has no faces", false}}) == std::vector<std::string>{"bracket: has no faces"});
  CHECK(textsOf({{"", "of no element", false}}) == std::vector<std::string>{"of no element"});
  std::vector<ImportWarning> many;
  for (int i = 0; i < 300; ++i) {
    many.push_back({"part " + std::to_string(i), "has no faces", false});
    many.push_back(
        {"object " + std::to_string(i), "declares " + std::to_string(9 + 7 * i) + " faces, 3 arrived", true});
  }
  many.push_back({"last", "is another kind", true});
  CHECK(textsOf(many) ==
        std::vector<std::string>{"300 times, the first: object 0: declares 9 faces, 3 arrived",
                                 "last: is another kind", "300 times, the first: part 0: has no faces"});
}

TEST_CASE("what is missing is never counted among what is not", "[io][warnings]") {
  CHECK(textsOf({{"a", "is left out", false}, {"b", "is left out", true}, {"c", "is left out", false}}) ==
        std::vector<std::string>{"b: is left out", "2 times, the first: a: is left out"});
}

TEST_CASE("messages are of one kind only where numbers alone differ", "[io][warnings]") {
  CHECK(textsOf({{"a", "1 face", false}, {"a", "1 faces", false}, {"a", "one face", false}}).size() == 3);
  CHECK(textsOf({{"a", "face 1 2", false}, {"a", "face 12", false}}).size() == 2);
  // A digit of another script is not a number here.
  CHECK(textsOf({{"a", "\xd9\xa1", false}, {"a", "\xd9\xa2", false}}).size() == 2);
}

TEST_CASE("any number of different warnings is summarised", "[io][warnings]") {
  std::vector<ImportWarning> warnings;
  for (int i = 0; i < 200'000; ++i) {
    std::string message(i % 50 + 1, 'x');
    for (int rest = i / 50; rest > 0; rest /= 26) message += static_cast<char>('a' + rest % 26);
    warnings.push_back({"file", std::move(message), i % 2 == 0});
  }
  std::size_t count = 0;
  const std::vector<WarningGroup> groups = summarise(warnings);
  for (const WarningGroup& group : groups) count += group.count;
  CHECK(count == warnings.size());
  CHECK(groups.size() > 100'000);
}

}  // namespace warning_summary_tests
