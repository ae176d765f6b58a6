#include "iges_text.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fitup/base/error.h>
#include <fitup/io/file_bytes.h>

namespace fitup::importers {
namespace {

constexpr std::size_t sectionColumn = 72, fieldWidth = 8;

char sectionOf(std::string_view line) { return line.size() > sectionColumn ? line[sectionColumn] : '\0'; }

std::string_view nextLine(std::string_view& rest) {
  const std::size_t end = std::min(rest.find_first_of("\r\n"), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(rest.find_first_not_of("\r\n", end), rest.size()));
  return line;
}

/// Returns the entity type at the beginning of the first line of a directory entry.
int typeOf(std::string_view line) {
  std::string_view field = line.substr(0, fieldWidth);
  field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
  int type = 0;
  std::from_chars(field.data(), field.data() + field.size(), type);
  return type;
}

}  // namespace

IgesText::IgesText(const std::filesystem::path& file) {
  const auto contents = FileBytes::map(file);
  const auto bytes = contents->bytes();
  std::string_view rest{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  if (rest.empty()) throw InputError("the file is empty");
  if (rest.starts_with("version https://git-lfs"))
    throw InputError("this is a Git LFS pointer to the model, not the model; fetch it with `git lfs pull`");
  bool isFirst = true, isSecondOfEntry = false;
  char last = '\0';
  while (!rest.empty()) {
    const std::string_view line = nextLine(rest);
    const char section = sectionOf(line);
    if (isFirst && section == 'C') throw InputError("compressed IGES is not supported");
    if (isFirst && section != 'S') throw InputError("not an IGES file: its first line is not of section S");
    isFirst = false;
    if (section == 'D') {
      if (!isSecondOfEntry) ++counts_[typeOf(line)];
      isSecondOfEntry = !isSecondOfEntry;
    }
    if (section != '\0') last = section;
    if (section == 'T') break;
  }
  if (last != 'T') throw InputError("the file is cut off: its last section (T) is missing");
}

std::size_t IgesText::countOf(int type) const {
  const auto found = counts_.find(type);
  return found == counts_.end() ? 0 : found->second;
}

}  // namespace fitup::importers
