#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "unread.h"

namespace fitup::importers {
namespace {

/// The tags of an XML file that its reader has found to be well-formed, or has refused.
class Collada {
 public:
  Collada(std::string_view text, UnreadLog& log) : text_(text), log_(log) {}

  void read() {
    while ((at_ = text_.find('<', at_)) != std::string_view::npos) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("<!--")) {
        if (!skipBehind("-->")) return;
      } else if (rest.starts_with("<![CDATA[")) {
        if (!skipBehind("]]>")) return;
      } else if (rest.starts_with("<?")) {
        if (!skipBehind("?>")) return;
      } else if (rest.starts_with("<!")) {
        // A document type may define entities, whose text is not examined here.
        say("has a document type");
        if (!skipBehind(">")) return;
      } else if (!readTag()) {
        return;
      }
    }
    if (!open_.empty()) say("is cut off within <" + std::string(open_.back()) + ">");
  }

 private:
  bool readTag() {
    const std::size_t nameAt = at_ + (text_.substr(at_).starts_with("</") ? 2 : 1);
    const std::size_t nameEnd = std::min(text_.find_first_of(" \t\r\n/>", nameAt), text_.size());
    std::string_view name = text_.substr(nameAt, nameEnd - nameAt);
    if (const std::size_t colon = name.find(':'); colon != std::string_view::npos)
      name.remove_prefix(colon + 1);
    const bool isEnd = nameAt == at_ + 2;
    // Quoted values may contain the character that ends a tag.
    char quote = 0;
    std::size_t end = nameEnd;
    for (; end < text_.size() && (quote != 0 || text_[end] != '>'); ++end) {
      if (quote != 0)
        quote = text_[end] == quote ? '\0' : quote;
      else if (text_[end] == '"' || text_[end] == '\'')
        quote = text_[end];
    }
    if (end == text_.size()) {
      say("is cut off within a tag");
      return false;
    }
    if (isEnd) {
      if (open_.empty() || open_.back() != name) {
        say("ends <" + std::string(name) + "> where it is not open");
        return false;
      }
      open_.pop_back();
    } else {
      look(name);
      if (text_[end - 1] != '/') open_.push_back(name);
    }
    at_ = end + 1;
    return true;
  }

  void look(std::string_view name) {
    const auto isIn = [&](std::string_view parent) { return !open_.empty() && open_.back() == parent; };
    constexpr std::array<std::string_view, 10> ofMesh{"source",    "vertices", "lines",     "linestrips",
                                                      "polygons",  "polylist", "triangles", "trifans",
                                                      "tristrips", "extra"};
    const bool isUnread =
        (isIn("geometry") && name != "mesh" && name != "asset" && name != "extra") ||
        (isIn("mesh") && std::find(ofMesh.begin(), ofMesh.end(), name) == ofMesh.end()) ||
        (isIn("polygons") && name == "ph") ||
        // Geometry that only another program's data describe.
        (isIn("library_geometries") && name != "geometry" && name != "asset" && name != "extra");
    if (isUnread) log_.add("<" + std::string(name) + ">", "not read by OpenSceneGraph", where());
  }

  bool skipBehind(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) {
      say("is cut off");
      return false;
    }
    at_ = found + end.size();
    return true;
  }

  [[nodiscard]] std::string where() const { return "byte " + std::to_string(at_); }
  void say(const std::string& problem) { log_.add("file", problem + "; parts may be missing", where()); }

  std::string_view text_;
  UnreadLog& log_;
  std::size_t at_ = 0;
  std::vector<std::string_view> open_;
};

}  // namespace

void noteUnreadCollada(std::string_view text, UnreadLog& log) {
  // For texts in UTF-16, the characters of tags are enough.
  const bool isLittle = text.starts_with("\xff\xfe"), isBig = text.starts_with("\xfe\xff");
  std::string narrow;
  if (isLittle || isBig) {
    narrow.reserve(text.size() / 2);
    for (std::size_t i = 2; i + 1 < text.size(); i += 2)
      narrow += text[isLittle ? i + 1 : i] == 0 ? text[isLittle ? i : i + 1] : '?';
    text = narrow;
  }
  Collada(text, log).read();
}

}  // namespace fitup::importers
