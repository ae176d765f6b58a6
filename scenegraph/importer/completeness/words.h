#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fitup::importers {

/// The words of a text between blanks, with their places.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// Returns the next word; empty at the end.
  std::string_view next() {
    constexpr std::string_view blanks = " \t\n\v\f\r";
    const std::size_t begin = std::min(text_.find_first_not_of(blanks, at_), text_.size());
    at_ = std::min(text_.find_first_of(blanks, begin), text_.size());
    return text_.substr(begin, at_ - begin);
  }
  /// Returns the next word as a number; empty if it is not one.
  template <typename T>
  std::optional<T> number() {
    return numberOf<T>(next());
  }
  template <typename T>
  static std::optional<T> numberOf(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
  }
  /// Skips characters.
  void skip(std::size_t count) { at_ += std::min(count, text_.size() - at_); }
  /// Returns the text that is left.
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  /// Returns the place of the last word, such as "line 12". All calls together are linear in the text.
  std::string where() {
    lines_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                                  text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
    counted_ = at_;
    return "line " + std::to_string(lines_);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0, counted_ = 0, lines_ = 1;
};

}  // namespace fitup::importers
