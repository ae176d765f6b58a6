#pragma once

#include <filesystem>
#include <map>

namespace fitup::importers {

/// An IGES file as lines of 80 columns, checked before the CAD library reads it.
class IgesText {
 public:
  /// Throws FileError, or InputError with the reason: empty, not an IGES file, compressed, cut off.
  explicit IgesText(const std::filesystem::path& file);

  /// Returns the number of entities of a type (its number in the standard) in the directory section.
  [[nodiscard]] std::size_t countOf(int type) const;

 private:
  std::map<int, std::size_t> counts_;
};

}  // namespace fitup::importers
