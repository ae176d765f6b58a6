#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fitup::importers {

struct ConvertedText {
  std::string text;  ///< UTF-8; U+FFFD for bytes without a meaning
  std::size_t lostCharacters = 0;
};
/// `encoding`: one of `textEncodings`.
ConvertedText toUtf8(std::string_view text, std::string_view encoding);

/// Guesses the encoding of a text that is not UTF-8 from its bytes above 0x7f: "gbk", "shift-jis" or
/// "windows-1252" if most of its characters are common in that encoding; otherwise empty.
std::string_view guessEncoding(std::string_view text);

}  // namespace fitup::importers
