#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// Whether a text is UTF-8; ASCII is.
bool isUtf8(std::string_view text);

/// The text with every byte that is not UTF-8, and every control character (tabulator and line ends too),
/// replaced by U+FFFD, so that reports and terminals can carry it in one line.
std::string validUtf8(std::string_view text);

/// A text, such as a name from a file, as it is shown within a line: control characters (line ends too),
/// bytes that are not UTF-8 and characters that change the direction of writing as escapes (`\x1b`,
/// `\u202e`), so that no name moves the cursor, sends commands to the terminal or passes for a line of the
/// answer. Of backslashes there are no escapes: doing it twice changes nothing more.
std::string escaped(std::string_view text);
/// The same of a text of several lines: line ends stay.
std::string escapedLines(std::string_view text);

/// Bytes of the longest name that is taken from a file. Names stand in every path, every pair of a report and
/// every row of a list, and rules are matched against them, so that long ones cost time and memory many times
/// over.
constexpr std::size_t longestName = 4096;
/// The text, if it has more bytes than `most` cut off at the end of a character and with "..." behind it; at
/// most so many bytes in all. Precondition: `most` is at least 3.
std::string shortened(std::string_view text, std::size_t most = longestName);

/// The words in one text: "a, b or c".
std::string joined(std::span<const std::string_view> words, std::string_view between = ", ",
                   std::string_view beforeLast = " or ");

/// The fewest digits that give the same double back, in the C locale whatever the user's, as in files.
std::string numberText(double value);
/// The whole text as a number in the C locale, or nothing.
std::optional<double> numberFromText(std::string_view text);

}  // namespace fitup
