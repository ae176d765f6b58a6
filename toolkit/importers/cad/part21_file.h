#pragma once

#include <filesystem>
#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/io/file_bytes.h>
#include <fitup/io/model_file.h>

namespace fitup::importers {

/// Part of a text, from `begin` up to `end`.
struct TextSpan {
  std::size_t begin = 0, end = 0;
  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

/// A STEP file (ISO 10303-21) as bytes: what can be said about it before the CAD library sees it.
class Part21File {
 public:
  /// `encoding`: of strings, one of `textEncodings`; empty: UTF-8, which ASCII is, or what they look like.
  /// Throws FileError, or InputError that says what is wrong: empty, no STEP file, cut off.
  explicit Part21File(const std::filesystem::path& file, const std::string& encoding = {});

  /// The contents in UTF-8, without a byte-order mark; valid while this lives.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  /// Whether the file is in another encoding.
  [[nodiscard]] bool isConverted() const noexcept { return !converted_.empty(); }
  /// Whether names had to be guessed at, or have characters lost.
  [[nodiscard]] const std::optional<ImportWarning>& encodingWarning() const noexcept {
    return encodingWarning_;
  }
  /// The same as a stream, with blanks in place of what is `hidden`: stretches of it, ascending and apart.
  /// `consumed` gets the fraction read so far.
  [[nodiscard]] std::unique_ptr<std::istream> stream(std::function<void(double)> consumed,
                                                     std::vector<TextSpan> hidden = {}) const;

 private:
  std::shared_ptr<const FileBytes> file_;
  std::string converted_;  ///< where the file is not in UTF-8
  std::string_view text_;
  std::optional<ImportWarning> encodingWarning_;
};

}  // namespace fitup::importers
