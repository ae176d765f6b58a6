#include <cstdint>
#include <set>
#include <string>

#include "unread.h"

// An IFF file consists of chunks. A chunk is four letters, a length of four bytes in big-endian order, and
// that number of bytes, padded to an even number. The file is one chunk FORM, which holds its kind and
// further chunks.
namespace fitup::importers {
namespace {

class LightWave {
 public:
  LightWave(std::string_view bytes, UnreadLog& log) : bytes_(bytes), log_(log) {}

  void read() {
    if (bytes_.size() < 12 || !bytes_.starts_with("FORM")) return say("is not a LightWave object");
    const std::size_t size = number(4);
    const std::string_view kind = bytes_.substr(8, 4);
    if (kind != "LWO2" && kind != "LWOB")
      return say("is of a kind that OpenSceneGraph does not read (" + std::string(kind) + ")");
    if (size > bytes_.size() - 8) return say("is cut off");
    if (size + 8 + size % 2 < bytes_.size()) say("continues after its end");
    bytes_ = bytes_.substr(0, size + 8);
    for (at_ = 12; at_ < bytes_.size();) {
      if (bytes_.size() - at_ < 8) return say("is cut off within a chunk");
      const std::string_view name = bytes_.substr(at_, 4);
      const std::size_t length = number(at_ + 4);
      if (length > bytes_.size() - at_ - 8) return say("is cut off within a chunk");
      look(name, bytes_.substr(at_ + 8, length));
      at_ += 8 + length + length % 2;
    }
  }

 private:
  void look(std::string_view name, std::string_view data) {
    const auto unread = [&](const std::string& what) {
      log_.add(what, "not read by OpenSceneGraph, or not read as what it is", where());
    };
    if (name == "PNTS") hasPoints_ = true;
    if (name == "PCHS") unread("patches (PCHS)");
    if (name == "LAYR" && data.size() >= 2 && !layers_.insert(std::string(data.substr(0, 2))).second)
      unread("a second layer of the same number");
    if (name == "POLS") {
      if (!hasPoints_) unread("polygons without points");
      if (kindIsFirst() && !data.starts_with("FACE"))
        unread("polygons of the kind " + std::string(data.substr(0, 4)));
    }
  }
  /// From LWO2 on, polygons begin with their kind.
  [[nodiscard]] bool kindIsFirst() const { return bytes_.substr(8, 4) == "LWO2"; }

  [[nodiscard]] std::size_t number(std::size_t at) const {
    std::size_t value = 0;
    for (std::size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes_[i]);
    return value;
  }
  [[nodiscard]] std::string where() const { return "byte " + std::to_string(at_); }
  void say(const std::string& problem) { log_.add("file", problem + "; parts may be missing", where()); }

  std::string_view bytes_;
  UnreadLog& log_;
  std::size_t at_ = 0;
  bool hasPoints_ = false;
  std::set<std::string> layers_;
};

}  // namespace

void noteUnreadLightWave(std::string_view bytes, UnreadLog& log) { LightWave(bytes, log).read(); }

}  // namespace fitup::importers
