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

/// The bytes of a STEP file (ISO 10303-21), checked before the CAD library reads them.
class Part21File {
 public:
  /// `encoding` of strings: one of `textEncodings`; if empty, UTF-8 (which includes ASCII) or a guess. Throws
  /// FileError, or InputError with the reason: empty, not a STEP file, cut off.
  explicit Part21File(const std::filesystem::path& file, const std::string& encoding = {});

  /// The contents in UTF-8, without a byte-order mark; valid while this object lives.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  /// Whether the file is in another encoding than UTF-8.
  [[nodiscard]] bool isConverted() const noexcept { return !converted_.empty(); }
  /// A warning if names were guessed or have lost characters.
  [[nodiscard]] const std::optional<ImportWarning>& encodingWarning() const noexcept {
    return encodingWarning_;
  }
  /// Returns the contents as a stream, with blanks in place of the `hidden` stretches, which are ascending
  /// and disjoint. `consumed` receives the fraction read so far.
  [[nodiscard]] std::unique_ptr<std::istream> stream(std::function<void(double)> consumed,
                                                     std::vector<TextSpan> hidden = {}) const;

 private:
  std::shared_ptr<const FileBytes> file_;
  std::string converted_;  ///< if the file is not in UTF-8
  std::string_view text_;
  std::optional<ImportWarning> encodingWarning_;
};

}  // namespace fitup::importers
