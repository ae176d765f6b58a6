#include "off_reader.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include <fitup/base/error.h>
#include <fitup/io/file_bytes.h>

#include "text_words.h"

namespace fitup::importers {
namespace {

class OffReader {
 public:
  OffReader(std::string_view text, ProgressLines& progress) : lines_(text), progress_(progress) {}

  RawScene read(const std::string& name) {
    RawPart& part = scene_.parts.emplace_back();
    part.name = name;
    readHeader();
    for (std::uint64_t i = 0; i < points_; ++i) part.points.push_back(point(i));
    std::vector<std::uint32_t> corners;
    std::uint64_t pointsAndLines = 0;
    for (std::uint64_t i = 0; i < faces_; ++i) {
      readFace(i, corners);
      if (corners.size() < 3)
        ++pointsAndLines;
      else
        addPolygon(part, corners, static_cast<std::uint32_t>(i), 0);
    }
    if (pointsAndLines > 0)
      scene_.warnings.push_back(
          {"file",
           std::to_string(pointsAndLines) +
               " faces of fewer than three corners are left out because they have no area",
           false});
    std::size_t more = 0;
    while (nextLine()) ++more;
    if (more > 0)
      scene_.warnings.push_back({"file",
                                 "holds " + std::to_string(more) + " more lines than the " +
                                     std::to_string(faces_) +
                                     " faces that it declares; geometry may be missing",
                                 true});
    if (part.triangles.empty()) scene_.parts.clear();
    return std::move(scene_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError("line " + std::to_string(lines_.number()), "", problem);
  }

  /// Returns the next line that has more than a comment.
  bool nextLine() {
    while (lines_.next(line_)) {
      line_ = trimmed(line_.substr(0, line_.find('#')));
      if (!line_.empty()) return true;
    }
    return false;
  }

  std::string_view lineOf(const char* what, std::uint64_t i, std::uint64_t announced) {
    if (!nextLine())
      throw InputError("the file is cut off: " + std::to_string(i) + " of " + std::to_string(announced) +
                       " " + what + " are present");
    if (lines_.number() % 4096 == 0) progress_.report("reading", lines_.fraction());
    return line_;
  }

  std::uint64_t whole(std::string_view word, const char* what) const {
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || parsed.ec != std::errc() || parsed.ptr != word.data() + word.size())
      fail("'" + validUtf8(word) + "' is not " + what);
    return value;
  }

  void readHeader() {
    if (!nextLine()) throw InputError("the file is empty");
    std::string_view rest = line_;
    std::string_view word = nextWord(rest);
    // The word may be missing.
    if (word.ends_with("OFF")) {
      word.remove_suffix(3);
      if (word.find_first_of("4n") != std::string_view::npos)
        fail("points of four or n coordinates are not supported");
      if (word.find_first_not_of("STCN") != std::string_view::npos) fail("not an OFF file");
      if (rest.find("BINARY") != std::string_view::npos) fail("binary OFF is not supported");
      if (trimmed(rest).empty()) {
        if (!nextLine()) throw InputError("the file is cut off: its counts are missing");
        rest = line_;
      }
    } else if (word.find_first_not_of("0123456789") != std::string_view::npos) {
      fail("not an OFF file");
    } else {
      rest = line_;
    }
    points_ = whole(nextWord(rest), "a count of points");
    faces_ = whole(nextWord(rest), "a count of faces");
  }

  Vec3 point(std::uint64_t i) {
    std::string_view rest = lineOf("points", i, points_);
    Vec3 p;
    for (int k = 0; k < 3; ++k) {
      const std::string_view word = nextWord(rest);
      if (word.empty()) fail("a point needs three coordinates");
      const std::optional<double> value = numberOf(word);
      if (!value) fail("'" + validUtf8(word) + "' is not a number");
      if (!std::isfinite(*value)) fail("a coordinate is not finite");
      p[k] = *value;
    }
    return p;
  }

  void readFace(std::uint64_t i, std::vector<std::uint32_t>& corners) {
    std::string_view rest = lineOf("faces", i, faces_);
    const std::uint64_t count = whole(nextWord(rest), "a count of corners");
    corners.clear();
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::string_view word = nextWord(rest);
      if (word.empty())
        fail("the face declares " + std::to_string(count) + " corners and has " + std::to_string(k));
      const std::uint64_t index = whole(word, "an index");
      if (index >= points_)
        fail("index " + std::to_string(index) + " of " + std::to_string(points_) +
             " points (they count from 0)");
      corners.push_back(static_cast<std::uint32_t>(index));
    }
  }

  TextLines lines_;
  ProgressLines& progress_;
  RawScene scene_;
  std::string_view line_;
  std::uint64_t points_ = 0, faces_ = 0;
};

}  // namespace

RawScene readOff(const std::filesystem::path& file, ProgressLines& progress) {
  const auto contents = FileBytes::map(file);
  if (contents->bytes().empty()) throw InputError("the file is empty");
  const std::string_view text = withoutByteOrderMark(contents->text());
  return OffReader(text, progress).read(validUtf8(file.stem().string()));
}

}  // namespace fitup::importers
