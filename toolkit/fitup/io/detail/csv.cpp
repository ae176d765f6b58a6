#include <fitup/io/detail/csv.h>

#include <algorithm>

#include <fitup/base/text.h>
#include <fitup/base/error.h>

namespace fitup::detail {
namespace {

/// True if a spreadsheet would execute the text without the apostrophes in front of it, if any.
bool isFormula(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('\''), text.size()));
  return !text.empty() && std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos;
}

}  // namespace

std::string csvField(std::string_view text) {
  std::string apart;
  if (isFormula(text) && !numberFromText(text)) text = apart = "'" + std::string(text);
  if (text.find_first_of(",;\t\"\r\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string csvLine(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i > 0 ? "," : "") + csvField(fields[i]);
  return line + "\n";
}

bool CsvReader::next(std::vector<std::string>& fields) {
  fields.clear();
  while (!rest_.empty() && (rest_.front() == '\n' || rest_.front() == '\r')) {
    if (rest_.front() == '\n') ++nextLine_;
    rest_.remove_prefix(1);
  }
  if (rest_.empty()) return false;
  line_ = nextLine_;
  std::string field;
  bool quoted = false;
  std::size_t i = 0;
  for (; i < rest_.size(); ++i) {
    const char c = rest_[i];
    if (c == '\n') ++nextLine_;
    if (quoted) {
      if (c != '"')
        field += c;
      else if (i + 1 < rest_.size() && rest_[i + 1] == '"')
        field += rest_[++i];
      else
        quoted = false;
    } else if (c == '"' && field.empty()) {
      quoted = true;
    } else if (c == ',') {
      fields.push_back(std::move(field));
      field.clear();
    } else if (c == '\n') {
      break;
    } else if (c != '\r') {
      field += c;
    }
  }
  if (quoted) throw InputError("line " + std::to_string(line_), "", "a quote is not closed");
  fields.push_back(std::move(field));
  for (std::string& text : fields)
    if (text.starts_with('\'') && isFormula(text)) text.erase(0, 1);
  rest_.remove_prefix(std::min(i + 1, rest_.size()));
  return true;
}

}  // namespace fitup::detail
