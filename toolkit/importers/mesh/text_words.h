#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace fitup::importers {

/// Blank, tabulator and their like; no line ends but CR.
bool isSpace(char c);
/// The first word of the line, taken off its front; empty at the end.
std::string_view nextWord(std::string_view& line);
std::string_view trimmed(std::string_view text);
/// A name up to the end of its line, as OBJ files and their material libraries have it. Names may hold '#'; a
/// comment is what one with blanks on both sides begins.
std::string_view nameIn(std::string_view rest);
/// Without the mark of UTF-8 at its beginning.
std::string_view withoutByteOrderMark(std::string_view text);
/// The whole word as a number, in the C locale whatever the user's; a plus sign is allowed. Too small for a
/// double is 0, too large infinite. May be infinite or not a number, where the word says so.
std::optional<double> numberOf(std::string_view word);

/// Lines of a text; any of LF, CR LF and CR alone ends one.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : rest_(text), size_(text.size()) {}

  /// False at the end.
  bool next(std::string_view& line);
  /// Of the line last given, from 1.
  [[nodiscard]] std::size_t number() const noexcept { return number_; }
  /// What follows the line last given.
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }
  /// Fraction of the text that was given.
  [[nodiscard]] double fraction() const noexcept {
    return size_ == 0 ? 1 : 1 - static_cast<double>(rest_.size()) / static_cast<double>(size_);
  }

 private:
  std::string_view rest_;
  std::size_t size_, number_ = 0;
};

}  // namespace fitup::importers
