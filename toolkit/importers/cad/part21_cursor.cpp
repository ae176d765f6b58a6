#include "part21_cursor.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fitup/base/error.h>
#include <fitup/base/text.h>

namespace fitup::importers {
namespace {

/// More than any schema combines.
constexpr std::size_t mostTypes = 64;

bool isKeyword(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::optional<char32_t> hexadecimal(std::string_view digits) {
  std::uint32_t value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.empty() || parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size())
    return std::nullopt;
  return value;
}

void appendUtf8(std::string& text, char32_t c) {
  const auto add = [&](char32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) {
    add(c);
  } else if (c < 0x800) {
    add(0xC0 | (c >> 6));
    add(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    add(0xE0 | (c >> 12));
    add(0x80 | ((c >> 6) & 0x3F));
    add(0x80 | (c & 0x3F));
  } else {
    add(0xF0 | ((c >> 18) & 0x07));
    add(0x80 | ((c >> 12) & 0x3F));
    add(0x80 | ((c >> 6) & 0x3F));
    add(0x80 | (c & 0x3F));
  }
}

/// Decodes the directives of ISO 10303-21, 6.4.3: \X\C4, \X2\00C400D6\X0\, \X4\0001F600\X0\, \S\D. Other text
/// stays as it is.
std::string decoded(std::string_view raw) {
  std::string text;
  for (std::size_t i = 0; i < raw.size();) {
    const std::string_view rest = raw.substr(i);
    if (rest.starts_with("''") || rest.starts_with("\\\\")) {
      text += rest.front();
      i += 2;
    } else if (const auto c = rest.starts_with("\\X\\") && rest.size() >= 5 ? hexadecimal(rest.substr(3, 2))
                                                                            : std::nullopt) {
      appendUtf8(text, *c);
      i += 5;
    } else if (rest.starts_with("\\S\\") && rest.size() >= 4) {
      appendUtf8(text, (static_cast<unsigned char>(rest[3]) & 0x7FU) | 0x80U);
      i += 4;
    } else if (const std::size_t end = rest.find("\\X0\\");
               end != rest.npos && (rest.starts_with("\\X2\\") || rest.starts_with("\\X4\\"))) {
      const std::size_t digits = rest[2] == '2' ? 4 : 8;
      char32_t high = 0;
      for (std::size_t k = 4; k + digits <= end; k += digits) {
        const char32_t c = hexadecimal(rest.substr(k, digits)).value_or(0xFFFD);
        if (c >= 0xD800 && c < 0xDC00) {
          high = c;
          continue;
        }
        const bool isPair = high != 0 && c >= 0xDC00 && c < 0xE000;
        appendUtf8(text, isPair ? 0x10000 + ((high - 0xD800) << 10) + (c - 0xDC00) : c);
        high = 0;
      }
      i += end + 4;
    } else {
      text += rest.front();
      ++i;
    }
  }
  return shortened(validUtf8(text));
}

}  // namespace

void Part21Cursor::refuse(const char* expected) const {
  const std::string_view found = text_.substr(std::min(at_, text_.size()), 12);
  throw InputError(std::string(expected) + " is expected, not '" + validUtf8(found) + "'");
}

void Part21Cursor::skipSpace() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++at_;
    } else if (text_.substr(at_).starts_with("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == text_.npos ? text_.size() : end + 2;
    } else {
      return;
    }
  }
}

void Part21Cursor::endValue() {
  end_ = at_;
  skipSpace();
  isAfterComma_ = at_ < text_.size() && text_[at_] == ',';
  if (isAfterComma_)
    ++at_;
  else if (at_ == text_.size() || text_[at_] != ')')
    refuse("a comma or a closing bracket");
}

bool Part21Cursor::isUnset() {
  skipSpace();
  if (at_ == text_.size() || (text_[at_] != '$' && text_[at_] != '*')) return false;
  ++at_;
  endValue();
  return true;
}

std::size_t Part21Cursor::begin() {
  skipSpace();
  return at_;
}

void Part21Cursor::skipString() {
  for (++at_;; at_ += 2) {
    at_ = text_.find('\'', at_);
    if (at_ == text_.npos) {
      at_ = text_.size();
      refuse("the end of a string");
    }
    if (!text_.substr(at_ + 1).starts_with('\'')) break;
  }
  ++at_;
}

std::string Part21Cursor::readString() {
  if (isUnset()) return {};
  if (at_ == text_.size() || text_[at_] != '\'') refuse("a string");
  const std::size_t begin = at_ + 1;
  skipString();
  const std::string_view raw = text_.substr(begin, at_ - 1 - begin);
  endValue();
  return decoded(raw);
}

std::int64_t Part21Cursor::readInteger() {
  skipSpace();
  std::int64_t value = 0;
  const char *first = text_.data() + at_, *last = text_.data() + text_.size();
  if (first != last && *first == '+') ++first;
  const auto parsed = std::from_chars(first, last, value);
  if (parsed.ec != std::errc()) refuse("a whole number");
  at_ = static_cast<std::size_t>(parsed.ptr - text_.data());
  endValue();
  return value;
}

double Part21Cursor::readReal() {
  skipSpace();
  bool isTyped = false;
  if (at_ < text_.size() && text_[at_] >= 'A' && text_[at_] <= 'Z') {
    while (at_ < text_.size() && isKeyword(text_[at_])) ++at_;
    skipSpace();
    if (at_ == text_.size() || text_[at_] != '(') refuse("a number");
    ++at_;
    skipSpace();
    isTyped = true;
  }
  double value = 0;
  const char *first = text_.data() + at_, *last = text_.data() + text_.size();
  if (first != last && *first == '+') ++first;
  const auto parsed = std::from_chars(first, last, value);
  if (parsed.ec != std::errc() || !std::isfinite(value)) refuse("a number");
  at_ = static_cast<std::size_t>(parsed.ptr - text_.data());
  if (isTyped) {
    skipSpace();
    if (at_ == text_.size() || text_[at_] != ')') refuse("a closing bracket");
    ++at_;
  }
  endValue();
  return value;
}

std::string_view Part21Cursor::readEnumeration() {
  if (isUnset()) return {};
  const std::size_t end = at_ < text_.size() && text_[at_] == '.' ? text_.find('.', at_ + 1) : text_.npos;
  if (end == text_.npos) refuse("an enumeration");
  const std::string_view value = text_.substr(at_ + 1, end - at_ - 1);
  at_ = end + 1;
  endValue();
  return value;
}

std::optional<std::uint64_t> Part21Cursor::readReference() {
  if (isUnset()) return std::nullopt;
  std::uint64_t id = 0;
  if (at_ == text_.size() || text_[at_] != '#') refuse("a reference");
  const auto parsed = std::from_chars(text_.data() + at_ + 1, text_.data() + text_.size(), id);
  if (parsed.ec != std::errc()) refuse("a reference");
  at_ = static_cast<std::size_t>(parsed.ptr - text_.data());
  endValue();
  return id;
}

bool Part21Cursor::beginList() {
  if (isUnset()) return false;
  if (at_ == text_.size() || text_[at_] != '(') refuse("a list");
  ++at_;
  isAfterComma_ = false;
  return true;
}

bool Part21Cursor::endList() {
  skipSpace();
  if (at_ == text_.size() || text_[at_] != ')') return false;
  if (isAfterComma_) refuse("a value");
  ++at_;
  endValue();
  return true;
}

void Part21Cursor::skipValue() {
  std::size_t depth = 0;
  for (skipSpace(); at_ < text_.size(); skipSpace()) {
    const char c = text_[at_];
    if (c == '\'') {
      skipString();
      continue;
    }
    if (c == ';' || (depth == 0 && (c == ',' || c == ')'))) break;
    if (c == '(') ++depth;
    if (c == ')') --depth;
    ++at_;
  }
  endValue();
}

Part21Record::Part21Record(std::string_view text, std::size_t at) {
  Part21Cursor place(text, at);
  at = place.begin();
  several_ = text.substr(at).starts_with('(');
  if (several_) at = Part21Cursor(text, at + 1).begin();
  typeBegin_ = at;
  while (at < text.size() && entries_.size() < mostTypes && isKeyword(text[at])) {
    const std::size_t begin = at;
    while (at < text.size() && isKeyword(text[at])) ++at;
    const std::string_view type = text.substr(begin, at - begin);
    at = Part21Cursor(text, at).begin();
    if (!text.substr(at).starts_with('(')) break;
    entries_.push_back({type, Part21Cursor(text, at + 1)});
    if (!several_) break;
    // To the bracket that closes this record.
    std::size_t depth = 0;
    while (at < text.size()) {
      const char c = text[at];
      if (c == ';') break;
      if (c == '\'') {
        const std::size_t quote = text.find('\'', at + 1);
        if (quote == text.npos) break;
        at = quote;
      } else if (text.substr(at).starts_with("/*")) {
        at = Part21Cursor(text, at).begin();
        continue;
      } else if (c == '(') {
        ++depth;
      } else if (c == ')' && --depth == 0) {
        break;
      }
      ++at;
    }
    if (!text.substr(std::min(at, text.size())).starts_with(')')) break;
    at = Part21Cursor(text, at + 1).begin();
  }
  if (entries_.empty()) throw InputError("the type of an entity is missing");
}

bool Part21Record::has(std::string_view type) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.type == type; });
}

Part21Cursor& Part21Record::of(std::string_view type) {
  if (!several_) return entries_.front().cursor;
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.type == type; });
  if (found == entries_.end()) throw InputError("it is not a valid " + std::string(type));
  return found->cursor;
}

std::vector<std::string_view> Part21Record::types() const {
  std::vector<std::string_view> types;
  for (const Entry& entry : entries_) types.push_back(entry.type);
  return types;
}

}  // namespace fitup::importers
