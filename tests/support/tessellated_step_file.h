#pragma once

#include <string>
#include <string_view>

namespace fitup::test {

/// The text of a STEP file (AP242) of tessellated shapes, which a test composes of products, occurrences and
/// geometry. Numbers below 100 are reserved for the file: #13 its context, #14 a placement at the origin, #18
/// one at (1, 2, 3) turned by 90 degrees about z.
class TessellatedStepFile {
 public:
  static constexpr std::string_view millimetre = "(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))",
                                    metre = "(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT($,.METRE.))",
                                    inch = "(CONVERSION_BASED_UNIT('INCH',#11)LENGTH_UNIT()NAMED_UNIT(#9))",
                                    representation = "TESSELLATED_SHAPE_REPRESENTATION";

  explicit TessellatedStepFile(std::string_view unit = millimetre);

  /// Uses the numbers from `base` to `base` + 5, the last for its representation.
  void product(int base, const std::string& name, const std::string& items,
               std::string_view type = representation, const std::string& more = {});
  /// Uses the numbers from `base` to `base` + 5. The placement with the number `place` places the child.
  void occurrence(int base, const std::string& name, int parent, int child, int place);
  void add(const std::string& instance) { data_ += instance + ";\n"; }
  /// Adds a list of the corners of a box from the origin.
  void boxCorners(int number, double x, double y, double z);
  /// Adds a solid of six TRIANGULATED_FACEs on such a list; uses the numbers from `base` to `base` + 6, the
  /// first for the solid.
  void box(int base, int corners, const std::string& name = "box");

  [[nodiscard]] std::string text() const { return header + data_ + footer; }
  [[nodiscard]] const std::string& data() const { return data_; }

  static const std::string header, footer;

 private:
  std::string data_;
};

/// Makes two products, one in two places, with faces, strips, fans, indices, sets, a placement and colours.
TessellatedStepFile sampleTessellatedStep();

}  // namespace fitup::test
