#include "obj_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <fitup/base/error.h>
#include <fitup/io/file_bytes.h>

#include "mtl_reader.h"
#include "text_words.h"

namespace fitup::importers {
namespace {

/// The lines without comments; a backslash at the end joins the next line.
class Lines {
 public:
  explicit Lines(std::string_view text) : lines_(text) {}

  bool next(std::string& line) {
    std::string_view piece;
    if (!lines_.next(piece)) return false;
    line = piece;
    if (trimmed(piece).starts_with('#')) {
      line.clear();
      return true;
    }
    while (line.ends_with('\\')) {
      line.back() = ' ';
      if (!lines_.next(piece)) break;
      line += piece;
    }
    return true;
  }
  [[nodiscard]] std::size_t number() const noexcept { return lines_.number(); }
  [[nodiscard]] double fraction() const noexcept { return lines_.fraction(); }

 private:
  TextLines lines_;
};

class ObjReader {
 public:
  ObjReader(std::string_view text, SourceFile& source, ProgressLines& progress)
      : lines_(text), progress_(progress), materials_(source, scene_.warnings) {
    objectName_ = source.name().stem().string();
  }

  RawScene read() {
    std::string line;
    while (lines_.next(line)) {
      std::string_view rest = line;
      const std::string_view word = nextWord(rest), name = nameIn(rest);
      rest = rest.substr(0, rest.find('#'));
      if (word == "v")
        readPoint(rest);
      else if (word == "f" || word == "fo")
        readFace(rest);
      else if (word == "o")
        startObject(name);
      else if (word == "g")
        group_ = name, surface_.reset();
      else if (word == "usemtl")
        material_ = name, surface_.reset();
      else if (word == "mtllib")
        materials_.addLibraries(name);
      else if (word == "p" || word == "l")
        ++pointsAndLines_;
      else if (word == "surf")
        ++freeFormSurfaces_;
      else if (!word.empty())
        passOver(word, rest);
      if (lines_.number() % 4096 == 0) progress_.report("reading", lines_.fraction());
    }
    cutFaces();
    colourSurfaces();
    tellCounts();
    return std::move(scene_);
  }

 private:
  /// Corners are indices into the file's points, which may follow the face.
  struct PolygonFace {
    std::uint32_t part, surface, source;
    std::size_t line, firstCorner, cornerCount;
  };

  /// Skips an unsupported statement. Reports each word once if it stands for a surface or is unknown.
  void passOver(std::string_view word, std::string_view rest) {
    constexpr std::array<std::string_view, 23> harmless{
        "vn",   "vt",   "vp",    "s",    "maplib",   "usemap",   "cstype", "deg",
        "bmat", "step", "parm",  "trim", "hole",     "scrv",     "sp",     "end",
        "con",  "mg",   "bevel", "lod",  "c_interp", "d_interp", "curv"};
    constexpr std::size_t listed = 10;
    // Some writers, such as that of FCL's test files, begin with the counts.
    const bool isCount =
        points_.empty() &&
        (std::string(word) += rest).find_first_not_of("0123456789 \t\r") == std::string::npos;
    if (isCount || std::find(harmless.begin(), harmless.end(), word) != harmless.end() ||
        told_.size() >= listed || !told_.emplace(word).second)
      return;
    scene_.warnings.push_back({"line " + std::to_string(lines_.number()),
                               "lines that begin with '" + validUtf8(word.substr(0, 40)) +
                                   "' are not supported; geometry may be missing",
                               true});
  }

  /// Called at the end, because libraries may follow the faces.
  void colourSurfaces() {
    for (std::size_t part = 0; part < scene_.parts.size(); ++part)
      for (const std::string& material : materialsOf_[part])
        scene_.parts[part].colours.push_back(materials_.colourOf(material));
  }

  void tellCounts() {
    if (pointsAndLines_ > 0)
      scene_.warnings.push_back(
          {"file",
           std::to_string(pointsAndLines_) + " points and lines are left out because only faces are checked",
           false});
    if (freeFormSurfaces_ > 0)
      scene_.warnings.push_back(
          {"file",
           std::to_string(freeFormSurfaces_) + " free-form surfaces are not supported; they are missing",
           true});
  }

  [[noreturn]] void fail(std::size_t line, const std::string& problem) const {
    throw InputError("line " + std::to_string(line), "", problem);
  }

  double number(std::string_view word) const {
    if (word.empty()) fail(lines_.number(), "a point needs three coordinates");
    const std::optional<double> value = numberOf(word);
    if (!value) fail(lines_.number(), "'" + validUtf8(word) + "' is not a number");
    if (!std::isfinite(*value)) fail(lines_.number(), "a coordinate is not finite");
    return *value;
  }

  void readPoint(std::string_view rest) {
    Vec3 p;
    for (int i = 0; i < 3; ++i) p[i] = number(nextWord(rest));
    points_.push_back(p);
  }

  std::int64_t corner(std::string_view word) const {
    word = word.substr(0, word.find('/'));
    std::int64_t index = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), index);
    if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size() || index == 0)
      fail(lines_.number(), "'" + validUtf8(word) + "' is not an index (they count from 1)");
    if (index > 0) return index - 1;
    if (index < -static_cast<std::int64_t>(points_.size()))
      fail(lines_.number(),
           "index " + std::to_string(index) + " of " + std::to_string(points_.size()) + " points");
    return static_cast<std::int64_t>(points_.size()) + index;
  }

  void readFace(std::string_view rest) {
    const std::size_t first = corners_.size();
    for (std::string_view word = nextWord(rest); !word.empty(); word = nextWord(rest))
      corners_.push_back(corner(word));
    if (corners_.size() - first < 3) fail(lines_.number(), "a face needs at least three corners");
    if (scene_.parts.empty() || objectIsNew_) {
      scene_.parts.emplace_back().name = validUtf8(objectName_);
      materialsOf_.emplace_back();
      objectIsNew_ = false;
      surfaceOf_.clear();
      surface_.reset();
    }
    if (!surface_) surface_ = surfaceFor(scene_.parts.back());
    faces_.push_back({static_cast<std::uint32_t>(scene_.parts.size() - 1), *surface_,
                      static_cast<std::uint32_t>(faces_.size()), lines_.number(), first,
                      corners_.size() - first});
  }

  void startObject(std::string_view name) {
    objectName_ = name.empty() ? "unnamed" : std::string(name);
    objectIsNew_ = true;
  }

  std::uint32_t surfaceFor(RawPart& part) {
    const auto [found, isNew] =
        surfaceOf_.emplace(std::pair(group_, material_), static_cast<std::uint32_t>(part.surfaces.size()));
    if (isNew) materialsOf_.back().push_back(material_);
    if (isNew)
      part.surfaces.push_back(validUtf8(group_.empty()      ? material_
                                        : material_.empty() ? group_
                                                            : group_ + " / " + material_));
    return found->second;
  }

  void cutFaces() {
    std::vector<std::map<std::int64_t, std::uint32_t>> renamed(scene_.parts.size());
    std::vector<std::uint32_t> local;
    for (const PolygonFace& face : faces_) {
      RawPart& part = scene_.parts[face.part];
      local.clear();
      for (std::size_t i = face.firstCorner; i < face.firstCorner + face.cornerCount; ++i) {
        const std::int64_t at = corners_[i];
        if (at >= static_cast<std::int64_t>(points_.size()))
          fail(face.line,
               "index " + std::to_string(at + 1) + " of " + std::to_string(points_.size()) + " points");
        const Vec3& p = points_[static_cast<std::size_t>(at)];
        const auto [found, isNew] =
            renamed[face.part].emplace(at, static_cast<std::uint32_t>(part.points.size()));
        if (isNew) part.points.push_back(p);
        local.push_back(found->second);
      }
      addPolygon(part, local, face.source, face.surface);
    }
  }

  Lines lines_;
  RawScene scene_;
  ProgressLines& progress_;
  MaterialColours materials_;
  std::vector<std::vector<std::string>> materialsOf_;  ///< by part and surface
  std::set<std::string, std::less<>> told_;
  std::vector<Vec3> points_;
  std::vector<std::int64_t> corners_;
  std::vector<PolygonFace> faces_;
  std::string objectName_, group_, material_;
  bool objectIsNew_ = true;
  std::size_t pointsAndLines_ = 0, freeFormSurfaces_ = 0;
  std::map<std::pair<std::string, std::string>, std::uint32_t> surfaceOf_;
  std::optional<std::uint32_t> surface_;
};

}  // namespace

RawScene readObj(SourceFile& source, ProgressLines& progress) {
  const auto contents = FileBytes::map(source.bytes());
  if (contents->bytes().empty()) throw InputError("the file is empty");
  const std::string_view text = withoutByteOrderMark(contents->text());
  if (text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE") ||
      text.substr(0, 4096).find('\0') != text.npos)
    throw InputError("not an OBJ file in ASCII or UTF-8");
  return ObjReader(text, source, progress).read();
}

}  // namespace fitup::importers
