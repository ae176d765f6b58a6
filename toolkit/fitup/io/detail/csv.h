#pragma once

#include <string>
#include <string_view>
#include <vector>

// Comma-separated values after RFC 4180: a field with a comma, quote or line end is quoted, and quotes in it
// are doubled. Spreadsheets execute fields that begin with '=', '+', '-', '@', a tab or a line end, even if
// quoted. Such a text, unless it is a number, gets an apostrophe in front, which `CsvReader` removes.
namespace fitup::detail {

std::string csvField(std::string_view text);
/// The fields joined, with a line end.
std::string csvLine(const std::vector<std::string>& fields);

/// Reads rows one after the other. CR LF and LF end a row; empty lines are skipped.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : rest_(text) {}
  /// Reads the next row; returns false at the end. Throws InputError (without the file's name) for a quote
  /// that is not closed.
  bool next(std::vector<std::string>& fields);
  /// Line, from 1, on which the last row began.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }

 private:
  std::string_view rest_;
  std::size_t line_ = 0, nextLine_ = 1;
};

}  // namespace fitup::detail
