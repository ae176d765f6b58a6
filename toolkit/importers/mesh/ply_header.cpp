#include "ply_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fitup/base/error.h>

#include "importer_main.h"
#include "text_words.h"

namespace fitup::importers {
namespace {

constexpr std::array<std::pair<std::string_view, PlyNumber>, 16> numberNames{
    {{"char", PlyNumber::int8},
     {"uchar", PlyNumber::uint8},
     {"short", PlyNumber::int16},
     {"ushort", PlyNumber::uint16},
     {"int", PlyNumber::int32},
     {"uint", PlyNumber::uint32},
     {"float", PlyNumber::float32},
     {"double", PlyNumber::float64},
     {"int8", PlyNumber::int8},
     {"uint8", PlyNumber::uint8},
     {"int16", PlyNumber::int16},
     {"uint16", PlyNumber::uint16},
     {"int32", PlyNumber::int32},
     {"uint32", PlyNumber::uint32},
     {"float32", PlyNumber::float32},
     {"float64", PlyNumber::float64}}};

class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text), lines_(text) {}

  PlyHeader read() {
    std::string_view line;
    if (!lines_.next(line) || trimmed(line) != "ply")
      throw InputError("not a PLY file: it does not begin with 'ply'");
    bool hasFormat = false;
    while (true) {
      if (!lines_.next(line)) throw InputError("the file is cut off: end_header is missing");
      std::string_view rest = line;
      const std::string_view word = nextWord(rest);
      if (word == "end_header") break;
      if (word == "format") {
        header_.format = format(nextWord(rest));
        hasFormat = true;
      } else if (word == "element") {
        PlyElement& element = header_.elements.emplace_back();
        element.name = nextWord(rest);
        element.count = count(nextWord(rest));
      } else if (word == "property") {
        if (header_.elements.empty()) fail("a property before the first element");
        header_.elements.back().properties.push_back(property(rest));
      } else if (word != "comment" && word != "obj_info" && !word.empty()) {
        fail("'" + validUtf8(word) + "' is unknown");
      }
    }
    if (!hasFormat) throw InputError("the header does not say its format");
    header_.size = text_.size() - lines_.rest().size();
    // A binary file whose lines end with CR alone may begin its data with a byte that equals LF.
    if (text_.substr(0, text_.find('\n')).substr(0, 4) == "ply\r" && !text_.starts_with("ply\r\n") &&
        text_.substr(0, header_.size).ends_with("\r\n"))
      --header_.size;
    header_.lines = lines_.number();
    return std::move(header_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError("line " + std::to_string(lines_.number()), "", problem);
  }

  PlyFormat format(std::string_view word) const {
    if (word == "ascii") return PlyFormat::text;
    if (word == "binary_little_endian") return PlyFormat::littleEndian;
    if (word == "binary_big_endian") return PlyFormat::bigEndian;
    fail("'" + validUtf8(word) + "' is not a PLY format");
  }

  PlyNumber number(std::string_view word) const {
    const auto found = std::find_if(numberNames.begin(), numberNames.end(),
                                    [&](const auto& entry) { return entry.first == word; });
    if (found == numberNames.end()) fail("'" + validUtf8(word) + "' is not a number type");
    return found->second;
  }

  std::uint64_t count(std::string_view word) const {
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || parsed.ec != std::errc() || parsed.ptr != word.data() + word.size())
      fail("'" + validUtf8(word) + "' is not a number of elements");
    return value;
  }

  PlyProperty property(std::string_view rest) const {
    PlyProperty result;
    std::string_view word = nextWord(rest);
    if (word == "list") {
      result.count = number(nextWord(rest));
      if (*result.count == PlyNumber::float32 || *result.count == PlyNumber::float64)
        fail("the length of a list must be of an integer type");
      word = nextWord(rest);
    }
    result.type = number(word);
    result.name = nextWord(rest);
    if (result.name.empty()) fail("a property has no name");
    return result;
  }

  std::string_view text_;
  TextLines lines_;
  PlyHeader header_;
};

}  // namespace

std::size_t byteCount(PlyNumber type) {
  switch (type) {
    case PlyNumber::int8:
    case PlyNumber::uint8:
      return 1;
    case PlyNumber::int16:
    case PlyNumber::uint16:
      return 2;
    case PlyNumber::int32:
    case PlyNumber::uint32:
    case PlyNumber::float32:
      return 4;
    case PlyNumber::float64:
      break;
  }
  return 8;
}

PlyHeader readPlyHeader(std::string_view text) { return HeaderReader(text).read(); }

}  // namespace fitup::importers
