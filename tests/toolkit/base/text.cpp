#include <fitup/base/text.h>

#include <catch2/catch.hpp>

#include <utility>

namespace text_tests {

using namespace fitup;

TEST_CASE("texts are escaped where they would do more than be read", "[base]") {
  for (const auto& [text, shown] :
       {std::pair<const char*, const char*>{"", ""},
        {"Flansch \xc3\xa4 \xe6\x97\xa5 \xf0\x9f\x94\xa9", "Flansch \xc3\xa4 \xe6\x97\xa5 \xf0\x9f\x94\xa9"},
        {"a\nb\tc\rd", "a\\nb\\tc\\x0dd"},
        {"\x1b[2J\x07\x7f", "\\x1b[2J\\x07\\x7f"},
        {"\xc2\x9b"
         "1m",
         "\\u009b1m"},  // a C1 control
        {"a\xe2\x80\xae"
         "b\xe2\x81\xa6",
         "a\\u202eb\\u2066"},  // reverses the line
        {"\xd8\x9c\xe2\x80\x8f\xe2\x80\xa8", "\\u061c\\u200f\\u2028"},
        {"\xff\xc3", "\\xff\\xc3"},                             // not UTF-8
        {"\xc0\xaf\xed\xa0\x80", "\\xc0\\xaf\\xed\\xa0\\x80"},  // overlong, surrogate
        {"\xf4\x90\x80\x80\xe2\x80", "\\xf4\\x90\\x80\\x80\\xe2\\x80"},
        {"C:\\x1b", "C:\\x1b"}}) {
    INFO(shown);
    CHECK(escaped(text) == shown);
    CHECK(escaped(escaped(text)) == shown);
  }
  CHECK(escaped(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(escapedLines("a\x1b\nb\r\n\n\xe2\x80\xae") == "a\\x1b\nb\\x0d\n\n\\u202e");
}

TEST_CASE("texts are made UTF-8 of one line", "[base]") {
  const std::string bad = "\xEF\xBF\xBD";
  CHECK(validUtf8("Flansch \xc3\xa4") == "Flansch \xc3\xa4");
  CHECK(validUtf8("a\nb\x7f\xc2\x9b") == "a" + bad + "b" + bad + bad);
  CHECK(validUtf8("\xff\xc3(") == bad + bad + "(");
  CHECK(validUtf8("\xed\xa0\x80") == bad + bad + bad);
  CHECK(validUtf8("\xe2\x80\xae") == "\xe2\x80\xae");  // reported by `escaped` where it is shown
}

TEST_CASE("long texts are cut off at the end of a character", "[base]") {
  CHECK(shortened("abcdef", 6) == "abcdef");
  CHECK(shortened("abcdefg", 6) == "abc...");
  CHECK(shortened("a\xc3\xa4\xc3\xb6xyz", 7) == "a\xc3\xa4...");  // the cut would divide the second letter
  CHECK(shortened("a\xf0\x9f\x94\xa9xyz", 7) == "a...");
  CHECK(shortened("\xf0\x9f\x94\xa9xyz", 4) == "...");
  CHECK(shortened("\x80\x80\x80\x80\x80\x80\x80\x80", 7) == "\x80\x80\x80\x80...");  // not UTF-8
  CHECK(shortened(std::string(longestName, 'n')) == std::string(longestName, 'n'));
  CHECK(shortened(std::string(1'000'000, 'n')) == std::string(longestName - 3, 'n') + "...");
}

}  // namespace text_tests
