#include <fitup/base/text.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <system_error>

namespace fitup {
namespace {

struct Character {
  std::uint32_t code;
  std::size_t length;  ///< in bytes; 0 if the bytes are not UTF-8
};

/// Decodes the first character. Precondition: the text is not empty.
Character nextCharacter(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  const std::size_t length = byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
  if (length == 0 || length > text.size()) return {byte, 0};
  std::uint32_t code = length == 1 ? byte : byte & (0x7fU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    const auto next = static_cast<unsigned char>(text[k]);
    if ((next & 0xc0U) != 0x80) return {byte, 0};
    code = code << 6 | (next & 0x3fU);
  }
  // Rejects overlong forms, surrogates, and codes above U+10FFFF.
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool isSurrogate = code >= 0xd800 && code < 0xe000;
  if (code < least[length] || isSurrogate || code > 0x10ffff) return {byte, 0};
  return {code, length};
}

bool isControl(std::uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

/// Returns true for marks, embeddings, overrides and isolates of bidirectional text, and for line separators.
bool turnsLines(std::uint32_t code) {
  return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

/// Makes an escape: a backslash, `letter`, and `number` in `digits` hexadecimal digits.
std::string escape(char letter, std::uint32_t number, int digits) {
  std::string text{'\\', letter};
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += "0123456789abcdef"[number >> shift & 15];
  return text;
}

}  // namespace

bool isUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = nextCharacter(text.substr(i)).length;
    if (length == 0) return false;
    i += length;
  }
  return true;
}

std::string validUtf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto [code, length] = nextCharacter(text.substr(i));
    if (length > 0 && !isControl(code))
      result += text.substr(i, length);
    else
      result += "\xEF\xBF\xBD";
    i += length > 0 ? length : 1;
  }
  return result;
}

std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto [code, length] = nextCharacter(text.substr(i));
    if (code == '\n')
      result += "\\n";
    else if (code == '\t')
      result += "\\t";
    else if (length == 0 || code < 0x20 || code == 0x7f)
      result += escape('x', code, 2);
    else if (isControl(code) || turnsLines(code))
      result += escape('u', code, 4);
    else
      result += text.substr(i, length);
    i += length > 0 ? length : 1;
  }
  return result;
}

std::string escapedLines(std::string_view text) {
  std::string result;
  for (;;) {
    const std::size_t end = text.find('\n');
    result += escaped(text.substr(0, end));
    if (end == std::string_view::npos) return result;
    result += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  constexpr std::string_view dots = "...";
  std::size_t end = most - dots.size();
  // Moves back to the beginning of a character that the cut would divide. The bytes may not be UTF-8 at all.
  const auto isInside = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80;
  };
  constexpr std::size_t longestTail = 3;
  std::size_t back = 0;
  while (back < longestTail && back < end && isInside(end - back)) ++back;
  if (!isInside(end - back)) end -= back;
  return std::string(text.substr(0, end)) += dots;
}

std::string joined(std::span<const std::string_view> words, std::string_view between,
                   std::string_view beforeLast) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? beforeLast : between;
    text += words[i];
  }
  return text;
}

std::string numberText(double value) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

std::optional<double> numberFromText(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
    return std::nullopt;
  return value;
}

}  // namespace fitup
