#include "part21_file.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fitup/base/error.h>

namespace fitup::importers {
namespace {

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t chunk = std::size_t{1} << 16;

/// Serves the text in chunks, so that the consumer's progress is seen.
class ChunkBuffer : public std::streambuf {
 public:
  ChunkBuffer(std::string_view text, std::function<void(double)> consumed)
      : text_(text), consumed_(std::move(consumed)) {}

 protected:
  int_type underflow() override {
    if (at_ == text_.size()) return traits_type::eof();
    consumed_(static_cast<double>(at_) / static_cast<double>(text_.size()));
    const std::size_t size = std::min(chunk, text_.size() - at_);
    char* begin = const_cast<char*>(text_.data()) + at_;  // a get area is never written to
    setg(begin, begin, begin + size);
    at_ += size;
    return traits_type::to_int_type(*begin);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::function<void(double)> consumed_;
};

class ChunkStream : public std::istream {
 public:
  ChunkStream(std::string_view text, std::function<void(double)> consumed)
      : std::istream(nullptr), buffer_(text, std::move(consumed)) {
    rdbuf(&buffer_);
  }

 private:
  ChunkBuffer buffer_;
};

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// The number n of "#n" that ends before `end`.
std::optional<std::uint64_t> idBefore(std::string_view text, std::size_t end) {
  while (end > 0 && isSpace(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  std::uint64_t id = 0;
  if (begin == 0 || text[begin - 1] != '#') return std::nullopt;
  if (std::from_chars(text.data() + begin, text.data() + end, id).ec != std::errc()) return std::nullopt;
  return id;
}

/// The word in capitals that follows `before`.
std::string_view wordAfter(std::string_view text, std::size_t before) {
  std::size_t begin = before + 1;
  while (begin < text.size() && isSpace(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && (text[end] == '_' || (text[end] >= 'A' && text[end] <= 'Z') ||
                               (text[end] >= '0' && text[end] <= '9')))
    ++end;
  return text.substr(begin, end - begin);
}

}  // namespace

Part21File::Part21File(const std::filesystem::path& file) : file_(MappedFile::open(file)) {
  const auto bytes = file_->bytes();
  text_ = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  const auto refuse = [](const std::string& problem) { throw InputError(problem); };
  if (text_.empty()) refuse("the file is empty");
  if (text_.starts_with(byteOrderMark)) text_.remove_prefix(byteOrderMark.size());
  if (text_.starts_with("version https://git-lfs"))
    refuse("not the model but a Git LFS pointer to it; fetch it with `git lfs pull`");
  if (text_.substr(0, 4096).find("ISO-10303-21;") == std::string_view::npos)
    refuse("not a STEP file: it does not begin with ISO-10303-21");
  const std::size_t tail = text_.size() - std::min<std::size_t>(text_.size(), 4096);
  if (text_.substr(tail).find("END-ISO-10303-21") == std::string_view::npos)
    refuse("the file is cut off: END-ISO-10303-21 is missing at its end");
  scanEntities();
}

void Part21File::scanEntities() {
  std::vector<std::uint64_t> ids;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\'') {  // a string; a doubled quote closes and opens again
      i = std::min(text_.find('\'', i + 1), text_.size());
      continue;
    }
    if (text_[i] != '=') continue;
    if (const auto id = idBefore(text_, i)) ids.push_back(*id);
    const std::string_view type = wordAfter(text_, i);
    if (type.empty()) continue;
    const auto found = counts_.find(type);
    if (found != counts_.end())
      ++found->second;
    else
      counts_.emplace(type, 1);
  }
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice != ids.end()) duplicateId_ = "#" + std::to_string(*twice);
}

std::size_t Part21File::countOf(std::string_view type) const {
  const auto found = counts_.find(type);
  return found == counts_.end() ? 0 : found->second;
}

std::unique_ptr<std::istream> Part21File::stream(std::function<void(double)> consumed) const {
  return std::make_unique<ChunkStream>(text_, std::move(consumed));
}

}  // namespace fitup::importers
