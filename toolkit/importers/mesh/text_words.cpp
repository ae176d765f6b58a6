#include "text_words.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace fitup::importers {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

std::string_view nextWord(std::string_view& line) {
  while (!line.empty() && isSpace(line.front())) line.remove_prefix(1);
  std::size_t end = 0;
  while (end < line.size() && !isSpace(line[end])) ++end;
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view nameIn(std::string_view rest) {
  for (std::size_t at = rest.find('#'); at != std::string_view::npos; at = rest.find('#', at + 1))
    if ((at == 0 || isSpace(rest[at - 1])) && (at + 1 == rest.size() || isSpace(rest[at + 1])))
      return trimmed(rest.substr(0, at));
  return trimmed(rest);
}

std::string_view withoutByteOrderMark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

std::optional<double> numberOf(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
  if (parsed.ec == std::errc::invalid_argument || parsed.ptr != word.data() + word.size())
    return std::nullopt;
  if (parsed.ec == std::errc::result_out_of_range)
    value = word.find('-', 1) != std::string_view::npos ? 0 : std::numeric_limits<double>::infinity();
  return value;
}

bool TextLines::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
  line = rest_.substr(0, end);
  rest_.remove_prefix(end);
  if (rest_.starts_with("\r\n"))
    rest_.remove_prefix(2);
  else if (!rest_.empty())
    rest_.remove_prefix(1);
  ++number_;
  return true;
}

}  // namespace fitup::importers
