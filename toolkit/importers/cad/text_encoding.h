#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fitup::importers {

struct ConvertedText {
  std::string text;  ///< UTF-8; U+FFFD where a byte means nothing
  std::size_t lostCharacters = 0;
};
/// `encoding`: one of `textEncodings`.
ConvertedText toUtf8(std::string_view text, std::string_view encoding);

/// What a text that is no UTF-8 may be in, by its bytes above 0x7f: "gbk", "shift-jis" or "windows-1252"
/// where most of its characters are common ones in it; else empty.
std::string_view guessEncoding(std::string_view text);

}  // namespace fitup::importers
