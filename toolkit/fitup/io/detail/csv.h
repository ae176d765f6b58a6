#pragma once

#include <string>
#include <string_view>
#include <vector>

// Comma-separated values after RFC 4180: a field with a comma, quote or line end stands in quotes, quotes in
// it are doubled. Spreadsheets run what begins with '=', '+', '-', '@', a tab or a line end, in quotes too:
// such a text, unless it is a number, stands behind an apostrophe, which `CsvReader` takes away again.
namespace fitup::detail {

std::string csvField(std::string_view text);
/// The fields joined, with a line end.
std::string csvLine(const std::vector<std::string>& fields);

/// Reads rows one after the other; CR LF and LF end a row; empty lines are passed over.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : rest_(text) {}
  /// False at the end. Throws InputError (without the file's name) for a quote that is not closed.
  bool next(std::vector<std::string>& fields);
  /// Line on which the row just read began, from 1.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }

 private:
  std::string_view rest_;
  std::size_t line_ = 0, nextLine_ = 1;
};

}  // namespace fitup::detail
