#include "part21_file.h"

#include <algorithm>

#include <fitup/base/error.h>
#include <fitup/base/text.h>

#include "text_encoding.h"

namespace fitup::importers {
namespace {

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t chunk = std::size_t{1} << 16;

/// Delivers the text in chunks, to show the consumer's progress.
class ChunkBuffer : public std::streambuf {
 public:
  ChunkBuffer(std::string_view text, std::vector<TextSpan> hidden, std::function<void(double)> consumed)
      : text_(text), hidden_(std::move(hidden)), consumed_(std::move(consumed)) {}

 protected:
  int_type underflow() override {
    if (at_ == text_.size()) return traits_type::eof();
    consumed_(static_cast<double>(at_) / static_cast<double>(text_.size()));
    const std::size_t size = std::min(chunk, text_.size() - at_);
    buffer_ = text_.substr(at_, size);
    const std::size_t end = at_ + size;
    for (; next_ < hidden_.size() && hidden_[next_].begin < end; ++next_) {
      const std::size_t from = std::max(hidden_[next_].begin, at_), to = std::min(hidden_[next_].end, end);
      std::fill(buffer_.begin() + static_cast<std::ptrdiff_t>(from - at_),
                buffer_.begin() + static_cast<std::ptrdiff_t>(to - at_), ' ');
      if (hidden_[next_].end > end) break;  // continues in the next chunk
    }
    at_ = end;
    setg(buffer_.data(), buffer_.data(), buffer_.data() + size);
    return traits_type::to_int_type(buffer_.front());
  }

 private:
  std::string_view text_;
  std::vector<TextSpan> hidden_;
  std::string buffer_;
  std::size_t at_ = 0, next_ = 0;
  std::function<void(double)> consumed_;
};

class ChunkStream : public std::istream {
 public:
  ChunkStream(std::string_view text, std::vector<TextSpan> hidden, std::function<void(double)> consumed)
      : std::istream(nullptr), buffer_(text, std::move(hidden), std::move(consumed)) {
    rdbuf(&buffer_);
  }

 private:
  ChunkBuffer buffer_;
};

}  // namespace

Part21File::Part21File(const std::filesystem::path& file, const std::string& encoding)
    : file_(FileBytes::map(file)) {
  text_ = file_->text();
  const auto refuse = [](const std::string& problem) { throw InputError(problem); };
  if (text_.empty()) refuse("the file is empty");
  if (text_.starts_with(byteOrderMark)) text_.remove_prefix(byteOrderMark.size());
  if (text_.starts_with("version https://git-lfs"))
    refuse("this is a Git LFS pointer to the model, not the model; fetch it with `git lfs pull`");
  if (text_.substr(0, 4096).find("ISO-10303-21;") == std::string_view::npos)
    refuse("not a STEP file: it does not begin with ISO-10303-21");
  const std::size_t tail = text_.size() - std::min<std::size_t>(text_.size(), 4096);
  if (text_.substr(tail).find("END-ISO-10303-21") == std::string_view::npos)
    refuse("the file is cut off: END-ISO-10303-21 is missing at its end");
  if (isUtf8(text_)) return;
  const std::string_view guessed = encoding.empty() ? guessEncoding(text_) : std::string_view(encoding);
  ConvertedText converted = toUtf8(text_, guessed.empty() ? "utf-8" : guessed);
  converted_ = std::move(converted.text);
  text_ = converted_;
  if (guessed.empty())
    encodingWarning_ = {"names", "are in an encoding that could not be recognised; set it with --encoding",
                        false};
  else if (encoding.empty())
    encodingWarning_ = {
        "names",
        "look like " + std::string(guessed) + " and are read as such; set another encoding with --encoding",
        false};
  else if (converted.lostCharacters > 0)
    encodingWarning_ = {
        "names",
        std::to_string(converted.lostCharacters) + " characters are not valid " + encoding + " and were lost",
        false};
}

std::unique_ptr<std::istream> Part21File::stream(std::function<void(double)> consumed,
                                                 std::vector<TextSpan> hidden) const {
  return std::make_unique<ChunkStream>(text_, std::move(hidden), std::move(consumed));
}

}  // namespace fitup::importers
