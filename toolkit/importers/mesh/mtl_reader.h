#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/io/model_file.h>
#include <fitup/mesh/surface.h>

#include "source_file.h"

namespace fitup::importers {

/// The colours of the materials that an OBJ file uses, from its material libraries (MTL): diffuse colour `Kd`
/// as sRGB, opacity `d` or `Tr`. Because no answer depends on colours, missing or damaged ones are left out;
/// a warning names a library that may not be read.
class MaterialColours {
 public:
  /// `source`: the OBJ file. Keeps references to both arguments.
  MaterialColours(SourceFile& source, std::vector<ImportWarning>& warnings)
      : source_(source), warnings_(warnings) {}

  /// Adds what a `mtllib` statement names: one file whose name may hold blanks, or several files. Each is
  /// read once; if several materials have one name, the first counts. Files outside of the folder, special
  /// files, and those larger than `largestLibrary` are not read.
  void addLibraries(std::string_view names);
  /// Empty for a material to which no library gives a colour.
  [[nodiscard]] std::optional<Colour> colourOf(std::string_view material) const;
  /// Adds the text of a library. A colour without readable numbers stays unchanged.
  void addText(std::string_view text);

  static constexpr std::uintmax_t largestLibrary = std::uintmax_t{64} << 20;
  static constexpr std::size_t mostLibraries = 1000;

 private:
  void addLibrary(const std::string& name);

  SourceFile& source_;
  std::vector<ImportWarning>& warnings_;
  std::set<std::string, std::less<>> seen_;
  std::map<std::string, std::optional<Colour>, std::less<>> colours_;
};

}  // namespace fitup::importers
