#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fitup::viewer {

using Words = std::vector<std::string>;

/// Words are parted by spaces; one in double quotes may have spaces in it, and two of its double quotes stand
/// for one. '#' begins a comment. Throws InputError for quotes that are not closed.
Words wordsOf(const std::string& line);
/// A word as a script has to write it, whatever is in it but ends of lines.
std::string quotedWord(const std::string& word);
// In the C locale. Throw InputError for what is no number, or no count.
double numberOf(const std::string& text);
std::size_t countOf(const std::string& text);

}  // namespace fitup::viewer
