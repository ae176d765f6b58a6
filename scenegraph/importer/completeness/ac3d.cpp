#include <string>
#include <vector>

#include "unread.h"
#include "words.h"

namespace fitup::importers {
namespace {

/// Reads word by word, like OpenSceneGraph's plugin, which returns what it has read at the first error.
class Ac3d {
 public:
  Ac3d(std::string_view text, UnreadLog& log) : words_(text), log_(log) {}

  void read() {
    if (!words_.next().starts_with("AC3D")) return say("does not begin with AC3D");
    std::vector<std::size_t> kids{1};  // left, for each open object
    std::size_t points = 0;
    bool isOpen = false;
    while (!kids.empty()) {
      if (kids.back() == 0) {
        kids.pop_back();
        continue;
      }
      const std::string_view word = words_.next();
      if (word.empty()) return say("is cut off: an object is missing");
      if (word == "MATERIAL") {
        ++materials_;
        skipName();
      } else if (word == "OBJECT") {
        if (isOpen) return say("has an object without kids");
        isOpen = true;
        points = 0;
        words_.next();
      } else if (word == "name" || word == "texture") {
        skipName();
      } else if (word == "data") {
        words_.skip(words_.number<std::uint32_t>().value_or(0));
      } else if (word == "rot" || word == "loc") {
        if (!readNumbers(word == "rot" ? 9 : 3)) return;
      } else if (word == "subdiv") {
        if (words_.number<int>().value_or(1) > 0)
          log_.add("object", "its subdivision is not supported; the coarse surfaces are read",
                   words_.where());
      } else if (word == "numvert") {
        const auto count = words_.number<std::uint32_t>();
        if (!count) return say("has a count that is not a number");
        if (!readNumbers(std::size_t{3} * *count)) return;
        points += *count;
      } else if (word == "numsurf") {
        const auto count = words_.number<std::uint32_t>();
        if (!count) return say("has a count that is not a number");
        for (std::uint32_t i = 0; i < *count; ++i)
          if (!readSurface(points)) return;
      } else if (word == "kids") {
        const auto count = words_.number<std::uint32_t>();
        if (!count) return say("has a count that is not a number");
        isOpen = false;
        --kids.back();
        if (*count > 0) kids.push_back(*count);
        constexpr std::size_t deepest = 2000;
        if (kids.size() > deepest) return say("is nested too deeply");
      }
    }
    if (!words_.next().empty()) say("continues after its first object");
  }

 private:
  bool readSurface(std::size_t points) {
    if (words_.next() != "SURF") return stop("has fewer surfaces than their count says");
    const std::string_view flags = words_.next();
    const char kind = flags.empty() ? '?' : flags.back();
    if (kind < '0' || kind > '2') return stop("has a surface of an unknown kind");
    if (words_.next() != "mat") return stop("has a surface without a material");
    if (words_.number<std::uint32_t>().value_or(materials_) >= materials_)
      return stop("has a surface whose material does not exist");
    if (words_.next() != "refs") return stop("has a surface without corners");
    const auto corners = words_.number<std::uint32_t>();
    if (!corners) return stop("has a count that is not a number");
    for (std::uint32_t i = 0; i < *corners; ++i) {
      const auto point = words_.number<std::uint32_t>();
      if (!point || *point >= points) return stop("has a surface with a corner that does not exist");
      if (!readNumbers(2)) return false;
    }
    return true;
  }

  bool readNumbers(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view word = words_.next();
      if (word.empty()) return stop("is cut off within its numbers");
      if (!Words::numberOf<double>(word)) return stop("has an invalid number");
    }
    return true;
  }

  /// Skips a word or a quoted text.
  void skipName() {
    const std::string_view rest = words_.rest();
    const std::size_t begin = rest.find_first_not_of(" \t\n\v\f\r");
    if (begin == std::string_view::npos || rest[begin] != '"') {
      words_.next();
      return;
    }
    const std::size_t end = rest.find('"', begin + 1);
    words_.skip(end == std::string_view::npos ? rest.size() : end + 1);
  }

  bool stop(const std::string& problem) {
    say(problem);
    return false;
  }
  void say(const std::string& problem) {
    log_.add("file", problem + "; parts may be missing", words_.where());
  }

  Words words_;
  UnreadLog& log_;
  std::uint32_t materials_ = 0;
};

}  // namespace

void noteUnreadAc3d(std::string_view text, UnreadLog& log) { Ac3d(text, log).read(); }

}  // namespace fitup::importers
