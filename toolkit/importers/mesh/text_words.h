#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace fitup::importers {

/// Returns true for blanks, tabs and the like, and CR, but not for other line ends.
bool isSpace(char c);
/// Removes the first word from the line and returns it; empty at the end.
std::string_view nextWord(std::string_view& line);
std::string_view trimmed(std::string_view text);
/// Returns a name up to the end of its line, as in OBJ files and their material libraries. Names may hold
/// '#'; a '#' with blanks on both sides begins a comment.
std::string_view nameIn(std::string_view rest);
/// Returns the text without a byte-order mark of UTF-8 at its beginning.
std::string_view withoutByteOrderMark(std::string_view text);
/// Returns the whole word as a number, in the C locale whatever the user's; a plus sign is allowed. Numbers
/// too small for a double are 0, too large ones infinite. The words for infinity and NaN are allowed.
std::optional<double> numberOf(std::string_view word);

/// The lines of a text; LF, CR LF or CR alone ends one.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : rest_(text), size_(text.size()) {}

  /// Returns false at the end.
  bool next(std::string_view& line);
  /// The number of the line last returned, from 1.
  [[nodiscard]] std::size_t number() const noexcept { return number_; }
  /// The text after the line last returned.
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }
  /// The fraction of the text that was returned.
  [[nodiscard]] double fraction() const noexcept {
    return size_ == 0 ? 1 : 1 - static_cast<double>(rest_.size()) / static_cast<double>(size_);
  }

 private:
  std::string_view rest_;
  std::size_t size_, number_ = 0;
};

}  // namespace fitup::importers
