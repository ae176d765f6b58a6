#include "text_encoding.h"

#include <iconv.h>

#include <array>
#include <cerrno>
#include <memory>
#include <utility>

#include <fitup/base/error.h>

namespace fitup::importers {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// The C library's names of the encodings. Microsoft's variants are used where they differ from the standard
/// by a few characters, because CAD systems on Windows write the files.
constexpr std::array<std::pair<std::string_view, const char*>, 7> libraryNames{{
    {"utf-8", "UTF-8"},
    {"gbk", "GB18030"},
    {"shift-jis", "CP932"},
    {"big5", "CP950"},
    {"euc-jp", "EUC-JP-MS"},
    {"latin-1", "ISO-8859-1"},
    {"windows-1252", "CP1252"},
}};

class Converter {
 public:
  explicit Converter(std::string_view encoding) : handle_(open(encoding)) {}
  ~Converter() { ::iconv_close(handle_); }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  ConvertedText convert(std::string_view text) {
    ConvertedText result;
    result.text.reserve(text.size() + text.size() / 2);
    char* in = const_cast<char*>(text.data());  // iconv only reads it
    std::size_t left = text.size();
    std::array<char, 4096> buffer;
    while (left > 0) {
      char* out = buffer.data();
      std::size_t room = buffer.size();
      const std::size_t done = ::iconv(handle_, &in, &left, &out, &room);
      result.text.append(buffer.data(), buffer.size() - room);
      if (done != static_cast<std::size_t>(-1) || errno == E2BIG) continue;
      ++in;
      --left;
      ++result.lostCharacters;
      result.text += replacement;
    }
    return result;
  }

 private:
  static iconv_t open(std::string_view encoding) {
    for (const auto& [name, library] : libraryNames)
      if (name == encoding)
        if (const iconv_t handle = ::iconv_open("UTF-8", library); handle != iconv_t(-1)) return handle;
    throw InputError("the system cannot convert names from " + std::string(encoding));
  }

  iconv_t handle_;
};

unsigned byteAt(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}
bool isBetween(unsigned byte, unsigned first, unsigned last) { return byte >= first && byte <= last; }

/// The number of characters beyond ASCII, read in some encoding, and how many of them are common.
struct Tally {
  std::size_t all = 0, common = 0;
  bool isPossible = true;
  [[nodiscard]] double commonShare() const {
    return isPossible && all > 0 ? static_cast<double>(common) / static_cast<double>(all) : 0;
  }
};

/// Common characters: the symbols and the 3,755 characters of GB 2312's first level.
Tally asGbk(std::string_view text) {
  Tally tally;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned lead = byteAt(text, i), trail = byteAt(text, i + 1);
    if (lead < 0x80) continue;
    ++tally.all;
    if (!isBetween(lead, 0x81, 0xfe) || !isBetween(trail, 0x40, 0xfe) || trail == 0x7f) {
      tally.isPossible = false;
      return tally;
    }
    tally.common += trail >= 0xa1 && (isBetween(lead, 0xb0, 0xd7) || isBetween(lead, 0xa1, 0xa3)) ? 1 : 0;
    ++i;
  }
  return tally;
}

/// Common characters: symbols, kana and the 2,965 characters of JIS X 0208's first level; without the narrow
/// katakana, which resemble bytes of other encodings.
Tally asShiftJis(std::string_view text) {
  Tally tally;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned lead = byteAt(text, i), trail = byteAt(text, i + 1);
    if (lead < 0x80) continue;
    ++tally.all;
    if (isBetween(lead, 0xa1, 0xdf)) continue;
    if (!(isBetween(lead, 0x81, 0x9f) || isBetween(lead, 0xe0, 0xfc)) || !isBetween(trail, 0x40, 0xfc) ||
        trail == 0x7f) {
      tally.isPossible = false;
      return tally;
    }
    tally.common += isBetween(lead, 0x81, 0x83) || isBetween(lead, 0x88, 0x97) ? 1 : 0;
    ++i;
  }
  return tally;
}

/// Common characters: letters that stand alone among ASCII, as accented ones do, and signs such as those of
/// degrees and diameters.
Tally asWindows1252(std::string_view text) {
  Tally tally;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned byte = byteAt(text, i);
    if (byte < 0x80) continue;
    ++tally.all;
    const bool isAlone = (i == 0 || byteAt(text, i - 1) < 0x80) && byteAt(text, i + 1) < 0x80;
    tally.common += isAlone && byte >= 0xa0 ? 1 : 0;
  }
  return tally;
}

}  // namespace

ConvertedText toUtf8(std::string_view text, std::string_view encoding) {
  return Converter(encoding).convert(text);
}

std::string_view guessEncoding(std::string_view text) {
  constexpr double most = 0.6;
  std::pair<double, std::string_view> best{most, {}};
  for (const auto& [tally, encoding] :
       {std::pair<Tally, std::string_view>{asWindows1252(text), "windows-1252"},
        {asGbk(text), "gbk"},
        {asShiftJis(text), "shift-jis"}})
    if (tally.commonShare() > best.first) best = {tally.commonShare(), encoding};
  return best.second;
}

}  // namespace fitup::importers
