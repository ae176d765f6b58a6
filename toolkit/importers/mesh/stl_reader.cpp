#include "stl_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

#include <fitup/base/error.h>
#include <fitup/io/file_bytes.h>

#include "text_words.h"

namespace fitup::importers {
namespace {

constexpr std::size_t binaryHeader = 84, binaryFacet = 50, facetsBetweenReports = 8192;

bool isLineEnd(char c) { return c == '\n' || c == '\r'; }
bool endsWord(char c) { return isSpace(c) || isLineEnd(c); }

bool equalsIgnoringCase(std::string_view word, std::string_view lower) {
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? char(a + 32) : a) == b; });
}

/// The words of a text, and its line numbers from 1.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  /// Returns the next word; empty at the end.
  std::string_view next() {
    const std::string_view word = peek();
    rest_.remove_prefix(word.size());
    return word;
  }
  std::string_view peek() {
    while (!rest_.empty() && endsWord(rest_.front())) {
      // LF, CR LF and CR alone end a line.
      line_ += rest_.front() == '\n' || (rest_.front() == '\r' && !rest_.substr(1).starts_with('\n'));
      rest_.remove_prefix(1);
    }
    return rest_.substr(
        0, static_cast<std::size_t>(std::find_if(rest_.begin(), rest_.end(), endsWord) - rest_.begin()));
  }
  /// Returns the rest of the line, without spaces around it.
  std::string_view restOfLine() {
    const auto end = std::find_if(rest_.begin(), rest_.end(), isLineEnd);
    const std::string_view line = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(line.size());
    return trimmed(line);
  }
  [[nodiscard]] std::size_t line() const noexcept { return line_; }
  [[nodiscard]] std::size_t left() const noexcept { return rest_.size(); }

 private:
  std::string_view rest_;
  std::size_t line_ = 1;
};

class TextReader {
 public:
  TextReader(std::string_view text, std::string fallbackName, std::vector<ImportWarning>& warnings,
             ProgressLines& progress)
      : words_(text),
        size_(text.size()),
        fallbackName_(std::move(fallbackName)),
        warnings_(warnings),
        progress_(progress) {}

  std::vector<RawPart> read() {
    bool open = false;
    while (!words_.peek().empty()) {
      if (is("solid")) {
        if (open) warn("a solid begins where endsolid is expected");
        words_.next();
        const std::string_view name = words_.restOfLine();
        parts_.emplace_back().name = name.empty() ? fallbackName_ : validUtf8(name);
        open = true;
      } else if (is("facet")) {
        if (!open) warn("a facet is outside any solid");
        if (!open) parts_.emplace_back().name = fallbackName_;
        open = true;
        readFacet(parts_.back());
      } else if (is("endsolid")) {
        if (!open) warn("endsolid is outside any solid");
        words_.next();
        words_.restOfLine();
        open = false;
      } else {
        warn("'" + validUtf8(words_.peek().substr(0, 40)) + "' where facet, endsolid or solid is expected");
        words_.restOfLine();
      }
    }
    if (open) warn("the file is cut off: endsolid is missing at its end");
    std::erase_if(parts_, [](const RawPart& part) { return part.triangles.empty(); });
    return std::move(parts_);
  }

 private:
  bool is(std::string_view lower) { return equalsIgnoringCase(words_.peek(), lower); }

  /// A normal may contain any words except these: a keyword there means that a line is missing.
  bool isKeyword() {
    constexpr std::array<std::string_view, 8> keywords{"solid",  "facet",   "outer",    "loop",
                                                       "vertex", "endloop", "endfacet", "endsolid"};
    return std::any_of(keywords.begin(), keywords.end(), [&](std::string_view word) { return is(word); });
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError("line " + std::to_string(words_.line()), "", problem);
  }
  void expect(std::string_view lower) {
    if (!is(lower))
      fail((words_.peek().empty() ? "the file ends" : "'" + validUtf8(words_.peek().substr(0, 40)) + "'") +
           " where '" + std::string(lower) + "' is expected");
    words_.next();
  }
  /// Adds a warning. Their number is limited, because a text that is not STL has one for each line.
  void warn(const std::string& problem) {
    if (++warned_ > listedWarnings) return;
    warnings_.push_back({"line " + std::to_string(words_.line()), problem + "; facets may be missing", true});
  }

  double number() {
    const std::string_view word = words_.next();
    if (word.empty()) fail("the file ends where a coordinate is expected");
    const std::optional<double> value = numberOf(word);
    if (!value) fail("'" + validUtf8(word.substr(0, 40)) + "' is not a number");
    if (!std::isfinite(*value)) fail("a coordinate is not finite");
    return *value;
  }

  void readFacet(RawPart& part) {
    expect("facet");
    if (is("normal")) {  // not used, and often not a number
      words_.next();
      for (int i = 0; i < 3 && !isKeyword(); ++i) words_.next();
    }
    expect("outer");
    expect("loop");
    const auto first = static_cast<std::uint32_t>(part.points.size());
    for (int corner = 0; corner < 3; ++corner) {
      expect("vertex");
      const double x = number(), y = number(), z = number();
      part.points.push_back({x, y, z});
    }
    expect("endloop");
    expect("endfacet");
    part.triangles.push_back({{first, first + 1, first + 2}, source_++, 0});
    if (source_ % facetsBetweenReports == 0)
      progress_.report("reading", 1 - static_cast<double>(words_.left()) / static_cast<double>(size_));
  }

  static constexpr std::size_t listedWarnings = 10;
  Words words_;
  std::size_t size_;
  std::string fallbackName_;
  std::vector<ImportWarning>& warnings_;
  ProgressLines& progress_;
  std::vector<RawPart> parts_;
  std::uint32_t source_ = 0;
  std::size_t warned_ = 0;
};

RawPart readBinary(std::span<const std::byte> bytes, std::uint32_t count, std::string name,
                   ProgressLines& progress) {
  RawPart part;
  part.name = std::move(name);
  part.points.reserve(std::size_t{3} * count);
  part.triangles.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::array<float, 9> c{};  // after the normal
    std::memcpy(c.data(), bytes.data() + binaryHeader + binaryFacet * i + 3 * sizeof(float), sizeof c);
    for (std::size_t k = 0; k < c.size(); k += 3) part.points.push_back({c[k], c[k + 1], c[k + 2]});
    part.triangles.push_back({{3 * i, 3 * i + 1, 3 * i + 2}, i, 0});
    if (i % facetsBetweenReports == 0)
      progress.report("reading", static_cast<double>(i) / static_cast<double>(count));
  }
  return part;
}

}  // namespace

std::vector<RawPart> readStl(const std::filesystem::path& file, std::vector<ImportWarning>& warnings,
                             ProgressLines& progress) {
  const auto contents = FileBytes::map(file);
  const auto bytes = contents->bytes();
  if (bytes.empty()) throw InputError("the file is empty");
  progress.report("reading", 0);
  const std::string name = validUtf8(file.stem().string());
  std::uint32_t announced = 0;
  if (bytes.size() >= binaryHeader)
    std::memcpy(&announced, bytes.data() + binaryHeader - sizeof announced, sizeof announced);
  const std::size_t binarySize = binaryHeader + binaryFacet * std::size_t{announced};

  const auto noStl = [&] {
    return InputError("neither ASCII STL nor binary STL: it declares " + std::to_string(announced) +
                      " facets, which take " + std::to_string(binarySize) + " bytes, but has " +
                      std::to_string(bytes.size()));
  };
  std::vector<RawPart> parts;
  if (bytes.size() >= binaryHeader &&
      bytes.size() == binarySize) {  // the size of a text file never matches by chance
    if (announced > 0) parts.push_back(readBinary(bytes, announced, name, progress));
  } else {
    const std::string_view text = withoutByteOrderMark(contents->text());
    if (!equalsIgnoringCase(Words(text).peek(), "solid")) throw noStl();
    parts = TextReader(text, name, warnings, progress).read();
    // Headers of binary files may also begin like this, but only binary files contain bytes of 0.
    if (parts.empty() && text.find('\0') != std::string_view::npos) throw noStl();
  }
  const StillWorking sign(progress, "joining corners");
  for (RawPart& part : parts) weld(part);
  return parts;
}

}  // namespace fitup::importers
