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
/// as sRGB, opacity `d` or `Tr`. No answer depends on colours, so what is missing or damaged leaves them out;
/// a library that may not be read is named by a warning.
class MaterialColours {
 public:
  /// `source`: the OBJ file. Refers to both.
  MaterialColours(SourceFile& source, std::vector<ImportWarning>& warnings)
      : source_(source), warnings_(warnings) {}

  /// What a `mtllib` statement names: one file whose name may hold blanks, or several. Each is read once; of
  /// materials of one name the first counts. Files outside the folder, those that are no plain files, and
  /// those above `largestLibrary` are not read.
  void addLibraries(std::string_view names);
  /// Nothing for a material that no library gives a colour.
  [[nodiscard]] std::optional<Colour> colourOf(std::string_view material) const;
  /// The text of a library. A colour without numbers that can be read stays as it was.
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
