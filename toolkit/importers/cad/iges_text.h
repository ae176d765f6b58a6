#pragma once

#include <filesystem>
#include <map>

namespace fitup::importers {

/// An IGES file as lines of 80 columns: what can be said about it before the CAD library sees it.
class IgesText {
 public:
  /// Throws FileError, or InputError that says what is wrong: empty, no IGES file, compressed, cut off.
  explicit IgesText(const std::filesystem::path& file);

  /// How many entities of a type (its number in the standard) the directory section declares.
  [[nodiscard]] std::size_t countOf(int type) const;

 private:
  std::map<int, std::size_t> counts_;
};

}  // namespace fitup::importers
