#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>

#include "unread.h"
#include "words.h"

// A file consists of pairs of lines: a group code and its value. Code 0 begins an entity.
namespace fitup::importers {
namespace {

/// Whether OpenSceneGraph's plugin reads the entity.
bool isReadEntity(std::string_view kind) {
  constexpr std::array<std::string_view, 10> kinds{"3DFACE", "CIRCLE",   "ARC",        "POINT",  "LINE",
                                                   "VERTEX", "POLYLINE", "LWPOLYLINE", "INSERT", "TEXT"};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// Whether the entity draws lines or letters, or nothing.
bool isWithoutArea(std::string_view kind) {
  constexpr std::array<std::string_view, 40> kinds{"SEQEND",
                                                   "ENDBLK",
                                                   "ATTDEF",
                                                   "ATTRIB",
                                                   "MTEXT",
                                                   "DIMENSION",
                                                   "ELLIPSE",
                                                   "SPLINE",
                                                   "LEADER",
                                                   "MULTILEADER",
                                                   "MLEADER",
                                                   "TOLERANCE",
                                                   "RAY",
                                                   "XLINE",
                                                   "MLINE",
                                                   "VIEWPORT",
                                                   "SHAPE",
                                                   "HATCH",
                                                   "IMAGE",
                                                   "WIPEOUT",
                                                   "OLEFRAME",
                                                   "OLE2FRAME",
                                                   "ACAD_TABLE",
                                                   "HELIX",
                                                   "LIGHT",
                                                   "SUN",
                                                   "PDFUNDERLAY",
                                                   "DWFUNDERLAY",
                                                   "DGNUNDERLAY",
                                                   "RTEXT",
                                                   "ARCALIGNEDTEXT",
                                                   "ARC_DIMENSION",
                                                   "LARGE_RADIAL_DIMENSION",
                                                   "SECTIONOBJECT",
                                                   "GEOPOSITIONMARKER",
                                                   "CAMERA",
                                                   "MPOLYGON",
                                                   "BLOCK",
                                                   "ENDSEC",
                                                   "IMAGEDEF"};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

class Dxf {
 public:
  Dxf(std::string_view text, UnreadLog& log) : text_(text), log_(log) {}

  void read() {
    while (readPair()) {
      if (code_ != 0) {
        if (code_ == 2 && kind_ == "SECTION") {
          section_ = value_;
          kind_ = {};
        } else if (isDrawn()) {
          readProperty();
        }
        continue;
      }
      endEntity();
      kind_ = value_;
      if (kind_ == "EOF") return;
      if (kind_ == "SECTION" || kind_ == "ENDSEC") {
        section_ = {};
      } else if (isDrawn()) {
        beginEntity();
      }
    }
    endEntity();
    log_.add("file", "has no end (EOF): it is cut off, or a line is damaged; parts may be missing", where());
  }

 private:
  struct Entity {
    int flags = 0, surface = 0, columns = 1, rows = 1;
    bool hasThickness = false, hasFollowers = false, isBlockKnown = true;
  };

  [[nodiscard]] bool isDrawn() const { return section_ == "ENTITIES" || section_ == "BLOCKS"; }

  void beginEntity() {
    entity_ = {};
    if (kind_ == "BLOCK") blockName_.reset();
    if (kind_ == "ENDBLK" && blockName_) blocks_.insert(*blockName_);
    if (!isReadEntity(kind_) && !isWithoutArea(kind_))
      log_.add(std::string(kind_) + " entity", "not read by OpenSceneGraph", where());
  }

  void readProperty() {
    const auto whole = [&] { return Words::numberOf<int>(value_).value_or(0); };
    if (kind_ == "BLOCK" && code_ == 2 && !blockName_) blockName_ = value_;
    if (kind_ == "INSERT" && code_ == 2) entity_.isBlockKnown = blocks_.contains(value_);
    if (code_ == 39) entity_.hasThickness = Words::numberOf<double>(value_).value_or(1) != 0;
    if (code_ == 66) entity_.hasFollowers = whole() != 0;
    if (code_ == 70 && kind_ == "POLYLINE") entity_.flags = whole();
    if (code_ == 75 && kind_ == "POLYLINE") entity_.surface = whole();
    if (code_ == 70) entity_.columns = whole();
    if (code_ == 71) entity_.rows = whole();
  }

  void endEntity() {
    if (!isDrawn()) return;
    const auto say = [&](const std::string& problem) {
      log_.add(std::string(kind_) + " entity", problem, where());
    };
    if (kind_ == "INSERT") {
      if (!entity_.isBlockKnown) say("left out: its block is not defined before it");
      if (entity_.columns > 1 || entity_.rows > 1)
        say("its rows and columns are not supported: it is read once");
    } else if (kind_ == "POLYLINE" && (entity_.flags & (16 | 64)) != 0) {
      constexpr int mesh = 16, closedBothWays = 1 | 32, smooth = 4;
      if (!entity_.hasFollowers) say("left out: its vertices are not declared");
      if ((entity_.flags & mesh) != 0 && (entity_.flags & closedBothWays) == closedBothWays)
        say("a mesh closed in both directions is read without its last face");
      if ((entity_.flags & mesh) != 0 && (entity_.flags & smooth) != 0 && entity_.surface != 6)
        say("the smoothing of a mesh is not supported");
    } else if (entity_.hasThickness && (kind_ == "LINE" || kind_ == "CIRCLE" || kind_ == "ARC" ||
                                        kind_ == "POLYLINE" || kind_ == "LWPOLYLINE" || kind_ == "POINT")) {
      say("its thickness, which makes it a wall, is not supported");
    }
  }

  /// Returns false at the end, and for a code that is not a number.
  bool readPair() {
    const auto code = line();
    if (!code) return false;
    const auto number = Words::numberOf<int>(*code);
    const auto value = number ? line() : std::nullopt;
    if (!value) return false;
    code_ = *number;
    value_ = *value;
    return true;
  }

  /// Returns the next line without surrounding blanks.
  std::optional<std::string_view> line() {
    if (at_ >= text_.size()) return std::nullopt;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++lines_;
    constexpr std::string_view blanks = " \t\r";
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return std::string_view();
    return line.substr(begin, line.find_last_not_of(blanks) - begin + 1);
  }

  [[nodiscard]] std::string where() const { return "line " + std::to_string(lines_); }

  std::string_view text_;
  UnreadLog& log_;
  std::size_t at_ = 0, lines_ = 0;
  int code_ = 0;
  std::string_view value_, section_, kind_;
  Entity entity_;
  std::optional<std::string_view> blockName_;
  std::set<std::string_view> blocks_;
};

}  // namespace

void noteUnreadDxf(std::string_view text, UnreadLog& log) { Dxf(text, log).read(); }

}  // namespace fitup::importers
