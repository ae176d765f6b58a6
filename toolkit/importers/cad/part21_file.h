#pragma once

#include <filesystem>
#include <functional>
#include <istream>
#include <memory>
#include <streambuf>
#include <string_view>

#include <fitup/io/file_bytes.h>

namespace fitup::importers {

/// A STEP file (ISO 10303-21) as bytes: what can be said about it before the CAD library sees it.
class Part21File {
 public:
  /// Throws FileError, or InputError that says what is wrong: empty, no STEP file, cut off.
  explicit Part21File(const std::filesystem::path& file);

  /// The contents without a byte-order mark; valid while this lives.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  /// The same as a stream. `consumed` is told the fraction read so far.
  [[nodiscard]] std::unique_ptr<std::istream> stream(std::function<void(double)> consumed) const;

 private:
  std::shared_ptr<const FileBytes> file_;
  std::string_view text_;
};

}  // namespace fitup::importers
