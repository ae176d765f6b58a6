#pragma once

#include <filesystem>
#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <streambuf>
#include <string>

#include <fitup/io/mapped_file.h>

namespace fitup::importers {

/// A STEP file (ISO 10303-21) as bytes: what can be said about it before the CAD library sees it.
class Part21File {
 public:
  /// Throws FileError, or InputError that says what is wrong: empty, no STEP file, cut off.
  explicit Part21File(const std::filesystem::path& file);

  /// How many entity instances of each type the file holds, by the type's name.
  [[nodiscard]] const std::map<std::string, std::size_t, std::less<>>& entityCounts() const noexcept {
    return counts_;
  }
  [[nodiscard]] std::size_t countOf(std::string_view type) const;
  /// An entity number that is given to more than one instance, e.g. "#1".
  [[nodiscard]] const std::optional<std::string>& duplicateId() const noexcept { return duplicateId_; }

  /// The contents without a byte-order mark. `consumed` is told the fraction read so far.
  [[nodiscard]] std::unique_ptr<std::istream> stream(std::function<void(double)> consumed) const;

 private:
  void scanEntities();
  std::shared_ptr<const MappedFile> file_;
  std::string_view text_;
  std::map<std::string, std::size_t, std::less<>> counts_;
  std::optional<std::string> duplicateId_;
};

}  // namespace fitup::importers
