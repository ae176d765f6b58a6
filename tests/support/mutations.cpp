#include "mutations.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace fitup::test {
namespace {

constexpr std::size_t largestGrowth = std::size_t{1} << 16;

constexpr std::array<std::string_view, 24> hostileNumbers{
    "nan",         "-nan", "inf",     "-inf", "1e308", "-1e308",     "1e400",      "1e-320",
    "0",           "-0",   "-1",      "0.0",  "1e30",  "2147483648", "4294967295", "4294967296",
    "99999999999", "1e9",  "0x1p900", "",     "1e",    "--1",        "1,5",        "18446744073709551615"};

constexpr std::array<std::uint64_t, 14> hostileBits{0,
                                                    1,
                                                    0x7f,
                                                    0xff,
                                                    0x7fff,
                                                    0xffff,
                                                    0x7fffffff,
                                                    0x80000000,
                                                    0xffffffff,
                                                    0x7fc00000 /* NaN */,
                                                    0x7f800000 /* infinity */,
                                                    0x7ff8000000000000 /* NaN */,
                                                    0x7ff0000000000000 /* infinity */,
                                                    ~std::uint64_t{0}};

constexpr std::array<std::string_view, 10> openings{"[", "(", "{\"a\":", "((", "[[",
                                                    "{", "<", "\"",      "'",  "/*"};

bool isNumberPart(char c) {
  return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordPart(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '#';
}

/// Returns [begin, end) of the range around or after `at` in which `part` holds; empty if there is none.
template <typename Part>
std::pair<std::size_t, std::size_t> runAt(const std::string& bytes, std::size_t at, Part part) {
  while (at < bytes.size() && !part(bytes[at])) ++at;
  std::size_t begin = at, end = at;
  while (begin > 0 && part(bytes[begin - 1])) --begin;
  while (end < bytes.size() && part(bytes[end])) ++end;
  return {begin, end};
}

}  // namespace

std::string Mutator::operator()(std::string bytes) {
  for (std::size_t n = 1 + below(4); n > 0; --n) change(bytes);
  return bytes;
}

void Mutator::change(std::string& bytes) {
  switch (below(8)) {
    case 0:
      return changeBytes(bytes);
    case 1:
      return changeRange(bytes);
    case 2:
    case 3:
      return changeTextNumber(bytes);
    case 4:
      return changeBinaryNumber(bytes);
    case 5:
      return changeLines(bytes);
    case 6:
      return changeWord(bytes);
    default:
      return below(4) == 0 ? nest(bytes) : changeBytes(bytes);
  }
}

void Mutator::changeBytes(std::string& bytes) {
  if (bytes.empty()) return;
  for (std::size_t n = 1 + below(4); n > 0; --n) {
    char& byte = bytes[below(bytes.size())];
    byte = static_cast<char>(below(2) == 0 ? byte ^ (1 << below(8)) : static_cast<int>(below(256)));
  }
}

void Mutator::changeRange(std::string& bytes) {
  const std::size_t begin = below(bytes.size() + 1);
  const std::size_t size =
      below(std::min<std::size_t>(bytes.size() - begin, below(4) == 0 ? largestGrowth : 64) + 1);
  switch (below(5)) {
    case 0:
      bytes.erase(begin, size);
      break;
    case 1:
      bytes.insert(below(bytes.size() + 1), bytes.substr(begin, size));
      break;
    case 2:
      bytes.resize(begin);
      break;
    case 3:
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                   bytes.begin() + static_cast<std::ptrdiff_t>(begin + size));
      break;
    default: {
      std::string foreign(1 + below(32), '\0');
      for (char& c : foreign) c = static_cast<char>(below(256));
      bytes.insert(begin, foreign);
    }
  }
}

void Mutator::changeTextNumber(std::string& bytes) {
  auto [begin, end] = runAt(bytes, below(bytes.size() + 1), isDigit);
  while (begin > 0 && isNumberPart(bytes[begin - 1])) --begin;
  while (end < bytes.size() && isNumberPart(bytes[end])) ++end;
  if (begin < end) bytes.replace(begin, end - begin, hostileNumbers[below(hostileNumbers.size())]);
}

void Mutator::changeBinaryNumber(std::string& bytes) {
  const std::size_t width = std::size_t{1} << below(4);
  if (bytes.size() < width) return;
  // In most files, headers and directories come first, and counts are at multiples of their width.
  const std::size_t places = bytes.size() / width;
  const std::size_t at = width * below(below(3) == 0 ? std::min<std::size_t>(places, 64) : places);
  const std::uint64_t value =
      below(4) == 0 ? bytes.size() + below(3) : hostileBits[below(hostileBits.size())];
  std::memcpy(bytes.data() + at, &value, width);
}

void Mutator::changeLines(std::string& bytes) {
  const auto notEnd = [](char c) { return c != '\n'; };
  const auto [begin, end] = runAt(bytes, below(bytes.size() + 1), notEnd);
  const std::string line = bytes.substr(begin, end - begin + 1);
  const auto [otherBegin, otherEnd] = runAt(bytes, below(bytes.size() + 1), notEnd);
  switch (below(3)) {
    case 0:
      bytes.erase(begin, line.size());
      break;
    case 1:
      bytes.insert(otherBegin, line);
      break;
    default:
      bytes.replace(otherBegin, otherEnd - otherBegin + 1, line);
  }
}

void Mutator::changeWord(std::string& bytes) {
  const auto [begin, end] = runAt(bytes, below(bytes.size() + 1), isWordPart);
  const auto [otherBegin, otherEnd] = runAt(bytes, below(bytes.size() + 1), isWordPart);
  const std::string other = bytes.substr(otherBegin, otherEnd - otherBegin);
  bytes.replace(begin, end - begin, below(4) == 0 ? std::string() : other);
}

void Mutator::nest(std::string& bytes) {
  const std::string_view opening = openings[below(openings.size())];
  std::string nested;
  for (std::size_t n = below(2) == 0 ? 20000 : 200; n > 0; --n) nested += opening;
  bytes.insert(below(bytes.size() + 1), nested);
}

}  // namespace fitup::test
