#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// Returns true if a text is valid UTF-8. ASCII is.
bool isUtf8(std::string_view text);

/// Replaces every byte that is not UTF-8 and every control character (including tabs and line ends) with
/// U+FFFD, so that reports and terminals can show the text in one line.
std::string validUtf8(std::string_view text);

/// Returns a text, such as a name from a file, in a form that is safe to show within a line. Control
/// characters (including line ends), bytes that are not UTF-8, and characters that change the direction of
/// the text become escapes (`\x1b`, `\u202e`). A name therefore cannot move the cursor, send commands to the
/// terminal or imitate a line of the report. Backslashes are not escaped, so a second call changes nothing.
std::string escaped(std::string_view text);
/// Same as `escaped` for a text of several lines, whose line ends are kept.
std::string escapedLines(std::string_view text);

/// Length in bytes of the longest name that is taken from a file. Names appear in every path, every pair of a
/// report and every row of a list, and rules are matched against them, so long names cost time and memory
/// many times over.
constexpr std::size_t longestName = 4096;
/// Returns the text unchanged if it has at most `most` bytes. Otherwise cuts it at the end of a character and
/// appends "..."; the result has at most `most` bytes. Precondition: `most` is at least 3.
std::string shortened(std::string_view text, std::size_t most = longestName);

/// Joins words into one text: "a, b or c".
std::string joined(std::span<const std::string_view> words, std::string_view between = ", ",
                   std::string_view beforeLast = " or ");

/// Returns the shortest decimal text that parses to the same double. Always uses the C locale, as in files.
std::string numberText(double value);
/// Parses the whole text as a number in the C locale. Returns nothing if it is not one.
std::optional<double> numberFromText(std::string_view text);

}  // namespace fitup
