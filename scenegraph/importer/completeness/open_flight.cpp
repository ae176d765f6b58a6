#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "unread.h"

// The format is the OpenFlight Scene Description Database Specification. A record begins with its kind and
// its length, two bytes each; all numbers are big-endian.
namespace fitup::importers {
namespace {

constexpr std::size_t headerSize = 4;

std::uint32_t bigEndianAt(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + size; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

enum Kind : std::uint32_t {
  pushLevel = 10,
  popLevel = 11,
  pushSubface = 19,
  popSubface = 20,
  continuation = 23,
  instanceReference = 61,
  instanceDefinition = 62,
  vertexPalette = 67,
  vertexList = 72,
};

/// Whether OpenSceneGraph's plugin reads the record, or the record does not affect the shape that is drawn.
bool isRead(std::uint32_t kind) {
  constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 15> ranges{{{1, 5},
                                                                            {7, 11},
                                                                            {14, 14},
                                                                            {19, 23},
                                                                            {31, 33},
                                                                            {40, 53},
                                                                            {60, 74},
                                                                            {76, 94},
                                                                            {96, 97},
                                                                            {100, 114},
                                                                            {117, 125},
                                                                            {127, 134},
                                                                            {91, 91},
                                                                            {95, 95},
                                                                            {116, 116}}};
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const auto& range) { return range.first <= kind && kind <= range.second; });
}

std::string nameOf(std::uint32_t kind) {
  constexpr std::array<std::pair<std::uint32_t, const char*>, 4> names{
      {{55, "binary separating plane"},
       {98, "clip region"},
       {115, "continuously adaptive terrain"},
       {126, "curve"}}};
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const auto& name) { return name.first == kind; });
  return "record of kind " + std::to_string(kind) +
         (found == names.end() ? "" : std::string(" (") + found->second + ")");
}

/// Reads one record after the other.
class OpenFlight {
 public:
  OpenFlight(std::string_view bytes, UnreadLog& log) : bytes_(bytes), log_(log) {}

  void read() {
    if (bytes_.size() < headerSize || bigEndianAt(bytes_, 0, 2) != 1)
      return say("does not begin with a header");
    bool hasLevels = false;
    while (at_ < bytes_.size()) {
      // An end of a level with its bytes reversed, which an old program wrote as the last one.
      constexpr std::uint32_t swappedPop = 0x0B00;
      if (bytes_.size() - at_ < headerSize) return say("is cut off within a record");
      const std::uint32_t kind = bigEndianAt(bytes_, at_, 2);
      const std::size_t size = kind == swappedPop ? headerSize : bigEndianAt(bytes_, at_ + 2, 2);
      if (size == 0 && isPadding()) break;
      if (size < headerSize) return say("holds a record without a length");
      if (size > bytes_.size() - at_) return say("is cut off within a record");
      const std::size_t begin = at_;
      at_ += size;
      if (kind == pushLevel) {
        hasLevels = true;
        ++levels_;
      } else if (kind == popLevel || kind == swappedPop) {
        if (levels_ == 0) return say("ends a level that was not begun");
        if (--levels_ == 0) {
          if (!isPadding()) say("continues after its last level");
          break;
        }
      } else if (kind == pushSubface) {
        ++subfaces_;
      } else if (kind == popSubface) {
        if (subfaces_ == 0) return say("ends a subface that was not begun");
        --subfaces_;
      } else if (!lookInto(kind, begin, size)) {
        return;
      }
    }
    if (levels_ + subfaces_ > 0 || !hasLevels) say("is cut off: a level is not ended");
  }

 private:
  /// Returns false if it is unknown what follows.
  bool lookInto(std::uint32_t kind, std::size_t begin, std::size_t size) {
    const auto number = [&](std::size_t at, std::size_t bytes) {
      return at + bytes <= size ? bigEndianAt(bytes_, begin + at, bytes) : 0;
    };
    if (kind == vertexPalette) return readPalette(begin, number(4, 4));
    if (kind == instanceDefinition) {
      definitions_.insert(number(6, 2));
    } else if (kind == instanceReference) {
      if (!definitions_.contains(number(6, 2)))
        log_.add("instance", "left out: it is not defined before it", where(begin));
    } else if (kind == vertexList) {
      for (std::size_t at = headerSize; at + 4 <= size; at += 4)
        if (!std::binary_search(vertices_.begin(), vertices_.end(), number(at, 4)))
          log_.add("face", "a corner is not a vertex of the palette", where(begin));
    } else if (!isRead(kind)) {
      log_.add(nameOf(kind), "not read by OpenSceneGraph; its contents are missing or in the wrong place",
               where(begin));
    }
    return true;
  }

  /// Its length includes the records of vertices.
  bool readPalette(std::size_t begin, std::size_t length) {
    const std::size_t end = begin + length;
    if (length < 2 * headerSize || length > bytes_.size() - begin) {
      say("is cut off within its vertices");
      return false;
    }
    vertices_.clear();
    for (at_ = begin + 2 * headerSize; at_ < end;) {
      const std::size_t size = end - at_ < headerSize ? 0 : bigEndianAt(bytes_, at_ + 2, 2);
      if (size < headerSize || size > end - at_) {
        say("holds a damaged palette of vertices");
        at_ = end;
        break;
      }
      vertices_.push_back(static_cast<std::uint32_t>(at_ - begin));
      at_ += size;
    }
    return true;
  }

  [[nodiscard]] bool isPadding() const {
    return bytes_.find_first_not_of('\0', at_) == std::string_view::npos;
  }
  [[nodiscard]] static std::string where(std::size_t at) { return "byte " + std::to_string(at); }
  void say(const std::string& problem) { log_.add("file", problem + "; parts may be missing", where(at_)); }

  std::string_view bytes_;
  UnreadLog& log_;
  std::size_t at_ = 0, levels_ = 0, subfaces_ = 0;
  std::set<std::uint32_t> definitions_;
  std::vector<std::uint32_t> vertices_;  ///< their places in the palette
};

}  // namespace

void noteUnreadOpenFlight(std::string_view bytes, UnreadLog& log) { OpenFlight(bytes, log).read(); }

}  // namespace fitup::importers
