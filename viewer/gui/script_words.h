#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fitup::viewer {

using Words = std::vector<std::string>;

/// Splits a line into words at spaces. A word in double quotes may contain spaces; two double quotes within
/// it stand for one. '#' begins a comment. Throws InputError for quotes that are not closed.
Words wordsOf(const std::string& line);
/// Returns a word as a script must write it, whatever it contains, except line ends.
std::string quotedWord(const std::string& word);
// In the C locale. They throw InputError for text that is not a number, or not a count.
double numberOf(const std::string& text);
std::size_t countOf(const std::string& text);
/// Returns 0xRRGGBB for "ff8000" or "#ff8000". Throws InputError for other text.
std::uint32_t colourOf(const std::string& text);

}  // namespace fitup::viewer
